import Foundation
import PostgresStore
import Query
import Synchronization
import TestSupport
import Testing

@Suite("The statements of reads by keys are prepared again", .requiresServer)
struct PipelinePlanTests {
  /// Whether the statements are prepared again after something happens to the table.
  enum Case: CaseIterable, Sendable {
    /// The read waits for a lock for longer than it may.
    case lock
    /// The type of the key's column is another one.
    case keyType
    /// The type of another column is another one.
    case columnType
  }

  @Test("where a table has changed, and not where one waits for a lock", arguments: Case.allCases)
  func plans(_ happening: Case) async throws {
    let server = try await SocketProxy.serverSocket(of: TestServer.administrator.get())
    let folder = try TemporaryFolder()
    let count = Mutex(0)
    let proxy = try SocketProxy(at: folder.path(server.lastPathComponent), to: server.path) { direction, bytes in
      let isAgain = direction == .toServer && bytes.firstRange(of: Array("DEALLOCATE ALL".utf8)) != nil
      if isAgain { count.withLock { $0 += 1 } }
      return .forward
    }
    defer { proxy.stop() }
    try await TestServer.withSchema { connection in
      let store = try PostgresStore(
        ConnectionString.extended(connection, by: ["host": folder.path]), connections: 2, timeout: TestServer.timeout)
      let notes = try store.repository(of: Note.self)
      try await notes.save(Note(id: 1, text: "a"))
      #expect(try await notes.find(1)?.text == "a")
      switch happening {
      case .lock:
        let reader = try await store.transaction { transaction in
          try await transaction.sql.execute("LOCK TABLE note IN ACCESS EXCLUSIVE MODE")
          let label = try await store.label()
          let reader = Task.detached { try await notes.find(1) }
          // By now, it waits with a connection of its own: in the pipeline it may wait for 20 ms.
          try await TestServer.waitForSessions(
            of: label, "AND wait_event_type = 'Lock' AND clock_timestamp() - query_start > '200 ms'"
          ) { $0 == 1 }
          return reader
        }
        #expect(try await reader.value?.text == "a")
      case .keyType: try await store.sql.execute("ALTER TABLE note ALTER COLUMN id TYPE int4")
      case .columnType: try await store.sql.execute("ALTER TABLE note ALTER COLUMN text TYPE varchar")
      }
      for _ in 0..<3 { #expect(try await notes.find(1)?.text == "a") }
      #expect(count.withLock(\.self) == (happening == .lock ? 0 : 1))
    }
  }
}
