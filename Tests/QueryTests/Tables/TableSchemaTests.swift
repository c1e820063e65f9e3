import Query
import Testing

@Suite("A table's schema is checked when it is made")
struct TableSchemaTests {
  @Test("Columns and primary key stand as they were given")
  func valid() throws {
    let table = try TableSchema(
      "team",
      columns: [ColumnSchema("note", .text, isNullable: true), ColumnSchema("b", .text), ColumnSchema("a", .integer)],
      primaryKey: ["a", "b"])
    #expect(table.name == "team")
    #expect(table.columns.map(\.name) == ["note", "b", "a"])
    #expect(table.primaryKey == [2, 1])
    #expect(table.primaryKeyColumns.map(\.name) == ["a", "b"])
  }

  @Test("A table may have no key, and one column that is the key")
  func keys() throws {
    #expect(try TableSchema("t", columns: [ColumnSchema("a", .any, isNullable: true)], primaryKey: []).primaryKey == [])
    #expect(try TableSchema("t", columns: [ColumnSchema("a", .blob)], primaryKey: ["a"]).primaryKey == [0])
  }

  static let a = ColumnSchema("a", .integer)
  static let b = ColumnSchema("b", .text, isNullable: true)

  @Test(
    "What contradicts itself is refused, and why",
    arguments: [
      ("", [a], ["a"], "the table has no name"),
      ("t\0u", [a], ["a"], "its name contains a NUL"),
      ("t", [a, ColumnSchema("\0", .text)], ["a"], "the name of a column contains a NUL"),
      ("t", [], [], "the table has no columns"),
      ("t", [], ["a"], "the table has no columns"),
      ("t", [a, ColumnSchema("", .text)], ["a"], "a column has no name"),
      ("t", [a, a], ["a"], "two columns are called a"),
      ("t", [a, b, ColumnSchema("A", .text)], ["a"], "two columns are called A"),
      ("t", [ColumnSchema("pokéNr", .text), ColumnSchema("POKéNR", .text)], [], "two columns are called POKéNR"),
      ("t", [a], ["c"], "the primary key names c, which is no column"),
      ("t", [a], ["A"], "the primary key names A, which is no column"),
      ("t", [a], [""], "the primary key names , which is no column"),
      ("t", [ColumnSchema("\u{E9}", .text)], ["e\u{301}"], "the primary key names e\u{301}, which is no column"),
      ("t", [a], ["a", "a"], "the primary key names a twice"),
      ("t", [a, b], ["b"], "b is part of the primary key and may be null"),
      ("t", [a, b], ["a", "b"], "b is part of the primary key and may be null"),
    ] as [(String, [ColumnSchema], [String], String)])
  func invalid(name: String, columns: [ColumnSchema], primaryKey: [String], reason: String) {
    let error = #expect(throws: QueryError.self) { try TableSchema(name, columns: columns, primaryKey: primaryKey) }
    #expect(error?.code == .invalidSchema)
    #expect(error?.reason == reason)
    #expect(error?.summary == "the schema of \(name.isEmpty ? "a table" : name) is not valid")
  }

  @Test(
    "Names that differ in more than ASCII case are different columns",
    arguments: [("\u{E9}", "e\u{301}"), ("\u{E9}", "\u{C9}"), ("k", "\u{212A}"), ("ss", "ß"), ("a", "ａ")])
  func differentNames(first: String, second: String) throws {
    let table = try TableSchema(
      "t", columns: [ColumnSchema(first, .text), ColumnSchema(second, .text)], primaryKey: [])
    #expect(try table.position(of: first) == 0)
    #expect(try table.position(of: second) == 1)
  }

  @Test(
    "A column is found by its exact name alone", arguments: ["Weight", "WEIGHT", "weight ", "weight\0", "", "wieght"])
  func exactNames(key: String) throws {
    let table = try TableSchema.pokemon()
    #expect(try table.position(of: "weight") == 2)
    let error = #expect(throws: QueryError.self) { try table.position(of: key) }
    #expect(error?.code == .unknownKey)
  }

  @Test("A composed name is not found by its decomposed form, nor the other way round")
  func composedNames() throws {
    let composed = try TableSchema.anything("pok\u{E9}mon")
    let decomposed = try TableSchema.anything("poke\u{301}mon")
    #expect(try composed.position(of: "pok\u{E9}mon") == 0)
    #expect(try decomposed.position(of: "poke\u{301}mon") == 0)
    #expect(throws: QueryError.self) { try composed.position(of: "poke\u{301}mon") }
    #expect(throws: QueryError.self) { try decomposed.position(of: "pok\u{E9}mon") }
  }
}
