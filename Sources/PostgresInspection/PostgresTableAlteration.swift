import PostgresStore
import Query
package import Repository
import SQL
package import SQLInspection
import SQLStore

// Changes of types, references and columns, for which a server has statements.
extension PostgresCatalog {
  package func retype(_ columns: [RetypedColumn], of table: TableSchema) throws(RepositoryError) {
    let dialect = connection.compiler.dialect
    for column in columns { try checkValues(of: column, in: table) }
    for column in columns {
      let (name, type) = (dialect.quoted(column.name), dialect.typeName(ColumnSchema(column.name, column.type)))
      try connection.execute(
        "ALTER TABLE \(dialect.quoted(table.name)) ALTER COLUMN \(name) TYPE \(type) USING \(name)::\(type)")
    }
  }

  /// Refuses values that would become others, which a cast there and back does not leave as they are.
  private func checkValues(of column: RetypedColumn, in table: TableSchema) throws(RepositoryError) {
    let dialect = connection.compiler.dialect
    let present = try definition(ofTable: table.name)?.columns.first { Name($0.schema.name) == column.name }
    guard let present else { return }
    let (name, type) = (dialect.quoted(column.name), dialect.typeName(ColumnSchema(column.name, column.type)))
    let key = table.primaryKeyColumns.map(\.name)
    let texts = ([column.name] + key).map { "\(dialect.quoted($0))::text" }.joined(separator: ", ")
    var values: [Value]?
    try query(
      """
      SELECT \(texts) FROM \(dialect.quoted(table.name)) \
      WHERE \(name)::\(type)::\(present.declaredType)::text IS DISTINCT FROM \(name)::text LIMIT 1
      """
    ) { row in values = row.values(count: key.count + 1) }
    guard let values, let value = values.first else { return }
    throw .notConvertible(column, of: table.name, value, in: Array(zip(key, values.dropFirst())))
  }

  package func setRequired(_ column: String, _ isRequired: Bool, of table: TableSchema) throws(RepositoryError) {
    let dialect = connection.compiler.dialect
    try connection.execute(
      "ALTER TABLE \(dialect.quoted(table.name)) ALTER COLUMN \(dialect.quoted(column)) "
        + "\(isRequired ? "SET" : "DROP") NOT NULL")
  }

  package func addReference(_ reference: ReferenceRule, to table: TableSchema) throws(RepositoryError) {
    let compiler = connection.compiler
    let name = compiler.dialect.quoted(compiler.foreignKeyName(of: reference, in: table.name))
    try connection.execute(
      "ALTER TABLE \(compiler.dialect.quoted(table.name)) ADD CONSTRAINT \(name) \(compiler.foreignKey(reference))")
  }
}
