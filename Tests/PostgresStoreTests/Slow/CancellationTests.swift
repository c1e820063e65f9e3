import Foundation
import Query
import Repository
import SQLStore
import Synchronization
import TestSupport
import Testing

@testable import PostgresStore

@Suite("A request to cancel is repeated until it is heard")
struct CancellationTests {
  /// What happens to a session and its canceller.
  enum Step: Sendable {
    case begin, beginCommit, end, cancel, cancelForGood, forget, stop
    /// As much time passes that a request is repeated, where one is to be.
    case time
  }

  /// A server that counts requests, and time that passes when a test says so.
  private final class Bench: Sendable {
    private let state = Mutex((requests: 0, waits: [Int](), waiting: [@Sendable () -> Void]()))

    var requests: Int { state.withLock(\.requests) }
    var waits: [Int] { state.withLock(\.waits) }

    func makeCanceller() -> StatementCanceller {
      StatementCanceller {
        self.state.withLock { $0.requests += 1 }
      } later: { wait, body in
        self.state.withLock { state in
          state.waits.append(wait)
          state.waiting.append(body)
        }
      }
    }

    func passTime() {
      let waiting = state.withLock { state in
        defer { state.waiting = [] }
        return state.waiting
      }
      for body in waiting { body() }
    }
  }

  @Test(
    "while its own statement runs, and not in another one",
    arguments: [
      // The number of requests after each step.
      [(.begin, 0), (.cancel, 1), (.time, 2), (.time, 3), (.end, 3), (.time, 3), (.time, 3)],
      [(.cancel, 0), (.begin, 1), (.time, 2), (.end, 2), (.begin, 3), (.time, 4)],
      [(.begin, 0), (.cancel, 1), (.forget, 1), (.end, 1), (.begin, 1), (.time, 1), (.time, 1)],
      [(.begin, 0), (.cancel, 1), (.forget, 1), (.time, 1), (.cancel, 2), (.time, 3), (.time, 4)],
      [(.begin, 0), (.cancel, 1), (.cancel, 2), (.time, 3), (.time, 4)],
      [(.begin, 0), (.stop, 1), (.time, 2), (.end, 2), (.begin, 2), (.time, 2), (.cancel, 3), (.time, 4)],
      [(.begin, 0), (.end, 0), (.cancel, 0), (.time, 0), (.forget, 0), (.begin, 0)],
      // A commit is interrupted for good alone, and that does not concern statements.
      [(.beginCommit, 0), (.cancel, 0), (.stop, 0), (.time, 0), (.cancelForGood, 1), (.time, 2), (.end, 2)],
      [(.cancelForGood, 0), (.begin, 0), (.end, 0), (.beginCommit, 1), (.time, 2)],
    ] as [[(Step, Int)]])
  func steps(_ steps: [(Step, Int)]) {
    let bench = Bench()
    let canceller = bench.makeCanceller()
    for (number, (step, requests)) in steps.enumerated() {
      switch step {
      case .begin: canceller.begin()
      case .beginCommit: canceller.begin(.commit)
      case .end: canceller.end()
      case .cancel: canceller.cancel()
      case .cancelForGood: canceller.cancelForGood()
      case .forget: canceller.forget()
      case .stop: canceller.stop()
      case .time: bench.passTime()
      }
      #expect(bench.requests == requests, "\(step), number \(number)")
    }
  }

  @Test("after ever longer waits, up to five seconds")
  func waits() {
    let bench = Bench()
    let canceller = bench.makeCanceller()
    canceller.begin()
    canceller.cancel()
    for _ in 0..<8 { bench.passTime() }
    #expect(bench.waits == [50, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
  }

  // MARK: With a server

  /// `CancelRequest`, https://www.postgresql.org/docs/15/protocol-message-formats.html
  private static let cancelRequest: [UInt8] = [0, 0, 0, 16, 0x04, 0xD2, 0x16, 0x2E]

  /// Runs a test with a store whose first requests to cancel are lost on their way.
  private static func withStore(
    losing count: Int, _ body: (_ store: PostgresStore, _ connection: String, _ label: String) async throws -> Void
  ) async throws {
    let server = try await SocketProxy.serverSocket(of: TestServer.administrator.get())
    let folder = try TemporaryFolder()
    let left = Mutex(count)
    let proxy = try SocketProxy(at: folder.path(server.lastPathComponent), to: server.path) { direction, bytes in
      guard direction == .toServer, bytes.starts(with: cancelRequest) else { return .forward }
      return left.withLock { left in
        if left == 0 { return .forward }
        left -= 1
        return .cut(after: 0)
      }
    }
    defer { proxy.stop() }
    try await TestServer.withSchema { connection in
      let store = try PostgresStore(
        ConnectionString.extended(connection, by: ["host": folder.path]), connections: 1, timeout: TestServer.timeout,
        notifies: false)
      try await body(store, connection, try await store.label())
    }
    #expect(left.withLock(\.self) == 0)
  }

