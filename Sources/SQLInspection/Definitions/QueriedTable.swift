package import Query
package import Repository
package import SQLStore

/// A table as queries see it: columns of types that the database compares in ways of its own are only shown, as texts.
package struct QueriedTable: Sendable {
  package let schema: TableSchema
  /// The columns that are only shown, each with its type.
  package let shown: [(column: String, type: String)]

  package init(schema: TableSchema, shown: [(column: String, type: String)]) {
    (self.schema, self.shown) = (schema, shown)
  }
}

extension SQLDatabase {
  /// Describes a table or a view as queries see it.
  ///
  /// - Throws: ``RepositoryError`` where there is no such table.
  package func queriedTable(_ name: String) throws(RepositoryError) -> QueriedTable {
    let schema = try schema(ofTable: name)
    let shown = try runBlocking(.read) { connection throws(RepositoryError) in
      try connection.inspection.unsupportedColumns(ofTable: schema.name)
    }
    if shown.isEmpty { return QueriedTable(schema: schema, shown: []) }
    func isShown(_ name: String) -> Bool { shown.contains { Name($0.column) == Name(name) } }
    let columns = schema.columns.map { isShown($0.name) ? $0.stored(as: .shown) : $0 }
    let key = schema.primaryKeyColumns.map(\.name)
    do throws(QueryError) {
      return QueriedTable(
        schema: try TableSchema(
          schema.name, columns: columns, primaryKey: key.contains(where: isShown) ? [] : key,
          references: schema.references.filter { !$0.columns.contains(where: isShown) }),
        shown: shown)
    } catch {
      throw RepositoryError(error)
    }
  }
}
