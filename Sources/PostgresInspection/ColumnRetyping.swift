import PostgresStore
import Query
package import Repository
import SQL
package import SQLInspection
import SQLStore

extension PostgresCatalog {
  package func retype(_ columns: [RetypedColumn], of table: TableSchema) throws(RepositoryError) {
    let dialect = connection.compiler.dialect
    for column in columns {
      let (name, type) = (dialect.quoted(column.name), dialect.typeName(ColumnSchema(column.name, column.type)))
      try connection.execute(
        "ALTER TABLE \(dialect.quoted(table.name)) ALTER COLUMN \(name) TYPE \(type) USING \(name)::\(type)")
    }
  }

  package func addReference(_ reference: ReferenceRule, to table: TableSchema) throws(RepositoryError) {
    let compiler = connection.compiler
    let name = compiler.dialect.quoted(compiler.foreignKeyName(of: reference, in: table.name))
    try connection.execute(
      "ALTER TABLE \(compiler.dialect.quoted(table.name)) ADD CONSTRAINT \(name) \(compiler.foreignKey(reference))")
  }
}
