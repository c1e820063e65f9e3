import Foundation
import Query
import Repository
import SQL
import SQLStore
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@Suite("The setup of connections, and the observation of statements")
struct ObservationTests {
  private let folder: TemporaryFolder
  private let events = Events()

  init() throws {
    folder = try TemporaryFolder()
  }

  private final class Events: Sendable {
    let all = Mutex<[StatementEvent]>([])

    func observer(includingValues: Bool = true) -> StatementObserver {
      StatementObserver(includingValues: includingValues) { event in self.all.withLock { $0.append(event) } }
    }

    /// The events of statements that begin with a word.
    func of(_ word: String) -> [StatementEvent] { all.withLock { $0.filter { $0.sql.hasPrefix(word) } } }
    func forget() { all.withLock { $0 = [] } }
  }

  @Test("rows, changes, values and errors are those of the statement", arguments: [true, false])
  func events(isInMemory: Bool) throws {
    let path = folder.path("a.sqlite")
    let observer = events.observer()
    let store = try isInMemory ? SQLiteStore.inMemory(observer: observer) : SQLiteStore(path: path, observer: observer)
    try store.blocking.sql.execute("CREATE TABLE t (n INTEGER PRIMARY KEY, s TEXT NOT NULL) STRICT")
    try store.blocking.sql.execute("INSERT INTO t VALUES \(part: "(1, \("a")), (2, \("b")), (3, \("c"))")")
    #expect(events.of("INSERT").map(\.changeCount) == [3])
    #expect(events.of("INSERT").map(\.values) == [["a", "b", "c"]])
    #expect(events.of("INSERT").map(\.store) == [isInMemory ? ":memory:" : path])

    _ = try store.blocking.sql.query("SELECT n FROM t WHERE n > \(1)", as: Int.self)
    #expect(events.of("SELECT n FROM t").map(\.resultCount) == [2])
    #expect(events.of("SELECT n FROM t").map(\.changeCount) == [nil])
    #expect(events.of("SELECT n FROM t").map { $0.duration > .zero } == [true])

    // SQLite goes on counting the rows of the statement before.
    try store.blocking.sql.execute("CREATE INDEX t_s ON t (s)")
    #expect(events.of("CREATE INDEX").map(\.changeCount) == [0])

    #expect(throws: RepositoryError.self) { try store.blocking.sql.execute("INSERT INTO t VALUES (1, 'again')") }
    #expect(events.of("INSERT").last?.error?.code == .conflict)
    #expect(events.of("INSERT").last?.description.hasSuffix("ms, conflict)") == true)
  }

  private struct Kept: Entity {
    let id: Int
    var deletedAt: Date?
    static let schema = Schema(
      "kept", Kept.init, Column("id", \.id), Column("deleted_at", \.deletedAt, .deletedAt))
  }

