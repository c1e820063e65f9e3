import Query
import Repository
import SQL
@testable import SQLStore
import Synchronization
import TestSupport
import Testing

private let busy = RepositoryError(.busy, "the database is locked")
private let broken = RepositoryError(.constraint, "a rule is broken")

@Suite("The pool of connections")
struct ConnectionPoolTests {
  @Test("work is retried while another program holds a lock", arguments: [true, false], [Access.read, .write])
  func retry(isBlocking: Bool, access: Access) async throws {
    let fake = FakeDatabase()
    fake.fail("A", with: busy, busy, busy)
    let database = fake.open()
    if isBlocking {
      try database.runBlocking(access) { connection throws(RepositoryError) in _ = try connection.execute("A") }
    } else {
      try await database.run(access) { connection throws(RepositoryError) in _ = try connection.execute("A") }
    }
    #expect(fake.log == ["A", "A", "A", "A"])
  }

  @Test(
    "the maintenance that a database asks for follows each write, and no read", arguments: [true, false], [true, false])
  func maintenance(isBlocking: Bool, isTransaction: Bool) async throws {
    let fake = FakeDatabase()
    fake.script.withLock { $0.needsMaintenance = true }
    let database = fake.open()
    for access in [Access.read, .write] {
      if isTransaction, access == .write {
        if isBlocking {
          try Self.transactBlocking(database, "A")
        } else {
          try await database.transaction { (transaction: SQLTransaction) async throws in try transaction.execute("A") }
        }
      } else if isBlocking {
        try database.runBlocking(access) { connection throws(RepositoryError) in _ = try connection.execute("A") }
      } else {
        try await database.run(access) { connection throws(RepositoryError) in _ = try connection.execute("A") }
      }
    }
    #expect(fake.log == (isTransaction ? ["A", "BEGIN", "A", "COMMIT", "MAINTENANCE"] : ["A", "A", "MAINTENANCE"]))
  }

  private static func transactBlocking(_ database: SQLDatabase, _ sql: String) throws {
    try database.blocking.transaction(.writing) { transaction in try transaction.execute(sql) }
  }

  @Test("what is no lock is not retried")
  func failure() async throws {
    let fake = FakeDatabase()
    fake.fail("A", with: broken)
    let database = fake.open()
    await #expect(throws: RepositoryError.self) {
      try await database.run(.write) { connection throws(RepositoryError) in _ = try connection.execute("A") }
    }
    #expect(fake.log == ["A"])
  }

  @Test("a connection whose work has failed serves others", arguments: [true, false], [Access.read, .write])
  func failedWork(isBlocking: Bool, access: Access) async throws {
    let fake = FakeDatabase(.single(copiesForReaders: false))
    fake.fail("A", with: broken)
    let database = fake.open(timeout: .zero)
    for sql in ["A", "B"] {
      if isBlocking {
        try? database.runBlocking(access) { connection throws(RepositoryError) in _ = try connection.execute(sql) }
      } else {
        try? await database.run(access) { connection throws(RepositoryError) in _ = try connection.execute(sql) }
      }
    }
    #expect(fake.log == ["A", "B"])
  }

  @Test("a task that is cancelled already begins nothing", arguments: [Access.read, .write])
  func cancelledBefore(access: Access) async throws {
    let fake = FakeDatabase()
    let database = fake.open()
    // A connection that is idle, which takes no waiting.
    try await database.run(access) { _ throws(RepositoryError) in }
    let before = fake.log
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await database.pool.run(access, isLong: false) { connection throws(RepositoryError) in
        _ = try connection.execute("A")
      }
    }
    await expectError(.cancelled) { try await task.value }
    #expect(fake.log == before)
  }

  @Test("readers that find their connections each time let others run")
  func endlessReaders() async throws {
    let database = FakeDatabase().open()
    let isDone = Flag()
    await withTaskGroup(of: Void.self) { group in
      // More than there are threads for tasks.
      for _ in 0..<64 {
        group.addTask {
          while !isDone.isSet { try? await database.run(.read) { _ throws(RepositoryError) in } }
        }
      }
      group.addTask { isDone.set() }
    }
  }

  @Test("a lock that stays is an error once the time is up", arguments: [true, false])
  func timeout(isBlocking: Bool) async throws {
    let fake = FakeDatabase()
    for _ in 0..<1_000 { fake.fail("A", with: busy) }
    let database = fake.open(timeout: .milliseconds(5))
    await expectError(.busy) {
      if isBlocking {
        try Self.runBlocking(database, "A")
      } else {
        try await database.run(.write) { connection throws(RepositoryError) in _ = try connection.execute("A") }
      }
    }
  }

  private static func runBlocking(_ database: SQLDatabase, _ sql: String) throws {
    try database.runBlocking(.write) { connection throws(RepositoryError) in _ = try connection.execute(sql) }
  }

  @Test("a writer lets those go first that are queued, and takes a place behind them")
  func fairness() async throws {
    let fake = FakeDatabase()
    fake.script.withLock { $0.isQueueOccupied = true }
    let database = fake.open()
    let writer = Task {
      try await database.run(.write) { connection throws(RepositoryError) in _ = try connection.execute("W") }
    }
    // Readers don't queue.
    try await database.run(.read) { connection throws(RepositoryError) in _ = try connection.execute("R") }
    while fake.script.withLock({ $0.tickets }) == 0 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(fake.log == ["R"])
    fake.script.withLock { $0.isQueueOccupied = false }
    try await writer.value
    #expect(fake.log == ["R", "W"])
  }

  @Test("readers run beside a writer, and writers one after the other")
  func concurrency() throws {
    let fake = FakeDatabase(.oneWriter(readers: 2))
    let database = fake.open(timeout: .zero)
    try database.runBlocking(.write) { _ throws(RepositoryError) in
      try database.runBlocking(.read) { _ throws(RepositoryError) in
        try database.runBlocking(.read) { connection throws(RepositoryError) in _ = try connection.execute("R") }
      }
      #expect(throws: RepositoryError.self) { try Self.runBlocking(database, "W") }
    }
    #expect(fake.log == ["R"])
    #expect(fake.script.withLock { $0.connections } == 3)
  }

  @Test("connections that are independent write beside each other")
  func independent() throws {
    let fake = FakeDatabase(.independent(connections: 2))
    let database = fake.open(timeout: .zero)
    try database.runBlocking(.write) { _ throws(RepositoryError) in
      try database.runBlocking(.write) { connection throws(RepositoryError) in _ = try connection.execute("W") }
    }
    #expect(fake.log == ["W"])
  }

  @Test("a task that is cancelled interrupts its statement, and the connection serves others afterwards")
  func cancellation() async throws {
    let fake = FakeDatabase()
    let database = fake.open()
    let interrupted = Mutex(0)
    let task = Task {
      try await database.run(.read) { connection throws(RepositoryError) in
        while !connection.wasInterrupted {}
        interrupted.withLock { $0 = (connection.raw as? FakeConnection)?.interruptionCount ?? 0 }
        _ = try connection.execute("A")
      }
    }
    try await Task.sleep(for: .milliseconds(2))
    task.cancel()
    let result = await task.result
    #expect(throws: RepositoryError.self) { try result.get() }
    #expect(fake.log.isEmpty)
    try await database.run(.read) { connection throws(RepositoryError) in _ = try connection.execute("B") }
    #expect(fake.log == ["B"])
  }

  @Test("code that runs within a read gets the same connection, rather than wait for itself")
  func reentrancy() throws {
    let fake = FakeDatabase(.single(copiesForReaders: false))
    let database = fake.open(timeout: .zero)
    try database.runBlocking(.read) { connection throws(RepositoryError) in
      try connection.reentrantly { () throws(RepositoryError) in
        try database.runBlocking(.read) { connection throws(RepositoryError) in _ = try connection.execute("inner") }
      }
    }
    #expect(fake.log == ["inner"])
  }

  @Test("a stopped database refuses everything")
  func stop() throws {
    let fake = FakeDatabase()
    let database = fake.open()
    try Self.runBlocking(database, "A")
    database.pool.stop()
    #expect(throws: RepositoryError.self) { try Self.runBlocking(database, "B") }
    #expect(throws: RepositoryError.self) {
      try database.runBlocking(.read) { connection throws(RepositoryError) in _ = try connection.execute("C") }
    }
    #expect(fake.log == ["A"])
  }
}

