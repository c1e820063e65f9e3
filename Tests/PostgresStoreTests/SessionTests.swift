import PostgresStore
import Query
import TestSupport
import Testing

@Suite("Sessions survive what is done to them", .requiresServer)
struct SessionTests {
  private static let seed = Environment.number("REPOKIT_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))
  /// A statement that takes longer than a test has patience.
  private static let long: SQLStatement = "SELECT 1 FROM pg_sleep(200)"
  private static let isLongUnderWay: SQLStatement = "AND wait_event = 'PgSleep'"

  // MARK: Cancellation

  @Test("A cancelled task does not wait for the end of its statement, and its connection can be used again")
  func cancelled() async throws {
    try await TestServer.withStore(connections: 1) { store in
      let label = try await store.label()
      let task = Task { try await store.sql.query(Self.long, as: Int.self) }
      try await TestServer.waitForSessions(of: label, Self.isLongUnderWay) { $0 == 1 }
      let start = ContinuousClock.now
      task.cancel()
      await expectError(.cancelled) { try await task.value }
      // The statement itself would have gone on for longer.
      #expect(ContinuousClock.now - start < TestServer.timeout)
      #expect(try await TestServer.sessions(of: label, Self.isLongUnderWay) == 0)
      let number1 = try await store.sql.query("SELECT 2", as: Int.self)
      #expect(number1 == [2])
    }
  }

  @Test("Names of prepared statements are those of one connection, and what a pool makes of them is told")
  func statementNames() async throws {
    try await TestServer.withSchema { connection in
      var names: [String] = []
      for _ in 0..<2 {
        let store = try PostgresStore(connection, connections: 1)
        let prepared: SQLStatement = "SELECT name FROM pg_prepared_statements"
        _ = try await store.sql.query(prepared, as: String.self)
        names += try await store.sql.query(prepared, as: String.self)
      }
      #expect(names.count >= 2 && Set(names).count == names.count, "\(names)")
      let store = try PostgresStore(connection, connections: 1)
      let error = await #expect(throws: RepositoryError.self) {
        try await store.sql.execute("DO $$BEGIN EXECUTE 'EXECUTE other'; END$$")
      }
      #expect(error?.code == .unsupported && error?.storeCode == 26000, "\(String(describing: error))")
      #expect(error?.suggestion?.contains("preparedStatements: false") == true)
    }
  }

  @Test("A transaction whose task is cancelled is undone")
  func cancelledTransaction() async throws {
    try await TestServer.withStore(connections: 1) { store in
      let label = try await store.label()
      let notes = try store.repository(of: Note.self)
      let task = Task {
        try await store.transaction { transaction in
          try await notes.save(Note(id: 1, text: "a"))
          _ = try await transaction.sql.query(Self.long, as: Int.self)
        }
      }
      try await TestServer.waitForSessions(of: label, Self.isLongUnderWay) { $0 == 1 }
      task.cancel()
      await expectError(.cancelled) { try await task.value }
      #expect(try await notes.count() == 0)
    }
  }

  @Test("A cancellation at any time hits its own statement, and what it says is true", arguments: [false, true])
  func cancelledAtAnyTime(isInTransaction: Bool) async throws {
    try await TestServer.withStore(connections: 1) { store in
      let notes = try store.repository(of: Note.self)
      var random = SplitMix64(seed: Self.seed)
      for number in 0..<Effort.rounds(500) {
        let task = Task {
          let insert: SQLStatement = "INSERT INTO note SELECT CAST(\(number) AS bigint), 'a' FROM pg_sleep(0.004)"
          if isInTransaction {
            try await store.transaction { transaction in _ = try await transaction.sql.execute(insert) }
          } else {
            try await store.sql.execute(insert)
          }
        }
        try await Task.sleep(for: .microseconds(random.below(8_000)))
        task.cancel()
        let isDone: Bool
        switch await task.result {
        case .success: isDone = true
        case .failure(let error):
          isDone = false
          #expect((error as? RepositoryError)?.code == .cancelled, "\(error), seed \(Self.seed)")
        }
        #expect(try await store.sql.query("SELECT 2 FROM pg_sleep(0.001)", as: Int.self) == [2], "seed \(Self.seed)")
        #expect(try await (notes.find(number) != nil) == isDone, "round \(number), seed \(Self.seed)")
      }
    }
  }

