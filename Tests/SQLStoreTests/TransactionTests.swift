import Foundation
import Query
import Repository
import SQL
import SQLStore
import Synchronization
import TestSupport
import Testing

private let broken = RepositoryError(.constraint, "a rule is broken")
private let busy = RepositoryError(.busy, "the database is locked")

@Suite("Transactions on any database")
struct TransactionTests {
  private struct Failure: Error {}

  @Test("a transaction is committed, and undone where it throws")
  func outcome() throws {
    let fake = FakeDatabase()
    let database = fake.open()
    try database.blocking.transaction(.writing) { transaction in try transaction.execute("A") }
    #expect(throws: Failure.self) {
      try database.blocking.transaction(.writing) { transaction in
        try transaction.execute("B")
        throw Failure()
      }
    }
    #expect(fake.log == ["BEGIN", "A", "COMMIT", "BEGIN", "B", "ROLLBACK"])
  }

  @Test("a transaction whose task is cancelled at its end is undone")
  func cancelledAtEnd() async throws {
    let fake = FakeDatabase()
    let database = fake.open()
    let task = Task {
      try await database.transaction { (transaction: SQLTransaction) async throws in
        try transaction.execute("A")
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await expectError(.cancelled) { try await task.value }
    #expect(fake.log == ["BEGIN", "A", "ROLLBACK"])
  }

  @Test("a transaction whose task is cancelled amid its commit, which counts, is told as done")
  func cancelledAmidCommit() async throws {
    let fake = FakeDatabase()
    fake.script.withLock { script in
      script.actions["COMMIT"] = { _ in withUnsafeCurrentTask { $0?.cancel() } }
    }
    let database = fake.open()
    let task = Task {
      try await database.transaction { (transaction: SQLTransaction) async throws in try transaction.execute("A") }
      return Task.isCancelled
    }
    #expect(try await task.value)
    #expect(fake.log == ["BEGIN", "A", "COMMIT"])
  }

  @Test("an interruption does not stop the way back to a savepoint")
  func interruptedRollback() throws {
    let fake = FakeDatabase()
    let raw = FakeConnection(fake)
    let connection = Connection(raw, of: fake)
    fake.script.withLock { $0.actions["ROLLBACK TO repokit_work"] = { _ in connection.interrupt() } }
    try connection.begin(.writing)
    try connection.begin(.work)
    connection.rollBack(to: .work)
    #expect(raw.interruptionCount == 0)
    #expect(fake.log.suffix(2) == ["ROLLBACK TO repokit_work", "RELEASE repokit_work"])
  }

  @Test("a nested transaction is undone alone, and the one around it goes on", arguments: [true, false])
  func nesting(isBlocking: Bool) async throws {
    let fake = FakeDatabase()
    let database = fake.open()
    if isBlocking {
      try Self.nestBlocking(database)
    } else {
      try await database.transaction { (transaction: SQLTransaction) async throws in
        try transaction.execute("A")
        try? await transaction.transaction { (inner: SQLTransaction) async throws in
          try inner.execute("B")
          throw Failure()
        }
        try transaction.execute("C")
      }
    }
    #expect(
      fake.log == [
        "BEGIN", "A", "SAVEPOINT repokit_nested", "B", "ROLLBACK TO repokit_nested", "RELEASE repokit_nested", "C",
        "COMMIT",
      ])
  }

  @Test("where the database rolls back instead of beginning a nested transaction, nothing is written on its own")
  func failedSavepoint() async throws {
    for isBlocking in [true, false] {
      let fake = FakeDatabase()
      fake.fail("SAVEPOINT repokit_nested", with: RepositoryError(.storeFailure, "there is no memory"))
      fake.script.withLock { $0.actions["SAVEPOINT repokit_nested"] = { $0.loseTransaction() } }
      let database = fake.open()
      await #expect(throws: RepositoryError.self) {
        if isBlocking {
          try Self.nestBlocking(database)
        } else {
          try await database.transaction { (transaction: SQLTransaction) async throws in
            try transaction.execute("A")
            try? await transaction.transaction { (inner: SQLTransaction) async throws in try inner.execute("B") }
            try? transaction.execute("C")
          }
        }
      }
      #expect(fake.log == ["BEGIN", "A", "SAVEPOINT repokit_nested"])
    }
  }

  @Test("where a nested transaction can't be undone alone, all of it is undone, and nothing is committed")
  func failedRollbackToSavepoint() async throws {
    let fake = FakeDatabase()
    fake.fail("ROLLBACK TO repokit_nested", with: RepositoryError(.storeFailure, "there is no memory"))
    await #expect(throws: RepositoryError.self) {
      try await fake.open().transaction { (transaction: SQLTransaction) async throws in
        try? await transaction.transaction { (inner: SQLTransaction) async throws in
          try inner.execute("B")
          throw Failure()
        }
        try? transaction.execute("C")
      }
    }
    #expect(fake.log == ["BEGIN", "SAVEPOINT repokit_nested", "B", "ROLLBACK TO repokit_nested", "ROLLBACK"])
  }

  @Test("a transaction that can't be undone is undone before the next use of its connection, or refuses that")
  func transactionLeftOpen() async throws {
    let noMemory = RepositoryError(.storeFailure, "there is no memory")
    for count in 1...3 {
      let fake = FakeDatabase()
      let database = fake.open()
      fake.fail("ROLLBACK TO repokit_nested", with: noMemory)
      for _ in 0..<count { fake.fail("ROLLBACK", with: noMemory) }
      await #expect(throws: RepositoryError.self) {
        try await database.transaction { (transaction: SQLTransaction) async throws in
          try? await transaction.transaction { (_: SQLTransaction) async throws in throw Failure() }
          try? transaction.execute("C")
        }
      }
      let write = {
        try await database.transaction { (transaction: SQLTransaction) async throws in try transaction.execute("D") }
      }
      if count == 3 { await #expect(throws: RepositoryError.self) { try await write() } }
      try await write()
      #expect(
        fake.log == ["BEGIN", "SAVEPOINT repokit_nested", "ROLLBACK TO repokit_nested"]
          + Array(repeating: "ROLLBACK", count: count + 1) + ["BEGIN", "D", "COMMIT"])
    }
  }

  @Test("a statement does not run in a transaction that can't be undone")
  func statementInTransactionLeftOpen() throws {
    let fake = FakeDatabase()
    fake.fail("ROLLBACK", with: RepositoryError(.storeFailure, "there is no memory"))
    let connection = Connection(FakeConnection(fake), of: fake)
    try connection.begin(.writing)
    connection.rollBack(.writing)
    let statement = CompiledStatement(sql: "A", bindings: [])
    #expect(throws: RepositoryError.self) { try connection.execute(statement) }
    try connection.begin(.writing)
    try connection.execute(statement)
    #expect(fake.log == ["BEGIN", "ROLLBACK", "ROLLBACK", "BEGIN", "A"])
  }

  private static func nestBlocking(_ database: SQLDatabase) throws {
    try database.blocking.transaction(.writing) { transaction in
      try transaction.execute("A")
      try? transaction.blocking.transaction { inner in
        try inner.base.execute("B")
        throw Failure()
      }
      try transaction.execute("C")
    }
  }

  /// The time counts from the wait for the connection on.
  @Test("a transaction that may wait no longer does not begin anew to wait for locks", arguments: [true, false])
  func deadline(isBlocking: Bool) async throws {
    let fake = FakeDatabase()
    for _ in 0..<1_000 { fake.fail("BEGIN", with: busy) }
    let database = SQLDatabase(ConnectionPool(fake, timeout: .seconds(600)) { Deadline(in: .zero) })
    await expectError(.busy) {
      if isBlocking { return try Self.executeBlocking("A", in: database) }
      try await database.transaction { (transaction: SQLTransaction) async throws in try transaction.execute("A") }
    }
    #expect(!fake.log.contains("A"))
  }

  private static func executeBlocking(_ sql: String, in database: SQLDatabase) throws {
    try database.blocking.transaction(.writing) { transaction in try transaction.execute(sql) }
  }

  @Test("a commit goes before those that wait to write, who wait for it", arguments: [true, false])
  func commitBeforeWaiting(isBlocking: Bool) async throws {
    let fake = FakeDatabase()
    fake.fail("COMMIT", with: busy, busy)
    fake.script.withLock { script in
      // Others line up during the transaction.
      script.actions["A"] = { $0.database.script.withLock { $0.isQueueOccupied = true } }
      // A commit that takes a place behind them is let through, and has taken it.
      script.leavesQueueToNewcomers = true
    }
    let database = fake.open()
    if isBlocking {
      try Self.executeBlocking("A", in: database)
    } else {
      try await database.transaction { (transaction: SQLTransaction) async throws in try transaction.execute("A") }
    }
    #expect(fake.log == ["BEGIN", "A", "COMMIT", "COMMIT", "COMMIT"])
    #expect(fake.script.withLock(\.tickets) == 0)
  }

  @Test("a busy begin and a busy commit are tried again, and nothing else of the transaction")
  func busyCommit() async throws {
    let fake = FakeDatabase()
    fake.fail("BEGIN", with: busy)
    fake.fail("COMMIT", with: busy, busy)
    try await fake.open().transaction { (transaction: SQLTransaction) async throws in try transaction.execute("A") }
    #expect(fake.log == ["BEGIN", "BEGIN", "A", "COMMIT", "COMMIT", "COMMIT"])
  }

  @Test(
    "a row that is left out leaves the rows before it, and costs a savepoint where it would undo them",
    arguments: [true, false])
  func rows(isAborted: Bool) throws {
    let fake = FakeDatabase(failureScope: isAborted ? .transaction : .statement)
    let table = try TableSchema("t", columns: [ColumnSchema("a", .integer)], primaryKey: [])
    let insert = fake.compiler.insert(into: table)
    try fake.open().blocking.transaction(.writing) { transaction in
      try transaction.writer(for: table, replacing: false).writeEach { row in
        _ = try row.insert(leavingOutOnFailure: true) { [1] }
        fake.fail(insert, with: broken)
        #expect(throws: RepositoryError.self) { try row.insert(leavingOutOnFailure: true) { [2] } }
      }
    }
    let (set, undo, release) = ("SAVEPOINT repokit_row", "ROLLBACK TO repokit_row", "RELEASE repokit_row")
    let rows = isAborted ? [set, insert, release, set, insert, undo, release] : [insert, insert]
    #expect(fake.log.filter { rows.contains($0) } == rows)
  }

  @Test("rows are not written one by one when their transaction is gone")
  func rowsWithoutTransaction() throws {
    let fake = FakeDatabase()
    let table = try TableSchema("t", columns: [ColumnSchema("a", .integer)], primaryKey: [])
    let insert = fake.compiler.insert(into: table)
    fake.script.withLock { $0.actions[insert] = { $0.loseTransaction() } }
    fake.fail(insert, with: broken)
    _ = try? fake.open().blocking.transaction(.writing) { transaction in
      try transaction.writer(for: table, replacing: false).writeEach { row in
        expectError(.transactionEnded) { try row.insert(leavingOutOnFailure: true) { [1] } }
      }
    }
  }

  @Test("an error of what writes rows is told, rather than what it leads to")
  func firstError() throws {
    let fake = FakeDatabase(failureScope: .transaction)
    let table = try TableSchema("t", columns: [ColumnSchema("a", .integer)], primaryKey: [])
    fake.fail(fake.compiler.insert(into: table), with: broken)
    #expect(throws: Failure.self) {
      try fake.open().blocking.transaction(.writing) { transaction in
        try transaction.writer(for: table, replacing: false).writeEach { row in
          do { _ = try row.insert { [1] } } catch { throw Failure() }
        }
      }
    }
    #expect(fake.log.suffix(3) == ["ROLLBACK TO repokit_containment", "RELEASE repokit_containment", "ROLLBACK"])
  }

  @Test("where a statement alone is undone, the transaction goes on after an error that was caught")
  func statementScope() throws {
    let fake = FakeDatabase(failureScope: .statement)
    fake.fail("A", with: broken)
    try fake.open().blocking.transaction(.writing) { transaction in
      try? transaction.execute("A")
      try transaction.execute("B")
    }
    #expect(fake.log == ["BEGIN", "A", "B", "COMMIT"])
  }

  @Test("where a failed statement ends the transaction, each write goes back to a savepoint, so that it goes on")
  func transactionScope() throws {
    let fake = FakeDatabase(failureScope: .transaction)
    fake.fail("A", with: broken)
    try fake.open().blocking.transaction(.writing) { transaction in
      #expect(throws: RepositoryError.self) { try transaction.execute("A") }
      try transaction.execute("B")
    }
    let point = "repokit_containment"
    #expect(
      fake.log == [
        "BEGIN", "SAVEPOINT \(point)", "A", "ROLLBACK TO \(point)", "RELEASE \(point)", "SAVEPOINT \(point)", "B",
        "RELEASE \(point)", "COMMIT",
      ])
  }

  @Test("where a failed statement ends the transaction, a nested one revives it")
  func nestedTransactionScope() throws {
    let fake = FakeDatabase(failureScope: .transaction)
    fake.fail("A", with: broken)
    try fake.open().blocking.transaction(.writing) { transaction in
      #expect(throws: RepositoryError.self) {
        try transaction.blocking.transaction { inner in try inner.base.execute("A") }
      }
      try transaction.execute("B")
    }
    #expect(fake.log.contains("B"))
    #expect(fake.log.last == "COMMIT")
  }

  @Test(
    "where the connection dies in the middle, nothing more is written and the error says so", arguments: [true, false])
  func lostConnection(isNested: Bool) throws {
    let fake = FakeDatabase()
    fake.script.withLock { $0.actions["A"] = { $0.loseTransaction() } }
    fake.fail("A", with: RepositoryError(.inputOutput, "the connection is gone"))
    expectError(.transactionEnded) {
      try fake.open().blocking.transaction(.writing) { transaction in
        if isNested {
          try? transaction.blocking.transaction { inner in try inner.base.execute("A") }
        } else {
          try? transaction.execute("A")
        }
        try? transaction.execute("B")
      }
    }
    #expect(!fake.log.contains("B"))
    #expect(!fake.log.contains("COMMIT"))
  }

  @Test("a transaction that reads refuses writes, and those within it too")
  func reading() throws {
    let fake = FakeDatabase()
    try fake.open().blocking.read { transaction in
      #expect(throws: RepositoryError.self) { try transaction.base.execute("A") }
      #expect(throws: RepositoryError.self) { try transaction.transaction { _ in } }
    }
    #expect(fake.log == ["BEGIN", "COMMIT"])
  }

  @Test("readers see a copy while a transaction is open in a database of one connection")
  func copies() throws {
    let fake = FakeDatabase(.single(copiesForReaders: true))
    let database = fake.open(timeout: .zero)
    try database.blocking.transaction(.writing) { transaction in
      try transaction.execute("A")
      // As another task does, which is in no transaction.
      try database.pool.connections(for: .read).acquireBlockingForTest { connection in
        try connection.execute("copy")
      }
    }
    #expect(fake.log == ["BEGIN", "A", "copy", "COMMIT"])
  }

  @Test("a transaction is over with its closure")
  func ended() throws {
    let fake = FakeDatabase()
    var kept: SQLTransaction?
    try fake.open().blocking.transaction(.writing) { transaction in kept = transaction }
    #expect(throws: RepositoryError.self) { try kept?.execute("A") }
    #expect(!fake.log.contains("A"))
  }
}

extension ResourcePool<Connection> {
  fileprivate func acquireBlockingForTest(_ body: (Connection) throws -> Void) throws {
    let connection = try acquireBlocking(until: Deadline(in: .zero))
    defer { release(connection) }
    try body(connection)
  }
}
