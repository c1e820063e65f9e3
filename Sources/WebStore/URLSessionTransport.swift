import Foundation
import Repository
import Synchronization
import WebRepositoryFormat

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport by Foundation's `URLSession`, which passes on answers as they arrive.
///
/// What arrives before it is read is kept in memory.
final class URLSessionTransport: SendingTransport, @unchecked Sendable {
  // Its state is protected by a lock; the session is made once, in the initialiser.
  private let base: URL
  private let lock = NSLock()
  private var exchanges: [Int: URLExchange] = [:]
  private var session = URLSession.shared

  init(_ base: URL, timeout: Duration) {
    self.base = base
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpShouldSetCookies = false
    // The deadline of an answer is ``WebConnection``'s. This is that of silence within an answer, whose rows a server may have to
    // find one by one: several times as long.
    let (seconds, attoseconds) = timeout.components
    configuration.timeoutIntervalForRequest = max(Double(seconds) + Double(attoseconds) * 1e-18, 1) * 4
    configuration.httpMaximumConnectionsPerHost = 64
    session = URLSession(configuration: configuration, delegate: URLSessionForwarder(self), delegateQueue: nil)
  }

  deinit { session.invalidateAndCancel() }

  /// Throws for a base address to which routes can't be appended.
  static func check(_ base: URL) throws(RepositoryError) {
    func refused(_ reason: String, _ suggestion: String) -> RepositoryError {
      RepositoryError(
        .cannotOpen, "invalid URL of the web API", reason: reason, suggestion: suggestion)
    }
    guard ["http", "https"].contains(base.scheme?.lowercased()), !(base.host() ?? "").isEmpty else {
      throw refused("the URL is not an HTTP URL with a host", "write https://, the host and the path before the routes")
    }
    let rest = base.query() != nil ? "a query" : base.fragment() != nil ? "a fragment" : nil
    if let rest {
      throw refused(
        "the URL has \(rest), but the client appends the path and query of each request",
        "remove this part; put common values into header fields")
    }
  }

  func send(_ request: WebRequest) async throws -> WebResponse { try await send(request) {} }

  func send(_ request: WebRequest, noting note: @escaping @Sendable () -> Void) async throws -> WebResponse {
    let root = base.absoluteString
    guard let url = URL(string: (root.hasSuffix("/") ? String(root.dropLast()) : root) + request.target) else {
      throw RepositoryError(.invalidQuery, "invalid URL")
    }
    var message = URLRequest(url: url)
    message.httpMethod = request.method
    for field in request.headers.fields { message.addValue(field.value, forHTTPHeaderField: field.name) }
    if request.headers["Accept"] == MediaType.events {
      // A service sends a comment every 15 seconds, however short the timeout of an answer is.
      message.timeoutInterval = max(session.configuration.timeoutIntervalForRequest, 60)
    }
    let task: URLSessionDataTask
    var file: BodyFile?
    if let body = request.body.bytes {
      if !body.isEmpty || !["GET", "HEAD"].contains(request.method) { message.httpBody = Data(body) }
      task = session.dataTask(with: message)
    } else {
      // On Linux a URLSession does not stream a body, and a body may be too large for memory.
      let written = try await BodyFile(request.body)
      task = session.uploadTask(with: message, fromFile: written.url)
      file = written
    }
    defer { withExtendedLifetime(file) {} }
    let exchange = URLExchange(by: task, noting: note)
    lock.withLock { exchanges[task.taskIdentifier] = exchange }
    return try await withTaskCancellationHandler {
      try await exchange.response()
    } onCancel: {
      task.cancel()
    }
  }

  fileprivate func exchange(of task: URLSessionTask) -> URLExchange? {
    lock.withLock { exchanges[task.taskIdentifier] }
  }

  fileprivate func end(_ task: URLSessionTask) -> URLExchange? {
    lock.withLock { exchanges.removeValue(forKey: task.taskIdentifier) }
  }
}

/// A body in a temporary file that only this user can read, which is removed once it is sent.
private final class BodyFile {
  let url: URL

