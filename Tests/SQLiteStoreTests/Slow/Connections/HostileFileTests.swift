import Foundation
import Query
import Repository
import SQLInspection
import SQLStore
import SQLiteInspection
import Synchronization
import TestSupport
import Testing
@testable import SQLiteStore

@Suite("A hostile file")
struct HostileFileTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a.sqlite")
  }

  @Test("does not make a lookup of a table resolve its views, however deeply they nest")
  func manyViews() async throws {
    let store = try SQLiteStore(path: path)
    let columns = (0..<1_999).map { "c\($0)" }.joined(separator: ", ")
    try await store.transaction { transaction in
      try await transaction.sql.execute(SQLStatement(verbatim: "CREATE TABLE wide (\(columns))"))
      for number in 0..<500 {
        let before = number == 0 ? "wide" : "v\(number - 1)"
        try await transaction.sql.execute(
          "CREATE VIEW \(identifier: "v\(number)") AS SELECT * FROM \(identifier: before)")
      }
    }
    let table = try TableSchema("plain", columns: [ColumnSchema("id", .integer)], primaryKey: ["id"])
    // Otherwise a lookup takes minutes. The table is made, and then found.
    for _ in 0..<2 {
      let plain: AnyRepository<Record> = try SQLiteStore(path: path).repository(Schema(table))
      #expect(try await plain.count(.true) == 0)
    }
    // A view can be read afterwards.
    #expect(try await store.sql.query("SELECT count(*) FROM v3", as: Int.self) == [0])
  }

  @Test("may have its tables looked up amid the rows of a statement")
  func lookupAmidRows() throws {
    let database = try RawDatabase(path: path, mode: .create)
    for statement in [
      "CREATE TABLE t (a)", "CREATE TABLE u (b)", "INSERT INTO t VALUES (1), (2), (3)", "INSERT INTO u VALUES (2), (3)",
    ] {
      _ = try database.prepare(statement).step()
    }
    let rows = try database.prepare("SELECT (SELECT count(*) FROM u WHERE b > a) FROM t")
    var counts: [Int64] = []
    while try rows.step() {
      counts.append(rows.integer(0))
      database.withoutViews {}
    }
    #expect(counts == [2, 1, 0])
  }

  /// What a file defines, and a statement that would have it call a function of the program.
  static let definitions: [(definition: String, statement: String)] = [
    ("CREATE VIEW v AS SELECT touch(a) AS a FROM t", "SELECT * FROM v"),
    ("CREATE VIEW v AS SELECT a FROM t WHERE touch(a) ORDER BY touch(a)", "SELECT count(*) FROM v"),
    ("CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT touch(new.a); END", "INSERT INTO t (a) VALUES (2)"),
    ("CREATE TRIGGER r BEFORE DELETE ON t WHEN touch(old.a) BEGIN SELECT 1; END", "DELETE FROM t"),
    ("CREATE TABLE u (a, b AS (touch(a)) STORED)", "INSERT INTO u (a) VALUES (2)"),
    ("CREATE TABLE u (a, CHECK (touch(a)))", "INSERT INTO u (a) VALUES (2)"),
    ("CREATE TABLE u (a, b DEFAULT (touch(1)))", "INSERT INTO u (a) VALUES (2)"),
    ("CREATE INDEX i ON t (touch(a))", "INSERT INTO t (a) VALUES (2)"),
    ("CREATE INDEX i ON t (a) WHERE touch(a)", "INSERT INTO t (a) VALUES (2)"),
  ]

  @Test("calls no function of the program that is not innocuous", arguments: definitions.indices)
  func functions(_ index: Int) throws {
    let (definition, statement) = Self.definitions[index]
    let calls = Mutex(0)
    func run(_ statements: [String], isInnocuous: Bool) throws {
      let store = try SQLiteStore(path: path, journal: .unchanged) { connection in
        try connection.define(function: "touch", isInnocuous: isInnocuous) { _ in
          calls.withLock { $0 += 1 }
          return .integer(1)
        }
      }
      for statement in statements {
        let statement = SQLStatement(verbatim: statement)
        if statement.sql.hasPrefix("SELECT") {
          _ = try store.blocking.sql.query(statement)
        } else {
          try store.blocking.sql.execute(statement)
        }
      }
    }
    try run(["CREATE TABLE t (a)", definition, "INSERT INTO t (a) VALUES (1)", statement], isInnocuous: true)
    #expect(calls.withLock(\.self) > 0)
    calls.withLock { $0 = 0 }
    expectError(.unsupported, "unsafe use of touch()") { try run([statement], isInnocuous: false) }
    #expect(calls.withLock(\.self) == 0)
  }

  private func store(
    _ statements: [String], prepare: (@Sendable (ConnectionSetup) throws -> Void)? = nil
  ) throws -> SQLiteStore {
    let store = try SQLiteStore(path: path, journal: .unchanged, prepare: prepare)
    for statement in statements { try store.blocking.sql.execute(SQLStatement(verbatim: statement)) }
    return store
  }

  @Test(
    "calls nothing of SQLite's that reaches beyond it",
    arguments: ["load_extension('evil')", "fts3_tokenizer('simple')"])
  func builtIn(expression: String) throws {
    let store = try store(["CREATE VIEW v AS SELECT \(expression) AS a"])
    expectError(.unsupported, "the view v uses a function not allowed in a schema") { try store.schema(ofTable: "v") }
    expectError(.unsupported, "unsafe use of") { try store.blocking.sql.query("SELECT * FROM v") }
    // Nor do statements that a program runs.
    expectError(.storeFailure) { try store.blocking.sql.query("SELECT load_extension('evil')") }
    expectError(.storeFailure) { try store.blocking.sql.query("SELECT fts3_tokenizer('simple', x'0000000000000000')") }
  }

  @Test("is trusted with no virtual table where the program says so")
  func untrusted() throws {
    let store = try store(["CREATE VIEW v AS SELECT (SELECT name FROM pragma_database_list) AS a"]) { connection in
      try connection.execute("PRAGMA trusted_schema = OFF")
    }
    expectError(.unsupported, "unsafe use of virtual table") { try store.blocking.sql.query("SELECT * FROM v") }
  }

  @Test("may hold views and triggers over a full-text index, and what such an index keeps is not written")
  func fullText() throws {
    let store = try store([
      "CREATE TABLE t (a TEXT)", "CREATE VIRTUAL TABLE f USING fts5 (a, content = t)",
      "CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO f (rowid, a) VALUES (new.rowid, new.a); END",
      "CREATE VIEW v AS SELECT highlight(f, 0, '[', ']') AS a FROM f('water')",
      "CREATE VIEW parts AS SELECT value AS a FROM json_each('[1, 2]')",
      "INSERT INTO t VALUES ('fire and water')",
    ])
    #expect(try store.blocking.sql.query("SELECT * FROM v", as: String.self) == ["fire and [water]"])
    #expect(try store.blocking.sql.query("SELECT * FROM parts", as: Int.self) == [1, 2])
    for statement in ["UPDATE f_data SET block = x'00'", "DELETE FROM f_idx", "DROP TABLE f_config"] {
      expectError(.storeFailure, "may not be") { try store.blocking.sql.execute(SQLStatement(verbatim: statement)) }
    }
    #expect(try store.blocking.integrityCheck() == [])
  }

  @Test("has its schema written by no statement")
  func schemaTable() throws {
    let store = try store(["CREATE TABLE t (a)"]) { connection in
      for pragma in ["writable_schema = ON", "journal_mode = OFF", "schema_version = 7"] {
        try connection.execute(SQLStatement(verbatim: "PRAGMA \(pragma)"))
      }
    }
    expectError(.storeFailure, "may not be modified") {
      try store.blocking.sql.execute("UPDATE sqlite_schema SET sql = ''")
    }
    #expect(try store.blocking.sql.query("SELECT * FROM pragma_journal_mode", as: String.self) == ["delete"])
  }

  /// SQLite reads the first statement of a definition, and keeps all of it.
  @Test("gives no statement or command of SQLite's shell to a script of its own")
  func smuggledStatements() throws {
    do {
      _ = try store([
        "CREATE TABLE t (a /* ........... */)",
        "CREATE VIEW v AS SELECT ';', [;], \";\" FROM (SELECT 1 AS \";\") -- ; not this",
        "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT CASE new.a WHEN 1 THEN 2 END; SELECT 3; END",
        "CREATE VIEW w AS SELECT 1 AS a, '..............................'",
      ])
    }
    var file = try Data(contentsOf: URL(filePath: path))
    func replace(_ old: String, _ new: String) throws {
      let range = try #require(file.range(of: Data(old.utf8)))
      try #require(old.utf8.count == new.utf8.count)
      file.replaceSubrange(range, with: Data(new.utf8))
    }
    try replace("/* ........... */)", ");\n.system ls -l\n;")
    try replace(", '..............................'", ";\n.system touch evil\n;SELECT 1    ")
    try file.write(to: URL(filePath: path))
    let script = try SQLiteStore(path: path, mode: .readOnly).scriptParts()
    #expect(script.tables.map(\.statement) == ["CREATE TABLE t (a )"])
    #expect(
      script.rest == [
        "CREATE VIEW v AS SELECT ';', [;], \";\" FROM (SELECT 1 AS \";\")", "CREATE VIEW w AS SELECT 1 AS a",
        "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT CASE new.a WHEN 1 THEN 2 END; SELECT 3; END",
      ])
  }

  @Test(
    "of pages of another size than it says, or of none, is refused", arguments: [0, 1, 3, 511, 1_000, 0x8001, 0xFFFF])
  func pageSizes(size: Int) throws {
    do { _ = try store(["CREATE TABLE t (a)", "INSERT INTO t VALUES (1)"]) }
    var file = try Data(contentsOf: URL(filePath: path))
    // A size of 1 is 65,536: https://www.sqlite.org/fileformat2.html#page_size
    file[16] = UInt8(size >> 8)
    file[17] = UInt8(size & 0xFF)
    try file.write(to: URL(filePath: path))
    let codes: [RepositoryError.Code] = [.notADatabase, .corrupt]
    let error = #expect(throws: RepositoryError.self) {
      try SQLiteStore(path: path, mode: .readOnly).blocking.sql.query("SELECT * FROM t")
    }
    #expect(error.map { codes.contains($0.code) } == true, "\(String(describing: error))")
  }

  @Test("holds no query up that a task can't end")
  func endless() async throws {
    let store = try store([
      "CREATE VIEW v AS WITH RECURSIVE c (a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM c) SELECT a FROM c"
    ])
    let task = Task { try await store.sql.query("SELECT count(*) FROM v") }
    try await Task.sleep(for: .milliseconds(20))
    task.cancel()
    await expectError(.cancelled) { try await task.value }
    // What is not asked of it takes no time.
    #expect(try store.schema(ofTable: "v").columns.map(\.name) == ["a"])
    #expect(try await store.integrityCheck() == [])
    #expect(try store.tableOverviews(measuring: true, countingViews: false).count == 1)
  }

  static let deep = [
    "json_extract((SELECT replace(hex(zeroblob(100000)), '0', '[')), '$')",
    String(repeating: "(", count: 5_000) + "1" + String(repeating: ")", count: 5_000),
    String(repeating: "1+", count: 5_000) + "1",
  ]

  @Test("that nests deeply is an error", arguments: deep.indices)
  func depth(_ index: Int) throws {
    let error = #expect(throws: RepositoryError.self) {
      let store = try store(["CREATE VIEW v AS SELECT \(Self.deep[index]) AS a"])
      _ = try store.blocking.sql.query("SELECT * FROM v")
    }
    #expect([.storeFailure, .invalidQuery].contains(error?.code), "\(String(describing: error))")
  }
}
