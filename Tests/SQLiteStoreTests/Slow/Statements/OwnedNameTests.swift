import Query
import Repository
import SQLStore
import SQLInspection
import SQLiteInspection
@testable import SQLiteStore
import TestSupport
import Testing

@Suite("Statements mean the same whatever tables and columns are called")
struct OwnedNameTests {
  /// Names that SQL gives a meaning of its own, names of what this package's statements read, and odd ones.
  static let words = [
    "excluded", "EXCLUDED", "target", "true", "false", "null", "new", "old", "main", "temp", "rowid", "oid", "_rowid_",
    "json_each", "value", "key", "pragma_table_list", "pragma_table_xinfo", "pragma_index_list", "dbstat", "select",
    "current_time", "repokit_item", "a\"b", "a'b", "a.b", "a, b", "[a]", "`a`", "?", ":a", " ", ";--", "1",
  ]

  private static func table(called name: String, _ number: String, _ word: String) throws -> TableSchema {
    try TableSchema(
      name,
      columns: [
        ColumnSchema("a_key", .integer), ColumnSchema(number, .integer, isIndexed: true),
        ColumnSchema(word, .text, isUnique: true),
      ], primaryKey: ["a_key"], unique: [[number, word]],
      checks: [CheckRule("at most 9", .lessThanOrEqual(key: number, value: 9))])
  }

