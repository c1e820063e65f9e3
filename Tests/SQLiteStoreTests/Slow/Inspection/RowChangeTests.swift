import Query
import Repository
@testable import SQLStore
@testable import SQLInspection
@testable import SQLiteInspection
@testable import SQLiteStore
import TestSupport
import Testing

@Suite("Changes of rows by hand")
struct RowChangeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A database that another program made.
  private func store(_ statements: String...) throws -> SQLiteStore {
    let path = folder.path("a.sqlite")
    let database = try RawDatabase(path: path, mode: .create)
    for sql in statements { _ = try database.prepare(sql).step() }
    return try SQLiteStore(path: path)
  }

  private func change(
    _ store: SQLiteStore, _ change: RowChange, in table: String = "t", _ detail: ChangeDetail = .rows
  ) throws -> ChangeReport {
    try store.blocking.transaction(.writing) { try $0.change(change, in: table, detail: detail) }
  }

  private func dump(_ store: SQLiteStore, _ sql: String) throws -> [String] {
    try store.blocking.sql.query(SQLStatement(verbatim: sql), as: String.self)
  }

  @Test("are refused where a view has no trigger that takes them, and made where it has one")
  func views() async throws {
    let store = try store(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)", "INSERT INTO t VALUES (1, 'x')",
      "CREATE VIEW plain AS SELECT * FROM t", "CREATE VIEW open AS SELECT * FROM t",
      "CREATE TRIGGER g INSTEAD OF INSERT ON open BEGIN INSERT INTO t VALUES (new.id, new.a); END")
    let row = [Assignment("id", 2), Assignment("a", "y")]
    let changes: [RowChange] = [
      .insert(row), .set(.equal(key: "id", value: 1), [Assignment("a", "z")]), .delete(.equal(key: "id", value: 1)),
    ]
    for change in changes {
      for detail in [ChangeDetail.counts, .identity, .rows] {
        let error = #expect(throws: RepositoryError.self) { try self.change(store, change, in: "plain", detail) }
        #expect(error?.code == .unsupported && error?.summary == "can't change rows of plain")
        #expect(error?.suggestion != nil)
      }
    }
    #expect(try change(store, .insert(row), in: "open").count == 1)
    #expect(try dump(store, "SELECT group_concat(id || a) FROM t") == ["1x,2y"])
    // The library's own writes are refused in the same words.
    let schema = try store.schema(ofTable: "plain")
    let records = try store.sqlRepository(Schema(schema))
    let record = Record(values: [3, "z"], in: schema)
    for replaces in [false, true] {
      await expectError(.unsupported, summary: "can't change rows of plain") {
        if replaces { try await records.save(record) } else { try await records.insert(record) }
      }
    }
    #expect(try dump(store, "SELECT group_concat(id || a) FROM t") == ["1x,2y"])
  }

  /// The ways in which SQLite lets a row be found again, or not.
  static let definitions = [
    "id INTEGER PRIMARY KEY, a TEXT", "id INTEGER, a TEXT", "id TEXT PRIMARY KEY, a TEXT",
    "id INTEGER, a TEXT, PRIMARY KEY (a, id)", "id INTEGER PRIMARY KEY, a TEXT) WITHOUT ROWID --",
    "id INT, a TEXT, PRIMARY KEY (id DESC)) WITHOUT ROWID --", "id INTEGER PRIMARY KEY DESC, a TEXT",
    "id INTEGER PRIMARY KEY, a TEXT, rowid TEXT", "id INTEGER, a TEXT, rowid TEXT, _rowid_ TEXT",
    "id INTEGER, a TEXT, rowid TEXT, OID TEXT, _RowID_ TEXT", "id INT PRIMARY KEY, a TEXT) STRICT --",
  ]

  @Test("tell of each row before and after, however the table finds its rows", arguments: definitions)
  func pairs(definition: String) throws {
    let create = "CREATE TABLE t (\(definition.hasSuffix("--") ? definition.dropLast(2) : "\(definition))")"
    let store = try store(create, "INSERT INTO t (id, a) VALUES (3, 'x'), (1, 'x'), (2, 'y')")
    let set = try change(store, .set(.equal(key: "a", value: "x"), [Assignment("a", "z")]))
    #expect(set.count == 2 && set.total == 3 && set.effects == [])
    let values = try set.changed.first(10).map { "\($0.before?[1] ?? .null) \($0.after?[1] ?? .null)" }
    #expect(values == ["'x' 'z'", "'x' 'z'"])
    #expect(try set.changed.first(1).count == 1)
    #expect(try set.changed.first(10).map { $0.before?[0] } == set.changed.first(10).map { $0.after?[0] })
    // A column of texts keeps no number.
    let (seven, id): (Value, Value) = definition.hasPrefix("id TEXT") ? ("7", "9") : (7, 9)
    let key = try change(store, .set(.equal(key: "a", value: "y"), [Assignment("id", seven)]))
    #expect(try key.changed.first(10).map { "\($0.after?[0] ?? .null)".filter { $0 != "'" } } == ["7"])
    let inserted = try change(store, .insert([Assignment("a", "new"), Assignment("id", id)]))
    #expect(try inserted.changed.first(10).map { $0.after?[1] } == [.text("new")])
    let deleted = try change(store, .delete(.equal(key: "a", value: "z")))
    #expect(deleted.count == 2 && deleted.total == 4)
    #expect(try deleted.changed.first(10).allSatisfy { $0.after == nil })
    #expect(try dump(store, "SELECT group_concat(id || a) FROM (SELECT * FROM t ORDER BY id)") == ["7y,9new"])
  }

  @Test("are undone whole where one row breaks a rule")
  func atomicity() throws {
    let store = try store(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE)", "INSERT INTO t VALUES (1, 'x'), (2, 'y')")
    try store.blocking.transaction(.writing) { transaction in
      expectError(.conflict, "another row of t has the same a") {
        try transaction.change(.set(.true, [Assignment("a", "z")]), in: "t", detail: .rows)
      }
      _ = try transaction.change(.set(.equal(key: "id", value: 2), [Assignment("a", "w")]), in: "t", detail: .counts)
    }
    #expect(try dump(store, "SELECT group_concat(a) FROM t") == ["x,w"])
  }

  @Test("are the same as others that concern the same rows in the same state")
  func identity() throws {
    let store = try store(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)", "INSERT INTO t VALUES (1, 'x'), (2, 'y'), (5, 'z')",
      "CREATE TABLE child (t INTEGER REFERENCES t ON DELETE CASCADE)")
    let deletion = RowChange.delete(.greaterThan(key: "id", value: 1))
    func dryRun() throws -> ChangeReport {
      try store.blocking.dryRun { try $0.change(deletion, in: "t", detail: .identity) }
    }
    let first = try dryRun()
    #expect(try dryRun().isSame(as: first))
    #expect(try dump(store, "SELECT group_concat(a) FROM t") == ["x,y,z"])
    for sql in [
      "UPDATE t SET a = 'Y' WHERE id = 2", "UPDATE t SET a = 'Z' WHERE id = 5", "INSERT INTO child VALUES (5)",
      "UPDATE t SET id = 3 WHERE id = 2", "INSERT INTO t VALUES (0, 'w')",
      "DELETE FROM t WHERE id > 1",
    ] {
      let before = try dryRun()
      try store.blocking.sql.execute(SQLStatement(verbatim: sql))
      #expect(try !dryRun().isSame(as: before), "\(sql)")
    }
  }

  @Test("tell what they set off: references, triggers, replacements")
  func effects() throws {
    let store = try store(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, up INTEGER REFERENCES t ON DELETE CASCADE)",
      "INSERT INTO t VALUES (1, NULL), (2, 1), (3, 2), (4, NULL)",
      "CREATE TABLE child (id INTEGER PRIMARY KEY, t INTEGER REFERENCES \"T\" ON DELETE CASCADE)",
      "INSERT INTO child VALUES (1, 1), (2, 3), (3, 4)",
      "CREATE TABLE grandchild (child INTEGER REFERENCES child ON DELETE SET NULL)",
      "INSERT INTO grandchild VALUES (1), (2), (3), (NULL)", "CREATE TABLE log (n)",
      "CREATE TRIGGER g AFTER DELETE ON child BEGIN INSERT INTO log VALUES (old.id); END")
    let report = try change(store, .delete(.equal(key: "id", value: 1)))
    #expect(report.count == 1)
    #expect(
      report.effects == [
        .init(kind: .deleted, table: "child", count: 2), .init(kind: .deleted, table: "t", count: 2),
        .init(kind: .cleared, table: "grandchild", count: 2), .init(kind: .changed, table: nil, count: 2),
      ])
  }

  @Test("tell of a new row as a trigger leaves it")
  func trigger() throws {
    let store = try store(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)",
      "CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE t SET a = upper(new.a) WHERE id = new.id; END")
    let report = try change(store, .insert([Assignment("a", "x")]))
    #expect(report.count == 1)
    #expect(try report.changed.first(10).map(\.after) == [[.integer(1), .text("X")]])
  }

  @Test("keep values that are not UTF-8, and show their bytes")
  func invalidText() throws {
    let store = try store(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT)", "INSERT INTO t VALUES (1, CAST(x'ff' AS TEXT), 'x')")
    let report = try change(store, .set(.true, [Assignment("b", "y")]))
    #expect(try report.changed.first(10).map(\.before) == [[.integer(1), .blob([255]), .text("x")]])
    #expect(try dump(store, "SELECT typeof(a) || hex(a) || b FROM t") == ["textFFy"])
  }

  @Test("name all columns that a new row lacks")
  func missing() throws {
    let store = try store(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT NOT NULL DEFAULT 'd', c TEXT NOT NULL, d TEXT)")
    expectError(.invalidQuery, "the row for t needs a, c") {
      try change(store, .insert([Assignment("d", "x")]))
    }
    let report = try change(store, .insert([Assignment("a", "x"), Assignment("c", "y")]))
    #expect(try report.changed.first(10).map(\.after) == [[.integer(1), .text("x"), .text("d"), .text("y"), .null]])
  }

  @Test("say so where a rule ignores a new row")
  func ignored() throws {
    let store = try store("CREATE TABLE t (a TEXT UNIQUE ON CONFLICT IGNORE)", "INSERT INTO t VALUES ('x')")
    expectError(.constraint, "the database did not add the row to t") {
      try change(store, .insert([Assignment("a", "x")]))
    }
  }

  @Test("work on virtual tables")
  func virtualTable() throws {
    let store = try store("CREATE VIRTUAL TABLE t USING fts5(body)", "INSERT INTO t VALUES ('hello'), ('bye')")
    let report = try change(store, .set(.equal(key: "body", value: "bye"), [Assignment("body", "hi")]))
    #expect(report.count == 1 && report.effects == [])
    #expect(try report.changed.first(10).map(\.after) == [[.text("hi")]])
    #expect(try change(store, .delete(.true)).count == 2)
  }

  @Test("tell apart tables whose names differ in Unicode's spelling of a letter alone")
  func spelling() throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    let reference = "(a INTEGER REFERENCES \"\(composed)\" ON DELETE CASCADE)"
    let store = try store(
      "CREATE TABLE \"\(composed)\" (id INTEGER PRIMARY KEY)", "INSERT INTO \"\(composed)\" VALUES (1), (2)",
      "CREATE TABLE \"\(decomposed)\" \(reference)", "INSERT INTO \"\(decomposed)\" VALUES (1), (1), (2)",
      "CREATE TABLE \"x\(composed)\" \(reference)", "INSERT INTO \"x\(composed)\" VALUES (1)",
      "CREATE TABLE \"x\(decomposed)\" \(reference)", "INSERT INTO \"x\(decomposed)\" VALUES (1), (1), (1), (1)")
    let report = try change(store, .delete(.equal(key: "id", value: 1)), in: composed)
    #expect(report.count == 1)
    #expect(report.effects.map(\.count).sorted() == [1, 2, 4])
    #expect(report.effects.allSatisfy { $0.kind == .deleted })
  }

  @Test("are rehearsed, and leave nothing behind")
  func dryRun() throws {
    let store = try store("CREATE TABLE t (id INTEGER PRIMARY KEY)", "INSERT INTO t VALUES (1), (2)")
    let report = try store.blocking.dryRun { try $0.change(.delete(.true), in: "t", detail: .rows) }
    #expect(report.count == 2)
    #expect(try dump(store, "SELECT count(*) || '' FROM t") == ["2"])
    struct Failed: Error {}
    #expect(throws: Failed.self) {
      try store.blocking.dryRun { transaction in
        _ = try transaction.change(.delete(.true), in: "t", detail: .counts)
        throw Failed()
      }
    }
    // Within another transaction, it alone is undone.
    try store.blocking.transaction(.writing) { transaction in
      _ = try transaction.change(.insert([Assignment("id", 3)]), in: "t", detail: .counts)
      #expect(try store.blocking.dryRun { try $0.change(.delete(.true), in: "t", detail: .counts) }.count == 3)
    }
    #expect(try dump(store, "SELECT count(*) || '' FROM t") == ["3"])
  }
}
