import Foundation
import Query
import Repository
import Synchronization
import TestSupport
import Testing

@testable import PostgresStore

@Suite("Live results", .requiresServer)
struct NotificationTests {
  @Test("follow the changes of programs without this library that notify")
  func notifications() async throws {
    try await TestServer.withSchema { connection in
      let store = try PostgresStore(connection)
      let notes = try store.repository(of: Note.self)
      try await notes.save(Note(id: 1, text: "a"))
      var results = notes.selection().changes().makeAsyncIterator()
      #expect(try await results.next()?.count == 1)
      // What another program may do, which this store does not see as its own.
      let options = PostgresOptions(timeout: .seconds(20), statementTimeout: nil, idleTransactionTimeout: nil)
      let other = try PostgresServer(connection, options).connect()
      try other.run("BEGIN; INSERT INTO note VALUES (2, 'b'); NOTIFY repokit; COMMIT")
      #expect(try await results.next()?.count == 2)
      let trigger = """
        CREATE FUNCTION notify_repokit() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN PERFORM pg_notify('repokit', ''); RETURN NULL; END $$;
        CREATE TRIGGER notify_repokit AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON note
          FOR EACH STATEMENT EXECUTE FUNCTION notify_repokit();
        """
      try other.run(trigger)
      for count in [3, 4] {
        try other.run("INSERT INTO note VALUES (\(count), 'c')")
        #expect(try await results.next()?.count == count)
      }
    }
  }

  @Test("follow each change of another store")
  func changes() async throws {
    try await TestServer.withSchema { connection in
      let notes = try PostgresStore(connection).repository(of: Note.self)
      let others = try PostgresStore(connection).repository(of: Note.self)
      var results = notes.selection().changes().makeAsyncIterator()
      #expect(try await results.next()?.isEmpty == true)
      for count in 1...3 {
        try await others.save(Note(id: count, text: "a"))
        #expect(try await results.next()?.count == count)
      }
    }
  }

  @Test("take up what was changed while the session that listens was lost")
  func lostSession() async throws {
    // Notifications are those of a database, and other tests have theirs.
    try await TestServer.withDatabase { connection in
      let store = try PostgresStore(connection)
      let notes = try store.repository(of: Note.self)
      // No notification tells of what it changes.
      let others = try PostgresStore(connection, notifies: false).repository(of: Note.self)
      var results = notes.selection().changes().makeAsyncIterator()
      #expect(try await results.next()?.isEmpty == true)
      try await others.save(Note(id: 1, text: "a"))
      try await TestServer.endSessions(of: try await store.label())
      #expect(try await results.next()?.count == 1)
    }
  }

  @Test("take up what was changed while it was lost, also where another one is open at once")
  func replacedSession() async throws {
    try await Self.withGate { direct, _, _ in
      let listener = ChangeNotifications(direct, retryDelay: .zero)
      #expect(!listener.hasReceivedNotification())
      try direct.connect().run(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
        WHERE datname = current_database() AND query LIKE 'LISTEN %'
        """)
      try await Self.wait { listener.hasReceivedNotification() }
      #expect(!listener.hasReceivedNotification())
    }
  }

  // MARK: Without a server at times

  /// Runs a test with notifications through a server that can't be reached until it is let in.
  private static func withGate(
    _ body: (_ direct: PostgresServer, _ gated: PostgresServer, _ gate: Gate) async throws -> Void
  ) async throws {
    let server = try await SocketProxy.serverSocket(of: TestServer.administrator.get())
    let folder = try TemporaryFolder()
    let gate = Gate()
    let proxy = try SocketProxy(at: folder.path(server.lastPathComponent), to: server.path) { _, _ in gate.pass() }
    defer { proxy.stop() }
    // Notifications are those of a database, and other tests have theirs.
    try await TestServer.withDatabase { connection in
      let options = PostgresOptions(timeout: .seconds(60), statementTimeout: nil, idleTransactionTimeout: nil)
      try await body(
        try PostgresServer(connection, options),
        try PostgresServer(ConnectionString.extended(connection, by: ["host": folder.path]), options), gate)
    }
  }

  private final class Gate: Sendable {
    private let state = Mutex((isOpen: false, refusals: 0))

    var refusals: Int { state.withLock(\.refusals) }

    func open() { state.withLock { $0.isOpen = true } }

    func pass() -> SocketProxy.Action {
      state.withLock { state in
        if state.isOpen { return .forward }
        state.refusals += 1
        return .cut(after: 0)
      }
    }
  }

  private static func wait(until isReached: () -> Bool) async throws {
    while !isReached() { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test("are told of a change when there was no connection for that at first")
  func keptNotification() async throws {
    try await Self.withGate { direct, gated, gate in
      let listener = ChangeNotifications(direct)
      #expect(!listener.hasReceivedNotification())
      let notifier = ChangeNotifications(gated, retryDelay: .milliseconds(20))
      notifier.scheduleNotification()
      try await Self.wait { gate.refusals > 0 }
      gate.open()
      try await Self.wait { listener.hasReceivedNotification() }
      withExtendedLifetime(notifier) {}
    }
  }

  @Test("take up what was changed before they could listen, once")
  func lateListener() async throws {
    try await Self.withGate { _, gated, gate in
      let listener = ChangeNotifications(gated, retryDelay: .milliseconds(20))
      #expect(!listener.hasReceivedNotification())
      gate.open()
      try await Self.wait { listener.hasReceivedNotification() }
      #expect(!listener.hasReceivedNotification())
    }
  }

  @Test("are told of the last change of a store that ends")
  func lastChange() async throws {
    try await Self.withGate { direct, _, _ in
      let listener = ChangeNotifications(direct)
      #expect(!listener.hasReceivedNotification())
      ChangeNotifications(direct).scheduleNotification()
      try await Self.wait { listener.hasReceivedNotification() }
    }
  }

  @Test("do not hold a store up that ends while the server does not answer")
  func silentServer() async throws {
    let server = try await SocketProxy.serverSocket(of: TestServer.administrator.get())
    let folder = try TemporaryFolder()
    let end = DispatchSemaphore(value: 0)
    let proxy = try SocketProxy(at: folder.path(server.lastPathComponent), to: server.path) { _, _ in
      end.wait()
      end.signal()
      return .cut(after: 0)
    }
    defer {
      end.signal()
      proxy.stop()
    }
    let options = PostgresOptions(timeout: .seconds(600), statementTimeout: nil, idleTransactionTimeout: nil)
    let silent = try PostgresServer(
      ConnectionString.extended(
        try #require(TestServer.connection), by: ["host": folder.path, "connect_timeout": "600"]), options)
    let start = ContinuousClock.now
    ChangeNotifications(silent).scheduleNotification()
    // The connection would be waited for ten minutes.
    #expect(.now - start < .seconds(300))
  }
}