  init(_ body: WebBody) async throws {
    let folder = FileManager.default.temporaryDirectory
    url = folder.appending(path: "repository-kit-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)")
    func writing<Result>(_ write: () throws -> Result) throws(RepositoryError) -> Result {
      do {
        return try write()
      } catch {
        throw RepositoryError(
          .inputOutput, "can't write the body to \(folder.path())",
          suggestion: "free space in the folder, or set TMPDIR to another folder", underlying: error)
      }
    }
    let file = try writing {
      guard FileManager.default.createFile(atPath: url.path(), contents: nil, attributes: [.posixPermissions: 0o600])
      else { throw CocoaError(.fileWriteUnknown) }
      return try FileHandle(forWritingTo: url)
    }
    do {
      for try await chunk in body { try writing { try file.write(contentsOf: Data(chunk)) } }
      try writing { try file.close() }
    } catch {
      try? FileManager.default.removeItem(at: url)
      throw error
    }
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// A delegate that forwards the session's events without retaining the transport, which ends the session.
private final class URLSessionForwarder: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  // Weak references are safe to read from any thread.
  private weak var transport: URLSessionTransport?

  init(_ transport: URLSessionTransport) { self.transport = transport }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    transport?.exchange(of: dataTask)?.take(response)
    completionHandler(.allow)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    transport?.exchange(of: task)?.noteSent()
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    transport?.exchange(of: dataTask)?.take(data)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    transport?.end(task)?.finish(error)
  }

  /// A redirection is an answer: neither a write nor a token must be sent elsewhere.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}

/// A request and its answer.
final class URLExchange: @unchecked Sendable {
  // A task may be started and cancelled from any thread. The session keeps it until it is complete.
  private weak var task: URLSessionTask?
  private let state = Mutex<State>(.unanswered)
  private let channel = ByteChannel()
  private let note: @Sendable () -> Void

  private enum State: Sendable {
    case unanswered
    case waiting(CheckedContinuation<WebResponse, any Error>)
    case answered(Result<WebResponse, any Error>)
  }

  init(by task: URLSessionTask, noting note: @escaping @Sendable () -> Void = {}) {
    (self.task, self.note) = (task, note)
  }

  /// Starts the task, unless it has ended already: one that is cancelled ends without having been started.
  func response() async throws -> WebResponse {
    try await withCheckedThrowingContinuation { continuation in
      let result = state.withLock { state -> Result<WebResponse, any Error>? in
        if case .answered(let result) = state { return result }
        state = .waiting(continuation)
        return nil
      }
      if let result { continuation.resume(with: result) } else { task?.resume() }
    }
  }

  func noteSent() { note() }

  func take(_ response: URLResponse) {
    guard let response = response as? HTTPURLResponse else { return }
    var headers = WebHeaders()
    for (name, value) in response.allHeaderFields { headers.append("\(name)", "\(value)") }
    let body = WebBody(chunks: { [channel, task] in
      // Data without a reader is not received any further.
      let reading = Reading(task: task)
      let iterator = channel.makeAsyncIterator()
      return {
        var iterator = iterator
        defer { withExtendedLifetime(reading) {} }
        return try await iterator.next()
      }
    })
    resume(.success(WebResponse(response.statusCode, headers: headers, body: body)))
  }

  func take(_ data: Data) { channel.push([UInt8](data)) }

  func finish(_ error: (any Error)?) {
    let failure = error.map(Self.translated)
    channel.finish(throwing: failure)
    resume(.failure(failure ?? RepositoryError(.unreachable, "the server gave no answer")))
  }

  private func resume(_ result: Result<WebResponse, any Error>) {
    let continuation = state.withLock { state -> CheckedContinuation<WebResponse, any Error>? in
      switch state {
      case .unanswered:
        state = .answered(result)
        return nil
      case .waiting(let continuation):
        state = .answered(result)
        return continuation
      case .answered: return nil
      }
    }
    continuation?.resume(with: result)
  }

  private static func translated(_ error: any Error) -> any Error {
    switch (error as? URLError)?.code {
    case .cancelled: CancellationError()
    case .timedOut: RepositoryError(.timeout, "the server did not answer in time", underlying: error)
    default: RepositoryError(.unreachable, "can't reach the server", underlying: error)
    }
  }

  private final class Reading: @unchecked Sendable {
    // A task may be cancelled from any thread.
    private let task: URLSessionTask?

    init(task: URLSessionTask?) { self.task = task }

    deinit { task?.cancel() }
  }
}