  @Test("an element is found by its key with one statement for all keys, also where deleted ones are kept")
  func keys() async throws {
    let store = try SQLiteStore.inMemory(observer: events.observer())
    let elements = try store.repository(of: Kept.self)
    try await elements.save([Kept(id: 1), Kept(id: 2)])
    try await elements.delete(2)
    events.forget()
    var found: [Int?] = []
    for id in 1...3 { found.append(try await elements.find(id)?.id) }
    #expect(found == [1, nil, nil])
    let statements = Set(events.of("SELECT").map(\.sql))
    #expect(
      statements.count == 1 && statements.first?.hasSuffix(#" AND "deleted_at" IS NULL"#) == true, "\(statements)")
  }

  @Test("each row that a repository writes is a statement, and values stay out unless they are asked for")
  func rows() throws {
    let store = try SQLiteStore.inMemory(observer: events.observer(includingValues: false))
    let cities = try store.sqlRepository(of: City.self)
    try cities.blocking.save(City.all)
    #expect(events.of(#"INSERT INTO "city""#).map(\.changeCount) == City.all.map { _ in 1 })
    #expect(events.all.withLock { $0.allSatisfy { $0.values == nil } })
  }

  @Test("a reader that has had enough is told of, and a dry run of migrations is not")
  func endings() throws {
    let store = try SQLiteStore.inMemory(observer: events.observer())
    _ = try store.repository(of: City.self)
    try store.sqlRepository(of: City.self).blocking.save(City.all)
    events.forget()
    _ = try store.sqlRepository(of: City.self).blocking.find(City.all[0].id)
    #expect(events.of(#"SELECT "id""#).map(\.resultCount) == [1])
    events.forget()
    _ = try store.migrationPlan([Migration("empty") { try $0.execute("DELETE FROM city") }])
    #expect(events.of("DELETE").isEmpty)
  }

  @Test("every connection is prepared before the store sets what it relies on", arguments: [true, false])
  func preparation(isInMemory: Bool) async throws {
    let path = folder.path("a.sqlite")
    let count = Mutex(0)
    let prepare: @Sendable (ConnectionSetup) throws -> Void = { connection in
      count.withLock { $0 += 1 }
      try connection.execute("PRAGMA foreign_keys = OFF")
      try connection.define(function: "twice", isInnocuous: true) { values in
        if case .integer(let integer)? = values.first { .integer(integer * 2) } else { throw Odd() }
      }
      try connection.define(collation: "backwards") { $1.compare($0) }
    }
    let store = try isInMemory ? SQLiteStore.inMemory(prepare: prepare) : SQLiteStore(path: path, prepare: prepare)
    let sql = store.sql
    try await sql.execute("CREATE TABLE t (n INTEGER, s TEXT COLLATE backwards CHECK (twice(n) < 10))")
    try await sql.execute("CREATE INDEX i ON t (s, twice(n))")
    try await sql.execute("INSERT INTO t VALUES (1, 'a'), (2, 'b')")
    #expect(try await sql.query("SELECT foreign_keys FROM pragma_foreign_keys", as: Int.self) == [1])
    #expect(try await sql.query("SELECT s FROM t ORDER BY s", as: String.self) == ["b", "a"])
    let error = await #expect(throws: RepositoryError.self) { try await sql.query("SELECT twice('x')") }
    #expect(error?.reason?.contains("Odd") == true, "\(String(describing: error?.reason))")
    // Readers, the copy that is read beside a transaction, the dry run of migrations, and a backup.
    try await store.transaction { transaction in
      try await transaction.sql.execute("UPDATE t SET n = twice(n)")
      #expect(
        try await Task.detached { try store.blocking.sql.query("SELECT twice(n) FROM t", as: Int.self) }.value == [
          2, 4,
        ])
    }
    _ = try store.migrationPlan([Migration("more") { try $0.execute("UPDATE t SET n = twice(n)") }])
    try await store.backup(to: folder.path("b.sqlite"))
    #expect(count.withLock(\.self) >= 4)
  }

  private struct Odd: Error {}

  @Test("names that queries rely on are refused, and what throws or leaves a transaction open opens no store")
  func refusals() {
    func code(_ prepare: @escaping @Sendable (ConnectionSetup) throws -> Void) -> RepositoryError.Code? {
      #expect(throws: RepositoryError.self) { try SQLiteStore.inMemory(prepare: prepare) }?.code
    }
    #expect(code { try $0.define(function: "Instr") { _ in .null } } == .unsupported)
    #expect(code { try $0.define(function: "repokit_fold") { _ in .null } } == .unsupported)
    #expect(code { try $0.define(collation: "BINARY") { _, _ in .orderedSame } } == .unsupported)
    #expect(code { try $0.execute("BEGIN") } == .unsupported)
    #expect(code { try $0.execute("PRAGMA x y z") } == .invalidStatement)
    #expect(code { _ in throw Odd() } == .storeFailure)
    // The system's SQLite knows no keys, and would take the pragma for one that does nothing.
    #expect(code { try $0.setKey("secret") } == .unsupported)
  }
}