  @Test("so that a statement ends whose first requests are lost", .requiresServer)
  func statement() async throws {
    try await Self.withStore(losing: 2) { store, _, label in
      let task = Task { try await store.sql.query("SELECT 1 FROM pg_sleep(3600)", as: Int.self) }
      try await TestServer.waitForSessions(of: label, "AND wait_event = 'PgSleep'") { $0 == 1 }
      task.cancel()
      await expectError(.cancelled) { try await task.value }
      #expect(try await store.sql.query("SELECT 2", as: Int.self) == [2])
    }
  }

  @Test(
    "but not once the statement has ended, or has failed", .requiresServer, arguments: ["SELECT 1", "SELECT 1 / 0"])
  func ended(sql: String) async throws {
    try await TestServer.withSchema { connection in
      let options = PostgresOptions(timeout: .seconds(20), statementTimeout: nil, idleTransactionTimeout: nil)
      let session = try PostgresServer(connection, options).connect()
      let plan = try PreparedPlan(of: sql, named: nil, in: session)
      try session.start(
        plan, ParameterBuffer(), after: [], isStreamed: false, isCancellable: true, writes: false)
      do throws(PostgresError) {
        while try session.next() != nil {}
        #expect(sql == "SELECT 1")
      } catch {
        #expect(error.sqlState == "22012")
      }
      session.canceller.cancel()
      // Of the requests, which are repeated after ever longer waits, one would arrive meanwhile.
      try session.run("SELECT pg_sleep(1)")
    }
  }

  @Test("so that a statement ends whose task is cancelled while its session is made", .requiresServer)
  func newSession() async throws {
    let server = try await SocketProxy.serverSocket(of: TestServer.administrator.get())
    let folder = try TemporaryFolder()
    let isCut = Atomic(false)
    let cancellation = Mutex<(@Sendable () -> Void)?>(nil)
    let proxy = try SocketProxy(at: folder.path(server.lastPathComponent), to: server.path) { direction, _ in
      if isCut.load(ordering: .sequentiallyConsistent) { return .cut(after: 0) }
      guard direction == .toServer else { return .forward }
      // Outside of the lock: a request to cancel passes the proxy, too.
      let cancel = cancellation.withLock { cancel in
        defer { cancel = nil }
        return cancel
      }
      cancel?()
      return .forward
    }
    defer { proxy.stop() }
    try await TestServer.withSchema { connection in
      let store = try PostgresStore(
        ConnectionString.extended(connection, by: ["host": folder.path]), connections: 1, timeout: TestServer.timeout,
        notifies: false)
      // A statement that was prepared makes its session only when it runs, when nothing looks for a cancellation any more.
      @Sendable func sleep(_ seconds: Double) async throws {
        _ = try await store.sql.query("SELECT 1 FROM pg_sleep(\(seconds))", as: Int.self)
      }
      try await sleep(0)
      isCut.store(true, ordering: .sequentiallyConsistent)
      await #expect(throws: RepositoryError.self) { try await sleep(0) }
      isCut.store(false, ordering: .sequentiallyConsistent)
      // The lock is held until the task can be cancelled, so that nothing of the new session passes before.
      let task = cancellation.withLock { cancel in
        let task = Task { try await sleep(20) }
        cancel = { task.cancel() }
        return task
      }
      await expectError(.cancelled) { try await task.value }
      #expect(try await store.sql.query("SELECT 2", as: Int.self) == [2])
    }
  }

  /// One row goes with the number of its transaction, which is then not asked for with the commit.
  @Test(
    "so that a commit ends with its store, and is undone", .requiresServer,
    arguments: [0, 1], [1, 20])
  func commit(losing count: Int, rows: Int) async throws {
    try await Self.withStore(losing: count) { store, connection, label in
      let notes = try store.repository(of: Note.self)
      try await store.sql.execute(
        """
        CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(3600); RETURN NULL; END $$
        """)
      try await store.sql.execute(
        """
        CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON note DEFERRABLE INITIALLY DEFERRED \
        FOR EACH ROW EXECUTE FUNCTION sleep()
        """)
      let task = Task {
        try await store.transaction { _ in try await notes.insert((0..<rows).map { Note(id: $0, text: "a") }) }
      }
      try await TestServer.waitForSessions(of: label, "AND wait_event = 'PgSleep' AND query = 'COMMIT'") { $0 == 1 }
      store.stop()
      let error = await #expect(throws: (any Error).self) { try await task.value }
      #expect((error as? RepositoryError)?.code == .cancelled, "\(String(describing: error))")
      try await TestServer.waitForSessions(of: label, "AND wait_event = 'PgSleep'") { $0 == 0 }
      let others = try PostgresStore(connection, connections: 1, notifies: false).repository(of: Note.self)
      #expect(try await others.count() == 0)
    }
  }
}
