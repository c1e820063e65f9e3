public import Query

// What changes a table that is there, one statement each.
extension Compiler {
  /// Adds a column. Whether it is unique or has an index is up to further statements.
  public func addColumn(_ column: ColumnSchema, to table: String) -> String {
    "ALTER TABLE \(dialect.quoted(table)) ADD COLUMN \(definition(of: column))"
  }

  /// Gives a column another name.
  public func renameColumn(_ column: String, to name: String, in table: String) -> String {
    "ALTER TABLE \(dialect.quoted(table)) RENAME COLUMN \(dialect.quoted(column)) TO \(dialect.quoted(name))"
  }

  /// Drops a column with what it holds.
  public func dropColumn(_ column: String, from table: String) -> String {
    "ALTER TABLE \(dialect.quoted(table)) DROP COLUMN \(dialect.quoted(column))"
  }

  /// Gives a table another name.
  public func rename(table: String, to name: String) -> String {
    "ALTER TABLE \(dialect.quoted(table)) RENAME TO \(dialect.quoted(name))"
  }

  /// Drops a table with its rows and indexes.
  public func drop(table: String) -> String { "DROP TABLE \(dialect.quoted(table))" }

  /// Creates an index of one or several columns.
  public func index(on columns: [String], of table: String, name: String, isUnique: Bool) -> String {
    "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(dialect.quoted(name)) ON \(dialect.quoted(table)) "
      + "(\(columns.map(dialect.quoted).joined(separator: ", ")))"
  }

  /// Drops an index.
  public func drop(index name: String, ifExists: Bool = false) -> String {
    "DROP INDEX \(ifExists ? "IF EXISTS " : "")\(dialect.quoted(name))"
  }
}