  // MARK: Sessions that end

  @Test("A session that has ended is replaced")
  func ended() async throws {
    try await TestServer.withStore(connections: 2) { store in
      let label = try await store.label()
      for number in 0..<5 {
        try await TestServer.endSessions(of: label)
        // Until a connection has been idle for a moment, it is not looked at before it is used.
        try await Task.sleep(for: .milliseconds(100))
        let found = try await store.sql.query("SELECT CAST(\(number) AS bigint)", as: Int.self)
        #expect(found == [number])
      }
    }
  }

  @Test("A statement whose session ends fails, and the next one has another")
  func endedAmidStatement() async throws {
    try await TestServer.withStore(connections: 1) { store in
      let label = try await store.label()
      let task = Task { try await store.sql.query(Self.long, as: Int.self) }
      try await TestServer.waitForSessions(of: label, Self.isLongUnderWay) { $0 == 1 }
      try await TestServer.endSessions(of: label)
      await expectError(.unreachable) { try await task.value }
      let number2 = try await store.sql.query("SELECT 2", as: Int.self)
      #expect(number2 == [2])
    }
  }

  @Test("A transaction whose session ends keeps nothing, and says so", arguments: [false, true])
  func endedAmidTransaction(isUsedAfterwards: Bool) async throws {
    try await TestServer.withStore(connections: 1) { store in
      let label = try await store.label()
      let notes = try store.repository(of: Note.self)
      await #expect(throws: RepositoryError.self) {
        try await store.transaction { _ in
          try await notes.save(Note(id: 1, text: "a"))
          try await TestServer.endSessions(of: label)
          if isUsedAfterwards { try await notes.save(Note(id: 2, text: "b")) }
        }
      }
      #expect(try await notes.count() == 0)
    }
  }

  // MARK: Limits

  @Test("A statement that takes longer than it may is stopped")
  func statementTimeout() async throws {
    // Long enough for all others on a busy machine.
    try await TestServer.withStore(connections: 1, statementTimeout: .seconds(3)) { store in
      await expectError(.timeout) { try await store.sql.query(Self.long, as: Int.self) }
      let number3 = try await store.sql.query("SELECT 2", as: Int.self)
      #expect(number3 == [2])
    }
  }

  @Test("A transaction that does nothing for longer than it may is undone")
  func idleTransactionTimeout() async throws {
    try await TestServer.withStore(connections: 1, idleTransactionTimeout: .seconds(2)) { store in
      let label = try await store.label()
      await #expect(throws: RepositoryError.self) {
        try await store.transaction { transaction in
          try await transaction.sql.execute("CREATE TABLE gone (id int8)")
          try await TestServer.waitForSessions(of: label) { $0 == 0 }
          _ = try await transaction.sql.query("SELECT 1", as: Int.self)
        }
      }
      #expect(try store.tableNames() == [])
    }
  }

  @Test("Two hundred tasks share two connections")
  func manyTasks() async throws {
    try await TestServer.withStore(connections: 2) { store in
      let label = try await store.label()
      let notes = try store.repository(of: Note.self)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<200 {
          group.addTask {
            let note = Note(id: number, text: "note \(number)")
            try await notes.save(note)
            #expect(try await notes.find(number) == note)
            let found = try await store.sql.query(
              "SELECT CAST(\(number) AS bigint) FROM pg_sleep(0.001)", as: Int.self)
            #expect(found == [number])
          }
        }
        try await group.waitForAll()
      }
      #expect(try await notes.count() == 200)
      // One more tells other processes, and another one finds by keys.
      #expect(try await TestServer.sessions(of: label) <= 4)
    }
  }
}
