import Query

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
  /// Whether the query means a row of a table.
  func matches(_ row: [Value], in table: TableSchema) throws -> Bool {
    try resolved(in: table).matches(row)
  }
}
