import HTTPTypes
public import Hummingbird
import NIOCore
public import RepositoryService
import ServiceLifecycle

/// Mounts a service in Hummingbird: all that a framework has to do for it.
public struct ServiceResponder: HTTPResponder {
  /// What a request brings besides itself.
  public typealias Context = BasicRequestContext

  private let service: RepositoryService

  /// Mounts a service.
  public init(_ service: RepositoryService) { self.service = service }

  /// Answers a request.
  public func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
    var headers = WebHeaders()
    for field in request.headers { headers.append(field.name.rawName, field.value) }
    let message = WebRequest(
      request.method.rawValue, request.head.path ?? "/", headers: headers, body: WebBody(Chunks(base: request.body)))
    let answer = await service.respond(to: message)
    var fields = HTTPFields()
    for field in answer.headers.fields {
      if let name = HTTPField.Name(field.name) { fields.append(HTTPField(name: name, value: field.value)) }
    }
    return Response(
      status: HTTPResponse.Status(code: answer.status), headers: fields,
      body: Self.body(answer.body, endsWithServer: answer.headers["Content-Type"] == "text/event-stream"))
  }

  /// A body of chunks as they come; live results end when the server is to stop.
  private static func body(_ body: WebBody, endsWithServer: Bool) -> ResponseBody {
    if let bytes = body.bytes { return ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)) }
    let buffers = Buffers(base: body)
    if endsWithServer { return ResponseBody(asyncSequence: buffers.cancelOnGracefulShutdown()) }
    return ResponseBody(asyncSequence: buffers)
  }

  /// The bytes of a request's body.
  private struct Chunks: AsyncSequence, Sendable {
    let base: RequestBody

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
      var base: RequestBody.AsyncIterator

      mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
        try await base.next(isolation: actor).map { Array($0.readableBytesView) }
      }
    }
  }

  /// The buffers of an answer's body.
  private struct Buffers: AsyncSequence, Sendable {
    let base: WebBody

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
      var base: WebBody.Iterator

      mutating func next() async throws -> ByteBuffer? { try await base.next().map { ByteBuffer(bytes: $0) } }
    }
  }
}
