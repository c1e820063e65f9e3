import Repository
import RepositoryService
import Synchronization
import Testing
import WebStore

/// A network that loses the first connection behind a number of lines of its answer.
private final class LosingNetwork: WebTransport {
  private let service: RepositoryService
  private let lineCount: Int
  private let isLost = Mutex(false)

  init(_ service: RepositoryService, after lineCount: Int) { (self.service, self.lineCount) = (service, lineCount) }

  func send(_ request: WebRequest) async throws -> WebResponse {
    struct Lost: Error {}
    var response = await service.respond(to: request)
    if isLost.withLock({ isLost in
      defer { isLost = true }
      return isLost
    }) {
      return response
    }
    let lines = try await response.body.collect(upTo: 1_000_000).split(separator: UInt8(ascii: "\n"))
    let chunks = AsyncThrowingStream<[UInt8], any Error> { continuation in
      for line in lines.prefix(lineCount) { continuation.yield(line + [UInt8(ascii: "\n")]) }
      continuation.finish(throwing: Lost())
    }
    response.body = WebBody(chunks)
    return response
  }
}

@Suite("A read that is sent again begins anew")
struct RepeatedReadTests {
  private struct Town: Entity, Equatable {
    let id: Int
    let size: Int
    static let schema = Schema("town", Town.init, Column("id", \.id), Column("size", \.size))
  }

  @Test("with its elements, and with those that can't be read", arguments: 0...3)
  func readable(lineCount: Int) async throws {
    let table = try TableSchema(
      "town", columns: [ColumnSchema("id", .integer), ColumnSchema("size", .any)], primaryKey: ["id"])
    let towns = try MemoryStore().repository(Schema<Record>(table))
    for (id, size): (Int64, Value) in [(1, "x"), (2, 5), (3, "y")] {
      try await towns.save(Record(values: [.integer(id), size], in: table))
    }
    let service = try RepositoryService {
      Route("town", towns, schema: Schema<Record>(table)).readingAll().allowing(.all).pages(
        of: 10, atMost: 10, wholeResults: 10)
    }
    var options = WebStoreOptions()
    (options.attempts, options.backoff, options.timeout) = (3, .none, .seconds(900))
    let web = try WebStore(over: LosingNetwork(service, after: lineCount), options: options).repository(of: Town.self)
    let found = try await web.findAllReadable(FetchRequest())
    #expect(found.elements == [Town(id: 2, size: 5)])
    #expect(found.unreadable.count == 2)
  }
}