@Suite("Prepared statements that are kept")
struct StatementCacheTests {
  private func connection(_ fake: FakeDatabase) -> Connection { Connection(FakeConnection(fake), of: fake) }
  private func statement(_ sql: String) -> CompiledStatement { CompiledStatement(sql: sql, bindings: []) }

  @Test("a statement is prepared once")
  func reuse() throws {
    let fake = FakeDatabase()
    let connection = connection(fake)
    for _ in 0..<3 { try connection.execute("A") }
    #expect(fake.script.withLock { $0.prepared } == ["A"])
  }

  @Test("the least recently used statement is evicted")
  func eviction() throws {
    let fake = FakeDatabase()
    let connection = connection(fake)
    for number in 0..<64 { try connection.execute("\(number)") }
    try connection.execute("0")
    try connection.execute("64")
    fake.script.withLock { $0.prepared = [] }
    try connection.execute("0")
    #expect(fake.script.withLock { $0.prepared } == [])
    try connection.execute("1")
    #expect(fake.script.withLock { $0.prepared } == ["1"])
  }

  @Test("a statement in use is not evicted")
  func evictionBeside() throws {
    let fake = FakeDatabase()
    fake.script.withLock { $0.rows["A"] = 1 }
    let connection = connection(fake)
    try connection.query(statement("A")) { _ throws(RepositoryError) in
      for number in 0..<64 { try connection.execute("\(number)") }
    }
    fake.script.withLock { $0.prepared = [] }
    try connection.query(statement("A")) { _ in }
    #expect(fake.script.withLock { $0.prepared } == [])
  }

  @Test("two nested runs of one statement don't share a cursor")
  func nesting() throws {
    let fake = FakeDatabase()
    fake.script.withLock { $0.rows["A"] = 3 }
    let connection = connection(fake)
    var pairs = 0
    try connection.query(statement("A")) { _ throws(RepositoryError) in
      try connection.query(statement("A")) { _ in pairs += 1 }
    }
    #expect(pairs == 9)
  }

  @Test("a list goes to the database as one value at its place")
  func list() throws {
    let fake = FakeDatabase()
    let ids = BoundList(position: 1, values: [1, 2], type: .integer)
    try connection(fake).execute(CompiledStatement(sql: "A", bindings: ["a", .null], lists: [ids]))
    #expect(fake.script.withLock { $0.lists } == [1: [1, 2]])
  }

  @Test("a statement that failed is ready for its next run")
  func failure() throws {
    let fake = FakeDatabase()
    fake.script.withLock { $0.rows["A"] = 2 }
    let connection = connection(fake)
    #expect(throws: RepositoryError.self) {
      try connection.query(statement("A")) { _ throws(RepositoryError) in throw broken }
    }
    var rows = 0
    try connection.query(statement("A")) { _ in rows += 1 }
    #expect(rows == 2)
    #expect(fake.script.withLock { $0.prepared } == ["A"])
  }
}
