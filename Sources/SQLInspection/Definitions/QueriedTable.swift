package import Query
package import Repository
package import SQLStore

/// The part of a table that can be queried: without columns of types that the database compares in ways of its own.
package struct QueriedTable: Sendable {
  package let schema: TableSchema
  /// The columns that are left out, each with its type.
  package let leftOut: [(column: String, type: String)]

  package init(schema: TableSchema, leftOut: [(column: String, type: String)]) {
    (self.schema, self.leftOut) = (schema, leftOut)
  }
}

extension SQLDatabase {
  /// Describes the part of a table or a view that can be queried.
  ///
  /// - Throws: ``RepositoryError`` where there is no such table, and where it has no column that can be queried.
  package func queriedTable(_ name: String) throws(RepositoryError) -> QueriedTable {
    let schema = try schema(ofTable: name)
    let leftOut = try runBlocking(.read) { connection throws(RepositoryError) in
      try connection.inspection.unsupportedColumns(ofTable: schema.name)
    }
    if leftOut.isEmpty { return QueriedTable(schema: schema, leftOut: []) }
    let columns = schema.columns.filter { column in !leftOut.contains { Name($0.column) == column.name } }
    let key = schema.primaryKeyColumns.map(\.name)
    do throws(QueryError) {
      return QueriedTable(
        schema: try TableSchema(
          schema.name, columns: columns, primaryKey: key.allSatisfy { columns.contains(named: $0) } ? key : [],
          references: schema.references.filter { $0.columns.allSatisfy { columns.contains(named: $0) } }),
        leftOut: leftOut)
    } catch {
      throw RepositoryError(error)
    }
  }
}
