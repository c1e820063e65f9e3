public import Query

extension Compiler {
  /// Creates a table, and then the indexes that its columns ask for: one statement each.
  public func create(_ table: TableSchema) -> [String] {
    // A single key stands at its column: that is how SQLite makes an integer key the row's own number.
    let hasSingleKey = table.primaryKey.count == 1
    var definitions = table.columns.enumerated().map { position, column in
      var definition = "\(dialect.quoted(column.name)) \(dialect.typeName(column))"
      if !column.isNullable { definition += " NOT NULL" }
      if hasSingleKey, table.primaryKey[0] == position {
        definition += " PRIMARY KEY"
      } else if column.isUnique {
        definition += " UNIQUE"
      }
      return definition
    }
    if table.primaryKey.count > 1 { definitions.append("PRIMARY KEY (\(names(table.primaryKeyColumns)))") }
    let create =
      "CREATE TABLE \(dialect.quoted(table.name)) (\(definitions.joined(separator: ", ")))\(dialect.tableOptions)"
    return [create] + table.columns.filter(\.isIndexed).map { index(on: $0, of: table) }
  }

  /// Drops a table with its rows and indexes.
  public func drop(_ table: TableSchema) -> String { "DROP TABLE \(dialect.quoted(table.name))" }

  /// Creates the index of one column, called `table.column`.
  public func index(on column: ColumnSchema, of table: TableSchema) -> String {
    // Names that could hold the point themselves are quoted, so that no two columns have indexes of one name.
    let name = [table.name, column.name].map { name in
      name.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil }
        ? name : dialect.quoted(name)
    }.joined(separator: ".")
    return "CREATE INDEX \(dialect.quoted(name)) ON \(dialect.quoted(table.name)) (\(dialect.quoted(column.name)))"
  }
}
