import Foundation
import Query
import Repository
import Synchronization
import TestSupport
import Testing

@testable import PostgresStore

@Suite("What becomes of a commit is told as far as it can be known", .tags(.slow), .requiresServer)
struct CommitTests {
  /// Where the connection is lost.
  enum Loss: CaseIterable, Sendable {
    /// Before the commit has reached the server.
    case before
    /// After the server has committed, and before it could tell anything.
    case after
    /// After the server has told the number of the transaction, and has committed.
    case afterNumber
  }

  @Test(
    "a transaction that a standby has undone while nothing ran in it is busy, as one that it undoes amid a statement")
  func undone() {
    for state in ["25P02", "40001"] {
      let error = RepositoryError(PostgresError(sqlState: state, message: "current transaction is aborted"))
      #expect(error.code == .busy && error.suggestion?.contains("whole transaction") == true)
    }
  }

  @Test("a read of a store is repeated when its tables have changed, and only then")
  func observedReads() async throws {
    try await TestServer.withSchema { connection in
      // Stores of other tests would tell of changes of theirs.
      let store = try PostgresStore(connection, notifies: false)
      let trigger = [
        """
        CREATE FUNCTION add_reminder() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO reminders (id, list, done) VALUES (NEW.id, 1, 0); RETURN NEW; END $$
        """,
        "CREATE TRIGGER t AFTER INSERT ON notes FOR EACH ROW EXECUTE FUNCTION add_reminder()",
      ]
      try await checkObservedReads(of: store, trigger: trigger) { sql in
        try await store.sql.execute(SQLStatement(verbatim: sql))
      }
    }
  }

  /// Rows that go to the server by `COPY` have the number asked for with the commit alone.
  @Test("where the connection is lost", arguments: Loss.allCases, [1, 20])
  func lost(_ loss: Loss, rows: Int) async throws {
    let result = try await TestServer.apartFromCheckpoints {
      try await TestServer.withSchema { connection in try await commit(rows, with: loss, over: connection) }
    }
    #expect(result.isThere == (loss != .before))
    // The number comes with the only row, or else with the answer to the commit.
    let isKnown = rows == 1 || loss == .afterNumber
    #expect(result.error == (isKnown ? loss == .before ? .unreachable : nil : .timeout))
  }

  /// Commits a transaction whose connection is lost.
  ///
  /// - Returns: the error of the commit, and whether its rows are there.
  private func commit(
    _ rows: Int, with loss: Loss, over connection: String
  ) async throws -> (error: RepositoryError.Code?, isThere: Bool) {
    let direct = try PostgresStore(connection, notifies: false)
    let notes = try direct.repository(of: Note.self)
    let server = try await SocketProxy.serverSocket(of: direct)
    let folder = try TemporaryFolder()
    let isArmed = Atomic(false)
    let hasSentCommit = Atomic(false)
    let proxy = try SocketProxy(at: folder.path(server.lastPathComponent), to: server.path) { direction, bytes in
      guard isArmed.load(ordering: .sequentiallyConsistent) else { return .forward }
      let place = bytes.firstRange(of: Array("COMMIT".utf8))?.lowerBound
      switch (direction, loss) {
      case (.toServer, .before): return place == nil ? .forward : .cut(after: 0)
      case (.toServer, _):
        if place != nil { hasSentCommit.store(true, ordering: .sequentiallyConsistent) }
        return .forward
      case (.toClient, .after):
        guard hasSentCommit.load(ordering: .sequentiallyConsistent) else { return .forward }
        isArmed.store(false, ordering: .sequentiallyConsistent)
        return .cut(after: 0)
      case (.toClient, _):
        guard let place else { return .forward }
        isArmed.store(false, ordering: .sequentiallyConsistent)
        return .cut(after: place)
      }
    }
    defer { proxy.stop() }
    let store = try PostgresStore(
      ConnectionString.extended(connection, by: ["host": folder.path]), connections: 2, timeout: .seconds(10),
      notifies: false)
    let through = try store.repository(of: Note.self)
    // The server's history is asked for once, with the first commit.
    try await store.transaction { _ in try await through.save(Note(id: 1, text: "first")) }

    isArmed.store(true, ordering: .sequentiallyConsistent)
    do {
      try await store.transaction { _ in
        if rows == 1 {
          try await through.save(Note(id: 2, text: "second"))
        } else {
          try await through.insert((2..<rows + 2).map { Note(id: $0, text: "second") })
        }
      }
    } catch let error as RepositoryError {
      isArmed.store(false, ordering: .sequentiallyConsistent)
      // The server may be about to commit.
      while loss == .after, try await notes.find(2) == nil { try await Task.sleep(for: .milliseconds(10)) }
      return (error.code, try await notes.find(2) != nil)
    }
    // The store has come back by itself.
    #expect(try await through.count() == 1 + rows)
    return (nil, try await notes.find(2) != nil)
  }

