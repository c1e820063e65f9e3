import Query
import TestSupport
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
      ("t\0u", [a], ["a"], "the name of the table contains a NUL character"),
      ("t", [a, ColumnSchema("\0", .text)], ["a"], "the name of a column contains a NUL character"),
      ("t", [], [], "the table has no columns"),
      ("t", [], ["a"], "the table has no columns"),
      ("t", [a, a], ["a"], "two columns have the name a"),
      ("t", [a, b, ColumnSchema("A", .text)], ["a"], "two columns have the name A"),
      ("t", [ColumnSchema("pokéNr", .text), ColumnSchema("POKéNR", .text)], [], "two columns have the name POKéNR"),
      ("t", [a], ["c"], "the primary key names c, which is not a column"),
      ("t", [a], ["A"], "the primary key names A, which is not a column"),
      ("t", [a], [""], "the primary key names , which is not a column"),
      ("t", [ColumnSchema("\u{E9}", .text)], ["e\u{301}"], "the primary key names e\u{301}, which is not a column"),
      ("t", [a], ["a", "a"], "the primary key names a twice"),
      ("t", [a, b], ["b"], "b is a part of the primary key and may be null"),
      ("t", [a, b], ["a", "b"], "b is a part of the primary key and may be null"),
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
    expectError(.unknownKey, of: QueryError.self) { try table.position(of: key) }
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

@Suite("A column says which values it may hold")
struct ColumnSchemaTests {
  @Test("Unless something else is said, a column is not null, not unique, not indexed and typed by the store")
  func defaults() {
    let column = ColumnSchema("a", .integer)
    #expect(
      !column.isNullable && !column.isUnique && !column.isIndexed && column.declaredType == nil
        && column.collation == nil)
  }

  @Test(
    "A column that its store types holds its kind, a loosely typed one what SQLite would keep",
    arguments: [
      (.integer, [.number], [.number, .text, .blob]), (.real, [.number], [.number, .text, .blob]),
      (.text, [.text], [.text, .blob]), (.blob, [.blob], [.number, .text, .blob]),
      (.any, [.number, .text, .blob], [.number, .text, .blob]),
    ] as [(ValueType, Set<Value.Kind>, Set<Value.Kind>)])
  func kinds(type: ValueType, strict: Set<Value.Kind>, declaredType: Set<Value.Kind>) {
    #expect(ColumnSchema("a", type).kinds == strict)
    #expect(ColumnSchema("a", type, isNullable: true).kinds == strict)
    #expect(ColumnSchema("a", type, declaredType: "VARCHAR(20)").kinds == declaredType)
    #expect(ColumnSchema("a", type, declaredType: "", collation: "NOCASE").kinds == declaredType)
  }

  @Test(
    "A column that its store types keeps a value in its own form",
    arguments: [
      (.integer, 5, 5), (.integer, 5.0, 5), (.integer, -0.0, 0), (.integer, .real(-0x1p63), .integer(.min)),
      (.real, 5, 5.0), (.real, 5.5, 5.5), (.real, .real(.infinity), .real(.infinity)), (.real, -0.0, -0.0),
      (.real, 9_007_199_254_740_992, .real(0x1p53)), (.text, "5", "5"), (.text, "", ""),
      (.blob, .blob([5]), .blob([5])),
      (.any, 5, 5), (.any, 5.0, 5.0), (.any, "5", "5"), (.any, .blob([5]), .blob([5])),
    ] as [(ValueType, Value, Value)])
  func stored(type: ValueType, value: Value, stored: Value) throws {
    #expect(try ColumnSchema("a", type).stored(value).spelling == stored.spelling)
    #expect(try ColumnSchema("a", type, isNullable: true).stored(value).spelling == stored.spelling)
  }

  @Test(
    "What a column can't keep is refused, never rounded or converted",
    arguments: [
      (.integer, 5.5), (.integer, .real(0x1p63)), (.integer, .real(.infinity)), (.integer, "5"), (.integer, .blob([5])),
      (.real, 9_007_199_254_740_993), (.real, .integer(.max)), (.real, "5.0"), (.real, .blob([])),
      (.text, 5), (.text, 5.0), (.text, .blob([0x35])), (.blob, "5"), (.blob, 5),
    ] as [(ValueType, Value)])
  func refused(type: ValueType, value: Value) {
    let error = #expect(throws: QueryError.self) { try ColumnSchema("a", type).stored(value) }
    #expect(error?.code == .kindMismatch)
    #expect(
      error?.summary.hasPrefix("a stores \(type == .text ? "text" : "\(type.rawValue)s") and can't store this ") == true
    )
  }

  @Test("A loosely typed column keeps every value as it is", arguments: ValueType.allCases)
  func loose(type: ValueType) throws {
    let column = ColumnSchema("a", type, declaredType: "")
    for value in [5, 5.0, "5", .blob([5]), .real(.infinity)] as [Value] {
      #expect(try column.stored(value).spelling == value.spelling)
    }
  }

  @Test("Null is kept where it is allowed, NaN nowhere", arguments: ValueType.allCases, [nil, "", "INT"])
  func nulls(type: ValueType, declaredType: String?) throws {
    #expect(try ColumnSchema("a", type, isNullable: true, declaredType: declaredType).stored(.null) == .null)
    expectError(.invalidValue, of: QueryError.self, summary: "a may not be null") {
      try ColumnSchema("a", type, declaredType: declaredType).stored(.null)
    }
    for nan in [Double.nan, -Double.nan, .signalingNaN] {
      expectError(.invalidValue, of: QueryError.self) {
        try ColumnSchema("a", type, isNullable: true, declaredType: declaredType).stored(.real(nan))
      }
    }
  }
}

extension TableSchema {
  /// A table with a column of every type; all but the key may be null.
  static func pokemon() throws -> TableSchema {
    try TableSchema(
      "pokemon",
      columns: [
        ColumnSchema("id", .integer), ColumnSchema("name", .text, isNullable: true),
        ColumnSchema("weight", .real, isNullable: true), ColumnSchema("attack", .integer, isNullable: true),
        ColumnSchema("defense", .integer, isNullable: true), ColumnSchema("image", .blob, isNullable: true),
        ColumnSchema("note", .any, isNullable: true),
      ], primaryKey: ["id"])
  }

  /// A table of columns that hold anything, null included, and that has no key.
  static func anything(_ names: String...) throws -> TableSchema {
    try TableSchema("anything", columns: names.map { ColumnSchema($0, .any, isNullable: true) }, primaryKey: [])
  }
}

extension AnyQuery {
  /// Whether a row of a table matches the query.
  func matches(_ row: [Value], in table: TableSchema) throws -> Bool {
    try resolved(in: table).matches(row)
  }
}
