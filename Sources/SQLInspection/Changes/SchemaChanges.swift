package import Query
package import Repository
import SQL
package import SQLStore

// Changes of single tables, as people make them; programs have migrations.
extension SQLTransaction {
  /// Drops a table with its rows and indexes.
  ///
  /// - Throws: ``/Repository/RepositoryError`` where other tables refer to it.
  package func dropTable(_ name: String) throws(RepositoryError) {
    try performBlocking(.write) { connection throws(RepositoryError) in try connection.drop(table: name) }
  }

  /// Creates a view of the rows of a projection.
  ///
  /// - Parameter isOrdered: whether its rows are to come in an order, as far as the database keeps one.
  /// - Throws: ``/Repository/RepositoryError`` where it would need functions that other programs lack.
  package func createView(
    _ name: String, columns: [String], of projection: ResolvedProjection, isOrdered: Bool
  ) throws(RepositoryError) {
    try performBlocking(.write) { connection throws(RepositoryError) in
      let order = isOrdered ? ResultOrder.sort : .any
      let sql = connection.compiler.createView(name, columns: columns, of: projection, in: order)
      let own = SQLiteDialect.ownFunctions(in: sql)
      if !own.isEmpty {
        throw RepositoryError(
          .unsupported, "the view \(name) can't contain \(own.joined(separator: ", "))",
          reason: "only repokit can compute this, so other programs could not read the view",
          suggestion: "remove this part from the view, and write this part in queries of the view")
      }
      try connection.execute(sql)
      // A view is looked into no earlier than it is read.
      _ = try connection.catalog.schema(ofTable: name)
    }
  }

  /// Drops a view.
  ///
  /// - Throws: ``/Repository/RepositoryError`` where other views read it.
  package func dropView(_ name: String) throws(RepositoryError) {
    try performBlocking(.write) { connection throws(RepositoryError) in
      func unreadable() throws(RepositoryError) -> [String] {
        try connection.catalog.tableNames().filter { (try? connection.catalog.schema(ofTable: $0)) == nil }
      }
      let before = try unreadable()
      try connection.execute(connection.compiler.drop(view: name))
      let broken = try unreadable().filter { !before.contains($0) }
      if broken.isEmpty { return }
      throw RepositoryError(
        .constraint, "other views read \(name)",
        reason: "dropping the view would break \(broken.joined(separator: ", "))",
        suggestion: "drop \(broken.joined(separator: ", ")) first")
    }
  }

  /// Renames a table; references, views and triggers follow.
  package func renameTable(_ table: String, to name: String) throws(RepositoryError) {
    try changeSchema { $0.rename(table: table, to: name) }
  }

  /// Adds a column, with the index that it asks for.
  package func addColumn(_ column: ColumnSchema, to table: String) throws(RepositoryError) {
    try changeSchema { $0.addColumn(column, to: table) }
    guard column.isUnique || column.isIndexed else { return }
    try changeSchema { compiler in
      compiler.index(
        on: [column], of: table, name: compiler.indexName(of: [column.name], in: table), isUnique: column.isUnique)
    }
  }

  /// Renames a column; indexes, triggers and views that name it follow.
  package func renameColumn(_ column: String, to name: String, of table: String) throws(RepositoryError) {
    try changeSchema { $0.renameColumn(column, to: name, in: table) }
  }

  /// Drops a column with its values, and the indexes of only this column.
  ///
  /// - Throws: ``/Repository/RepositoryError`` that names the definitions in the way.
  package func dropColumn(_ column: String, of table: String, indexes: [String]) throws(RepositoryError) {
    for index in indexes { try changeSchema { $0.drop(index: index) } }
    try performBlocking(.write) { connection throws(RepositoryError) in
      try connection.inspection.drop(column: column, of: table)
    }
  }

  /// Creates tables with their indexes; they may refer to each other.
  package func create(_ tables: [TableSchema]) throws(RepositoryError) {
    try performBlocking(.write) { connection throws(RepositoryError) in
      for table in tables { try connection.driver.check(table, on: connection) }
      try connection.create(tables)
    }
  }

  private func changeSchema(_ statement: (Compiler) -> String) throws(RepositoryError) {
    try performBlocking(.write) { connection throws(RepositoryError) in
      try connection.driver.changeSchema(SQLStatement(verbatim: statement(connection.compiler)), on: connection)
    }
  }
}

extension SQLDatabase {
  /// Views and triggers that can't be used, each with the reason; none where the database keeps them from being so.
  package func unusableDefinitions() throws(RepositoryError) -> [String] {
    try runBlocking(.read) { connection throws(RepositoryError) in try connection.inspection.unusableDefinitions() }
  }
}

extension SQLTransaction {
  /// Views and triggers that can't be used within the transaction, each with the reason.
  package func unusableDefinitions() throws(RepositoryError) -> [String] {
    try performBlocking(.write) { connection throws(RepositoryError) in try connection.inspection.unusableDefinitions()
    }
  }
}