  @Test("where the server ends the session in the middle of the commit")
  func ended() async throws {
    try await TestServer.withStore { store in
      let notes = try store.repository(of: Note.self)
      try await notes.save(Note(id: 1, text: "first"))
      // The commit waits here until the test ends its session.
      try await store.sql.execute(
        """
        CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_xact_lock_shared(hashtext(current_setting('application_name'))); RETURN NULL; END $$
        """)
      try await store.sql.execute(
        """
        CREATE CONSTRAINT TRIGGER waits AFTER INSERT ON note DEFERRABLE INITIALLY DEFERRED FOR EACH ROW \
        WHEN (NEW.id > 1) EXECUTE FUNCTION wait()
        """)
      let label = try await store.label()
      for id in 2...4 {
        try await TestServer.administrator.get().transaction { holder in
          let lock: SQLStatement = "SELECT count(pg_advisory_xact_lock(hashtext(\(label))))"
          _ = try await holder.sql.query(lock, as: Int.self)
          async let commit: RepositoryError? = {
            do {
              try await store.transaction { _ in
                try await notes.save(Note(id: 1, text: "again"))
                try await notes.save(Note(id: id, text: "second"))
              }
              return nil
            } catch {
              return error as? RepositoryError
            }
          }()
          try await TestServer.waitForSessions(of: label, "AND wait_event_type = 'Lock'") { $0 == 1 }
          _ = try await TestServer.administrator.get().sql.query(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
            WHERE application_name = \(label) AND wait_event_type = 'Lock'
            """, as: Int.self)
          let error = await commit
          #expect(error?.code == .unreachable, "\(String(describing: error))")
        }
        #expect(try await notes.findAll().map(\.text) == ["first"])
      }
    }
  }

  @Test("by the number of its transaction")
  func outcomes() async throws {
    try await TestServer.withSchema { connection in
      func makeServer(_ timeout: Duration) throws -> PostgresServer {
        let options = PostgresOptions(timeout: timeout, statementTimeout: nil, idleTransactionTimeout: nil)
        return try PostgresServer(connection, options)
      }
      let server = try makeServer(.seconds(60))
      let session = try server.connect()
      let history = try #require(session.history)
      try session.run("CREATE TABLE t (n int)")
      func number(_ end: String) throws -> TransactionNumber {
        try session.run("BEGIN; INSERT INTO t VALUES (1)")
        let number = TransactionNumber(try session.run(TransactionNumber.query))
        if !end.isEmpty { try session.run(end) }
        return try #require(number)
      }
      let committed = try await TestServer.apartFromCheckpoints {
        server.outcome(ofTransaction: try number("COMMIT"), in: history)
      }
      #expect(committed == .committed)
      #expect(server.outcome(ofTransaction: try number("ROLLBACK"), in: history) == .undone)
      #expect(server.outcome(ofTransaction: try number("COMMIT"), in: "another") == .unknown)
      // It goes on for as long as is waited.
      let hasty = try makeServer(.milliseconds(50))
      #expect(hasty.outcome(ofTransaction: try number(""), in: history) == .unknown)
      try session.run("ROLLBACK")
    }
  }

  @Test("as an error where the server answers it with a rollback")
  func failed() async throws {
    try await TestServer.withSchema { connection in
      let options = PostgresOptions(timeout: .seconds(20), statementTimeout: nil, idleTransactionTimeout: nil)
      let transaction = PostgresConnection(to: try PostgresServer(connection, options))
      let session = try transaction.sessionForStatement()
      try session.run("CREATE TABLE t (n int)")
      transaction.expectsTransaction = true
      try session.run("BEGIN; INSERT INTO t VALUES (1)")
      // Else the number would be asked for, which a failed transaction refuses.
      session.transactionNumber = TransactionNumber(try session.run(TransactionNumber.query))
      #expect(throws: PostgresError.self) { try session.run("SELECT 1 / 0") }
      let error = #expect(throws: RepositoryError.self) { try transaction.commit() }
      #expect(error?.reason?.contains("rolled back its changes") == true, "\(String(describing: error))")
    }
  }

  @Test(
    "by its number also after a crash, in which the number may be forgotten and given again",
    .enabled(if: PostgresServerProcess.isInstalled))
  func crashed() async throws {
    let process = try #require(try PostgresServerProcess.start())
    let options = PostgresOptions(timeout: .seconds(20), statementTimeout: nil, idleTransactionTimeout: nil)
    let server = try PostgresServer(process.connection, options)
    let session = try server.connect()
    let history = try #require(session.history)
    try session.run("CREATE TABLE t (n int); SET synchronous_commit = on; BEGIN; INSERT INTO t VALUES (1)")
    let kept = try #require(TransactionNumber(try session.run(TransactionNumber.query)))
    // Numbers alone are not written anywhere.
    try session.run("COMMIT; BEGIN; SELECT pg_current_xact_id()")
    let lost = try #require(TransactionNumber(try session.run(TransactionNumber.query)))
    process.kill(SIGKILL)
    try process.startAgain()
    #expect(server.outcome(ofTransaction: lost, in: history) == .undone)
    #expect(server.outcome(ofTransaction: kept, in: history) == .committed)
    // Another transaction is given the number, and commits.
    let other = try server.connect()
    try other.run("INSERT INTO t VALUES (2)")
    try other.run("INSERT INTO t VALUES (2)")
    let outcome = server.outcome(ofTransaction: lost, in: history)
    // Undone where the server has kept the number by chance, and has given the others later ones.
    #expect(outcome == .unknown || outcome == .undone)
    #expect(server.outcome(ofTransaction: kept, in: history) == .committed)
  }
}
