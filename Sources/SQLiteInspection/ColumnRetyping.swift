import Query
package import Repository
package import SQLInspection
import SQL
import SQLStore
import SQLiteStore

// SQLite can't change the type of a column, nor add a reference: the table is made anew by its own statement, in which another type
// or the reference stands.
extension SQLiteCatalog {
  package func retype(_ columns: [RetypedColumn], of table: TableSchema) throws(RepositoryError) {
    let text = try definitionText(of: table)
    let types = columns.map { column in
      (column.name, connection.compiler.dialect.typeName(ColumnSchema(column.name, column.type)))
    }
    guard text.table(named: table.name, withTypes: types) != nil else {
      throw RepositoryError(
        .unsupported, "the types of \(table.name) can't be changed",
        reason: "the statement that made it does not name its columns with their types")
    }
    do throws(RepositoryError) {
      try remake(table) { name in text.table(named: name, withTypes: types) }
    } catch {
      guard error.code == .constraint, columns.count == 1, let column = columns.first else { throw error }
      // SQLite's messages name the temporary table.
      throw mismatch(of: column, in: table, try example(against: column, in: table))
    }
    for column in columns { try checkValues(of: column, in: table) }
  }

  package func addReference(_ reference: ReferenceRule, to table: TableSchema) throws(RepositoryError) {
    let text = try definitionText(of: table)
    let constraint = connection.compiler.foreignKey(reference)
    guard text.table(named: table.name, withTypes: [], adding: constraint) != nil else {
      throw RepositoryError(
        .unsupported, "\(table.name) can't be given a reference",
        reason: "the statement that made it does not name its columns")
    }
    try remake(table) { name in text.table(named: name, withTypes: [], adding: constraint) }
  }

  private func definitionText(of table: TableSchema) throws(RepositoryError) -> DefinitionText {
    var sql = ""
    try query("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", [.text(table.name)]) { row in
      sql = row.text(0)
    }
    return DefinitionText(sql)
  }

  /// Recreates a table by another statement, with all that belongs to it.
  ///
  /// - Parameter make: returns the statement for a name.
  private func remake(
    _ table: TableSchema, _ make: @escaping @Sendable (String) -> String?
  ) throws(RepositoryError) {
    let sequence = try sequence(of: table.name)
    let rebuild = TableRebuild(try written(of: table)) { name in make(name) ?? "" }
    try TableRebuilder(rebuild, on: connection).run { _ in }
    if let sequence {
      let name = connection.compiler.dialect.literal(.text(table.name))
      try connection.execute("UPDATE sqlite_sequence SET seq = \(sequence) WHERE name = \(name)")
    }
  }

  /// The largest number that `AUTOINCREMENT` assigned; `nil` for a table without that.
  private func sequence(of table: String) throws(RepositoryError) -> Int64? {
    var sequence: Int64?
    guard try integer("SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_sequence'") > 0 else { return nil }
    try query("SELECT seq FROM sqlite_sequence WHERE name = ?", [.text(table)]) { row in sequence = row.integer(0) }
    return sequence
  }

  /// The table without its computed columns, which are not copied.
  private func written(of table: TableSchema) throws(RepositoryError) -> TableSchema {
    let computed = try computedColumns(ofTable: table.name)
    do throws(QueryError) {
      return try TableSchema(
        table.name, columns: table.columns.filter { !computed.contains(named: $0.name) },
        primaryKey: table.primaryKeyColumns.map(\.name))
    } catch {
      throw RepositoryError(error)
    }
  }

  /// Refuses values that kept another type, as a table that is not strict allows.
  private func checkValues(of column: RetypedColumn, in table: TableSchema) throws(RepositoryError) {
    let kind: String? =
      switch column.type {
      case .integer: "integer"
      case .real: "real"
      case .text: "text"
      case .blob: "blob"
      case .any: nil
      }
    guard let kind else { return }
    let dialect = connection.compiler.dialect
    let (name, source) = (dialect.quoted(column.name), dialect.quoted(table.name))
    var example: Value?
    try query("SELECT \(name) FROM \(source) WHERE typeof(\(name)) NOT IN ('\(kind)', 'null') LIMIT 1") { row in
      example = row.values(count: 1).first
    }
    if let example { throw mismatch(of: column, in: table, example) }
  }

  private func mismatch(of column: RetypedColumn, in table: TableSchema, _ example: Value?) -> RepositoryError {
    RepositoryError(
      .invalidValue, "\(column.name) of \(table.name) can't be \(column.type)",
      reason: example.map { "a row holds \($0.description.prefix(60)), which is none" } ?? "a row holds what is none")
  }

  /// A value that a strict column of numbers refuses.
  private func example(against column: RetypedColumn, in table: TableSchema) throws(RepositoryError) -> Value? {
    let dialect = connection.compiler.dialect
    let (name, source) = (dialect.quoted(column.name), dialect.quoted(table.name))
    var example: Value?
    // No digit, or one beside letters: a number has neither.
    try query(
      """
      SELECT \(name) FROM \(source) WHERE typeof(\(name)) IN ('text', 'blob') \
      AND (\(name) NOT GLOB '*[0-9]*' OR \(name) GLOB '*[^-+.eE0-9]*') LIMIT 1
      """
    ) { row in example = row.values(count: 1).first }
    return example
  }
}