  @Test("a table or two columns of such a name", arguments: words)
  func word(_ word: String) async throws {
    let tables = [
      try Self.table(called: word, "number", "word"), try Self.table(called: "plain", word, "word"),
      try Self.table(called: "plain", "number", word), try Self.table(called: word, word, "word"),
    ]
    for table in tables {
      let store = try SQLiteStore.inMemory()
      let repository = try store.sqlRepository(Schema(table))
      func row(_ id: Int64, _ number: Int64, _ text: String) -> Record {
        Record(values: [.integer(id), .integer(number), .text(text)], in: table)
      }
      try await repository.save([row(1, 1, "a"), row(2, 2, "b")])
      try await repository.save([row(1, 3, "c")])
      #expect(try await repository.findAll(FetchRequest()) == [row(1, 3, "c"), row(2, 2, "b")])
      await #expect(throws: RepositoryError.self) { try await repository.save([row(3, 10, "d")]) }
      await #expect(throws: RepositoryError.self) { try await repository.save([row(3, 1, "b")]) }
      let (number, text) = (table.columns[1].name, table.columns[2].name)
      let numbers = (2...40).map { Value.integer($0) }
      #expect(try await repository.count(.in(key: number, values: numbers)) == 2)
      #expect(
        try await repository.count(.in(key: text, values: (0...40).map { Value.text("b\($0)") } + [.text("b")])) == 1)
      #expect(
        try await repository.findAll(FetchRequest(sortedBy: .ascending(key: text))).map(\.id.values) == [[2], [1]])
      #expect(try await repository.update(where: .equal(key: number, value: 2), set: [Assignment(text, "e")]) == 1)
      #expect(try store.schemaDifferences(of: table) == [])
      #expect(try await store.integrityCheck() == [])
      #expect(try await repository.delete(where: .in(key: number, values: numbers)) == 2)
    }
  }

  /// What SQLite makes up as tables, which a real table of the name would hide.
  static let madeUp = [
    "json_each", "json_tree", "dbstat", "pragma_table_list", "pragma_table_info", "pragma_table_xinfo",
    "pragma_index_list", "pragma_index_info", "pragma_index_xinfo", "pragma_foreign_key_list",
    "pragma_foreign_key_check", "pragma_function_list", "pragma_user_version",
  ]

  @Test("beside tables that hide all those that SQLite makes up")
  func hidden() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite")
    let store = try SQLiteStore(path: path)
    for name in Self.madeUp {
      try await store.sql.execute("CREATE TABLE \(identifier: name) (name, \"table\", value)")
      try await store.sql.execute("INSERT INTO \(identifier: name) VALUES ('x', 'y', 1)")
    }
    let parent = try Self.table(called: "parent", "number", "word")
    let child = try TableSchema(
      "child",
      columns: [ColumnSchema("id", .integer, isGenerated: true), ColumnSchema("parent", .integer, isNullable: true)],
      primaryKey: ["id"], references: [ReferenceRule(["parent"], to: "parent", key: ["a_key"])])
    _ = try store.sqlRepository(Schema(parent))
    let children = try store.sqlRepository(Schema(child))
    #expect(try store.tableNames() == (Self.madeUp + ["child", "parent"]).sorted())
    #expect(try store.schema(ofTable: "parent").columns.map(\.isIndexed) == [false, true, true])
    #expect(try store.schema(ofTable: "child").references == child.references)
    #expect(try store.schemaDifferences(of: parent) == [])
    await expectError(.foreignKeyViolation, "parent") {
      try await children.save([Record(values: [1, 7], in: child)])
    }
    #expect(try await children.count(.in(key: "id", values: (1...40).map { Value.integer($0) })) == 0)
    #expect(try await store.integrityCheck() == [])
    #expect(try store.tableOverviews().map(\.kind) == Array(repeating: .table, count: Self.madeUp.count + 2))
    #expect(try store.definition(ofTable: "parent").indexes.count == 3)
    #expect(try store.definition(ofTable: "child").references.count == 1)
    let report = try store.blocking.dryRun { transaction in
      try transaction.change(.insert([Assignment("id", 5)]), in: "child", detail: .rows)
    }
    #expect(report.count == 1)
    try await store.migrate([
      Migration("rebuild") { steps in
        try steps.rebuild("parent", as: try TableSchema("parent", columns: parent.columns, primaryKey: ["a_key"]))
      },
      Migration("drop") { try $0.drop(table: "child") },
    ])
    #expect(try store.schema(ofTable: "parent").uniqueSets == [])
  }

  @Test("a rebuild leaves a table alone that is called as its own would be")
  func rebuildBesideItsName() async throws {
    let store = try SQLiteStore.inMemory()
    let table = try Self.table(called: "t", "number", "word")
    try await store.sqlRepository(Schema(table)).save([Record(values: [1, 1, "a"], in: table)])
    try await store.sql.execute("CREATE TABLE repokit_new_T (x)")
    try await store.migrate([Migration("rebuild") { try $0.rebuild("t", as: table) }])
    #expect(try store.tableNames() == ["repokit_new_T", "t"])
    #expect(try await store.sqlRepository(Schema(table)).count(.true) == 1)
  }

  @Test("names that are equal but for their composition stay apart in indexes and references")
  func compositions() async throws {
    let store = try SQLiteStore.inMemory()
    let (composed, decomposed) = (Specimens.composed, Specimens.decomposed)
    for name in [composed, decomposed] {
      try await store.sql.execute("CREATE TABLE \(identifier: name) (id INTEGER PRIMARY KEY)")
    }
    try await store.sql.execute(
      """
      CREATE TABLE t (\(identifier: composed) INT, \(identifier: decomposed) INT, b INT, \
      UNIQUE (\(identifier: composed), b), UNIQUE (\(identifier: decomposed), b))
      """)
    #expect(try store.schema(ofTable: "t").uniqueSets.count == 2)
    // Two indexes whose names are equal but for that.
    try await store.sql.execute("CREATE TABLE u (a INT, b INT, c INT, d INT)")
    try await store.sql.execute("CREATE UNIQUE INDEX \(identifier: composed + "i") ON u (a, b)")
    try await store.sql.execute("CREATE UNIQUE INDEX \(identifier: decomposed + "i") ON u (c, d)")
    #expect(try Set(store.schema(ofTable: "u").uniqueSets) == [[0, 1], [2, 3]])
    // A schema refers to two tables of such names, which are made together with it.
    let parents = try [composed, decomposed].map { name in
      try TableSchema("p" + name, columns: [ColumnSchema("k" + name, .integer)], primaryKey: ["k" + name])
    }
    for parent in parents { _ = try store.sqlRepository(Schema(parent)) }
    #expect(try store.schema(ofTable: "p" + decomposed).columns.map { Name($0.name) } == [Name("k" + decomposed)])
  }

  @Test("rows are in the order of their numbers also where a column is called like those and the schema leaves it out")
  func rowNumbers() async throws {
    let store = try SQLiteStore.inMemory()
    try await store.sql.execute("CREATE TABLE t (a INTEGER, rowid INTEGER)")
    try await store.sql.execute("INSERT INTO t VALUES (1, 9), (2, 8), (3, 7)")
    let table = try TableSchema(
      "t", columns: [ColumnSchema("a", .integer, isNullable: true, declaredType: "INTEGER")], primaryKey: [])
    var values: [Value] = []
    try store.blocking.repository(Schema(table)).forEachRow(ProjectionRequest([.key("a")]), isSorted: false) {
      row in
      values += row
      return true
    }
    #expect(values == [1, 2, 3])
  }
}
