import Repository
import SQLStore
import SQLiteStore
import TestSupport
import Testing

/// How cities are written to a store.
enum WayOfWriting: String, CaseIterable, CustomTestStringConvertible {
  case transaction, blockingTransaction, nestedTransaction, save, blockingSave

  static let transactions: [WayOfWriting] = [.transaction, .blockingTransaction]

  func write(_ cities: [City], to store: SQLiteStore) async throws {
    switch self {
    case .transaction: try await store.transaction { try await $0.repository(of: City.self).save(cities) }
    case .nestedTransaction:
      try await store.transaction { outer in
        try await outer.transaction { try await $0.repository(of: City.self).save(cities) }
      }
    case .save: try await store.repository(of: City.self).save(cities)
    case .blockingTransaction, .blockingSave: try await OwnThread.run { try writeBlocking(cities, to: store) }
    }
  }

  private func writeBlocking(_ cities: [City], to store: SQLiteStore) throws {
    if self == .blockingSave { return try store.sqlRepository(of: City.self).blocking.save(cities) }
    try store.blocking.transaction { try $0.repository(of: City.self).save(cities) }
  }

  var testDescription: String { rawValue }
}

@Suite("The end of a transaction")
struct CommitTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a.sqlite")
  }

  private func cities(_ store: SQLiteStore) throws -> [City] {
    try store.sqlRepository(of: City.self).blocking.findAll(FetchRequest())
  }

  @Test("a read of a store is repeated when its tables have changed, and only then", arguments: [true, false])
  func observedReads(isInMemory: Bool) async throws {
    let store = try isInMemory ? SQLiteStore.inMemory() : SQLiteStore(path: path)
    let trigger = """
      CREATE TRIGGER t AFTER INSERT ON notes BEGIN INSERT INTO reminders (id, list, done) VALUES (NEW.id, 1, 0); END
      """
    try await checkObservedReads(of: store, trigger: [trigger]) { sql in
      try await store.sql.execute(SQLStatement(verbatim: sql))
    }
  }

  @Test("what is read by blocking calls, within the read of an observer, is observed, too")
  func observedBlockingRead() async throws {
    let store = try SQLiteStore(path: path)
    let cities = try store.repository(of: City.self)
    let changes = store.changes { outer in
      try outer.blocking.read { inner in try inner.repository(of: City.self).count(.true) }
    }
    var counts = changes.makeAsyncIterator()
    #expect(try await counts.next() == 0)
    try await cities.save(City.all)
    #expect(try await counts.next() == City.all.count)
  }

  @Test("observers are notified when other readers can see the write", arguments: WayOfWriting.allCases, [true, false])
  func observers(way: WayOfWriting, isInMemory: Bool) async throws {
    let store = try isInMemory ? SQLiteStore.inMemory() : SQLiteStore(path: path)
    let observed = try store.repository(of: City.self).selection().changes()
    // While there is another observer, the first poll for what other programs write is over, so that the next one looks at once.
    var other = observed.makeAsyncIterator()
    _ = try await other.next()
    let seen = Journal<[City]>()
    // Looks within the call that tells it.
    let observer = Task(executorPreference: InlineExecutor.shared) {
      for try await cities in observed { seen.note(cities) }
    }
    #expect(seen.entries == [[]])
    try await way.write(City.all, to: store)
    #expect(seen.entries == [[], City.all])
    observer.cancel()
    try await observer.value
    withExtendedLifetime(other) {}
  }

  @Test("observers are told of rows that go with others, and of the rows of a view, when the write is over")
  func indirectChanges() async throws {
    let store = try SQLiteStore(path: path)
    try await store.sql.execute("CREATE TABLE parent (id INTEGER PRIMARY KEY)")
    try await store.sql.execute(
      "CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent ON DELETE CASCADE)")
    try await store.sql.execute("CREATE VIEW seen AS SELECT id FROM parent")
    try await store.sql.execute("INSERT INTO parent VALUES (1)")
    try await store.sql.execute("INSERT INTO child VALUES (1, 1)")
    func records(_ table: String) throws -> AnyRepository<Record> {
      try store.repository(Schema(try store.schema(ofTable: table)))
    }
    let parents = try records("parent")
    let counts = Journal<[Int]>()
    let observed = [try records("child"), try records("seen")]
    let changes = observed.map { table in store.changes { _ in try await table.count() } }
    // While there is another observer, the first poll for what other programs write is over, so that the next one looks at once.
    var other = changes[0].makeAsyncIterator()
    _ = try await other.next()
    let observers = changes.enumerated().map { number, changes in
      Task(executorPreference: InlineExecutor.shared) {
        for try await count in changes { counts.note([number, count]) }
      }
    }
    #expect(Set(counts.entries) == [[0, 1], [1, 1]])
    try await parents.delete(1)
    #expect(Set(counts.entries.dropFirst(2)) == [[0, 0], [1, 0]])
    for observer in observers {
      observer.cancel()
      try await observer.value
    }
    withExtendedLifetime(other) {}
  }

  private struct Visit: Entity {
    let id: Int
    static let schema = Schema("visit", Visit.init, Column("id", \.id))
  }

  @Test("an observer is told what a trigger does that was made before it, while there was no observer")
  func triggerWithoutObservers() async throws {
    let store = try City.store()
    let (cities, visits) = (try store.repository(of: City.self), try store.repository(of: Visit.self))
    // What writes do besides is known from then on.
    for try await _ in cities.selection().changes() { break }
    try await store.sql.execute("CREATE TRIGGER t AFTER INSERT ON visit BEGIN DELETE FROM city; END")
    let (observed, seen) = (cities.selection().changes(), Journal<[City]>())
    let observer = Task(executorPreference: InlineExecutor.shared) {
      for try await cities in observed { seen.note(cities) }
    }
    #expect(seen.entries == [City.all])
    try await visits.save([Visit(id: 1)])
    #expect(seen.entries == [City.all, []])
    observer.cancel()
    try await observer.value
  }

  @Test(
    "where there is no room left, nothing of a commit is there, and the error says so", arguments: WayOfWriting.allCases
  )
  func fullDisk(way: WayOfWriting) async throws {
    let store = try SQLiteStore(path: path)
    _ = try store.repository(of: City.self)
    try store.blocking.transaction(.writing) { try $0.execute("PRAGMA max_page_count = 10") }
    let many = (1...5_000).map { City(id: $0, name: "city \($0)", height: nil) }
    await expectError(.full, "the disk or the database is full") { try await way.write(many, to: store) }
    #expect(try cities(store).isEmpty)
    try await way.write(City.all, to: store)
    #expect(try cities(store) == City.all)
  }

  private static let failing: SQLStatement = "INSERT OR ROLLBACK INTO city (id, name) VALUES (1, 'twice')"
  private static let late: SQLStatement = "INSERT INTO city (id, name) VALUES (4, 'late')"

  @Test("after SQLite has rolled back by itself, nothing more is written", arguments: [false, true])
  func rolledBack(isNested: Bool) async throws {
    let store = try City.store()
    await expectError(.transactionEnded) {
      try await store.transaction { transaction in
        try await transaction.sql.execute("DELETE FROM city WHERE id = 2")
        await expectError(.conflict) {
          if !isNested { return try await transaction.sql.execute(Self.failing) }
          return try await transaction.transaction { try await $0.sql.execute(Self.failing) }
        }
        await expectError(.transactionEnded) { try await transaction.sql.execute(Self.late) }
      }
    }
    #expect(try cities(store) == City.all)
  }

  @Test("the same with the thread blocked", arguments: [false, true])
  func rolledBackBlocking(isNested: Bool) throws {
    let store = try City.store()
    expectError(.transactionEnded) {
      try store.blocking.transaction { transaction in
        try transaction.sql.execute("DELETE FROM city WHERE id = 2")
        expectError(.conflict) {
          if !isNested { return try transaction.sql.execute(Self.failing) }
          return try transaction.transaction { try $0.sql.execute(Self.failing) }
        }
        expectError(.transactionEnded) { try transaction.sql.execute(Self.late) }
      }
    }
    #expect(try cities(store) == City.all)
  }

  @Test("a task that waits for the connection when the transaction ends does not get it")
  func waiterBeyondTheEnd() async throws {
    let store = try City.store()
    let gate = Gate()
    // Each task runs until it has to wait for another.
    let transaction = Task(executorPreference: InlineExecutor.shared) {
      try await store.transaction { (transaction) async throws in
        let cities = try transaction.repository(of: City.self)
        let holder = Task(executorPreference: InlineExecutor.shared) {
          try await transaction.transaction { _ in await gate.wait() }
        }
        let waiter = Task(executorPreference: InlineExecutor.shared) {
          try await cities.save([City(id: 4, name: "Late", height: nil)])
        }
        return (holder, waiter)
      }
    }
    // The closure is over, and the transaction waits for the connection, behind the waiter.
    gate.open()
    let (holder, waiter) = try await transaction.value
    await expectError(.transactionEnded) { try await waiter.value }
    try await holder.value
    #expect(try cities(store) == City.all)
  }

  @Test(
    "where there is no log, a commit that a reader of another connection holds up for too long is undone",
    arguments: WayOfWriting.allCases)
  func commitHeldUp(way: WayOfWriting) async throws {
    let store = try SQLiteStore(path: path, journal: .unchanged, timeout: .zero)
    let other = try SQLiteStore(path: path, journal: .unchanged, timeout: .zero)
    #expect(try cities(store) == [])
    try await other.read { _ in await expectError(.busy) { try await way.write(City.all, to: store) } }
    #expect(try cities(other) == [])
    #expect(try cities(store) == [])
    try await way.write(City.all, to: store)
    #expect(try cities(other) == City.all)
  }

  @Test(
    "where there is no log, a commit waits for the readers of other connections", arguments: WayOfWriting.transactions)
  func commitWaits(way: WayOfWriting) async throws {
    let store = try SQLiteStore(path: path, journal: .unchanged, timeout: .seconds(600))
    #expect(try cities(store) == [])
    let other = try SQLiteStore(path: path, journal: .unchanged)
    let newcomer = try SQLiteStore(path: path, journal: .unchanged, timeout: .zero)
    let gate = Gate()
    let reader = Task(executorPreference: InlineExecutor.shared) { try await other.read { _ in await gate.wait() } }
    let writer = Task { try await way.write(City.all, to: store) }
    // Once a commit has been tried, no reader is let in any more: https://www.sqlite.org/lockingv3.html#writer_starvation
    while (try? newcomer.tableNames()) != nil { try await Task.sleep(for: .milliseconds(1)) }
    gate.open()
    try await writer.value
    try await reader.value
    #expect(try cities(newcomer) == City.all)
  }
}
