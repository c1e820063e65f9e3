import Query
package import Repository
package import SQLInspection
import SQL
import SQLStore
import SQLiteStore

// SQLite can't change the type of a column, nor add a reference: the table is made anew by its own statement, with another
// type or the reference.
extension SQLiteCatalog {
  package func retype(_ columns: [RetypedColumn], of table: TableSchema) throws(RepositoryError) {
    let text = try definitionText(of: table)
    let isStrict = try tableEntry(table.name)?.isStrict == true
    let types = columns.map { column in
      // Elsewhere, `ANY` makes numbers of texts: https://www.sqlite.org/datatype3.html#determination_of_column_affinity
      let type = isStrict || column.type != .any ? column.type : .blob
      return (column.name, connection.compiler.dialect.typeName(ColumnSchema(column.name, type)))
    }
    guard text.table(named: table.name, withTypes: types) != nil else {
      throw RepositoryError(
        .unsupported, "can't change the types of \(table.name)",
        reason: "the statement of the table does not list columns with types")
    }
    for column in columns { try checkValues(of: column, in: table) }
    // What SQLite makes of a real has 15 digits: https://www.sqlite.org/lang_expr.html#castexpr
    let values = columns.map { column in (column: column.name, sql: SQLStatement(verbatim: converted(column))) }
    try rebuild(table, taking: values) { name in text.table(named: name, withTypes: types) }
  }

  package func add(
    _ column: ColumnSchema, to table: TableSchema, with clauses: String, isConstant: Bool
  ) throws(RepositoryError) {
    let compiler = connection.compiler
    // `ALTER TABLE` adds no column with a default that is an expression: https://www.sqlite.org/lang_altertable.html
    let isEmpty = try rowCount(ofTable: table.name) == 0
    if isConstant || isEmpty {
      let sql = compiler.addColumn(column, to: table.name, with: clauses)
      return try connection.driver.changeSchema(SQLStatement(verbatim: sql), on: connection)
    }
    let (text, definition) = (try definitionText(of: table), compiler.definition(of: column, with: clauses))
    guard text.table(named: table.name, addingColumn: definition) != nil else { throw Self.unlisted(table) }
    try rebuild(table) { name in text.table(named: name, addingColumn: definition) }
  }

  package func setRequired(_ column: String, _ isRequired: Bool, of table: TableSchema) throws(RepositoryError) {
    let text = try definitionText(of: table)
    guard text.table(named: table.name, requiring: column, isRequired) != nil else { throw Self.unlisted(table) }
    try rebuild(table) { name in text.table(named: name, requiring: column, isRequired) }
  }

  private static func unlisted(_ table: TableSchema) -> RepositoryError {
    RepositoryError(
      .unsupported, "can't change the columns of \(table.name)",
      reason: "the statement of the table does not list columns with types")
  }

  package func addReference(_ reference: ReferenceRule, to table: TableSchema) throws(RepositoryError) {
    let text = try definitionText(of: table)
    let constraint = connection.compiler.foreignKey(reference)
    guard text.table(named: table.name, withTypes: [], adding: constraint) != nil else {
      throw RepositoryError(
        .unsupported, "can't add a reference to \(table.name)",
        reason: "the statement of the table does not list columns")
    }
    try rebuild(table) { name in text.table(named: name, withTypes: [], adding: constraint) }
  }

  private func definitionText(of table: TableSchema) throws(RepositoryError) -> DefinitionText {
    var sql = ""
    try query("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", [.text(table.name)]) { row in
      sql = row.text(0)
    }
    return DefinitionText(sql)
  }

  /// Makes a table anew by another statement, with all that belongs to it.
  ///
  /// - Parameter make: makes the statement, for a name.
  private func rebuild(
    _ table: TableSchema, taking values: [(column: String, sql: SQLStatement)] = [],
    _ make: @escaping @Sendable (String) -> String?
  ) throws(RepositoryError) {
    let plan = RebuildPlan(try written(of: table), taking: values) { name in make(name) ?? "" }
    try SQLiteTableRebuilder(plan, on: connection).run { _ in }
  }

  /// The table without the columns that it computes, which are not copied.
  private func written(of table: TableSchema) throws(RepositoryError) -> TableSchema {
    let computed = try computedColumns(ofTable: table.name)
    return try RepositoryError.translating { () throws(QueryError) in
      try TableSchema(
        table.name, columns: table.columns.filter { !computed.contains(named: $0.name) },
        primaryKey: table.primaryKeyColumns.map(\.name))
    }
  }

  /// The values of a column as another type has them, as SQL; null where that type has no such value.
  private func converted(_ column: RetypedColumn) -> String {
    "\(ConversionFunction.name)(\(connection.compiler.dialect.quoted(column.name)), '\(column.type.rawValue)')"
  }

  /// Refuses values that would become others.
  private func checkValues(of column: RetypedColumn, in table: TableSchema) throws(RepositoryError) {
    let dialect = connection.compiler.dialect
    let (name, source) = (dialect.quoted(column.name), dialect.quoted(table.name))
    let key = table.primaryKeyColumns.map(\.name)
    let identity = key.isEmpty ? try insertionOrder(of: table).map { [$0] } ?? [] : key
    let columns = ([column.name] + identity).map(dialect.quoted).joined(separator: ", ")
    var values: [Value]?
    try query(
      "SELECT \(columns) FROM \(source) WHERE \(name) IS NOT NULL AND \(converted(column)) IS NULL LIMIT 1"
    ) { row in values = row.values(count: identity.count + 1) }
    guard let values, let value = values.first else { return }
    throw .notConvertible(column, of: table.name, value, in: Array(zip(identity, values.dropFirst())))
  }
}
