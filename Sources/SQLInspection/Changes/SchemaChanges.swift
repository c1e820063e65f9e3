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
  ///
  /// - Parameter clause: a default or an expression that the column's schema does not have.
  package func addColumn(
    _ column: ColumnSchema, to table: TableSchema, with clause: ColumnClause? = nil
  ) throws(RepositoryError) {
    try performBlocking(.write) { connection throws(RepositoryError) in
      let sql = try clause?.sql(in: table, connection.compiler) ?? ""
      try connection.inspection.add(column, to: table, with: sql, isConstant: clause != .currentTime)
    }
    let table = table.name
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

  /// Creates a table with its indexes.
  ///
  /// - Parameter clauses: defaults and expressions that the schemas of columns do not have, by their names.
  package func create(_ table: TableSchema, with clauses: [Name: ColumnClause]) throws(RepositoryError) {
    try performBlocking(.write) { connection throws(RepositoryError) in
      try connection.driver.check(table, on: connection)
      var texts: [Name: String] = [:]
      for (name, clause) in clauses { texts[name] = try clause.sql(in: table, connection.compiler) }
      try connection.create([table], with: texts)
    }
  }

  /// Makes a column refuse nulls, or accept them.
  ///
  /// In SQLite, the table is made again, in a transaction of the kind `rebuilding`.
  package func setRequired(_ column: String, _ isRequired: Bool, of table: TableSchema) throws(RepositoryError) {
    try performBlocking(.write) { connection throws(RepositoryError) in
      try connection.inspection.setRequired(column, isRequired, of: table)
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

/// A part of a column's definition that its ``ColumnSchema`` does not have.
package enum ColumnClause: Hashable, Sendable {
  /// The default is the time of the insertion.
  case currentTime
  /// The database computes the values.
  case computed(AnyExpression)

  /// - Throws: ``/Repository/RepositoryError`` for an expression that the table does not have, or the database can't compute.
  fileprivate func sql(in table: TableSchema, _ compiler: Compiler) throws(RepositoryError) -> String {
    switch self {
    case .currentTime: return compiler.clauseOfCurrentTime
    case .computed(let expression):
      let sql = try RepositoryError.translating { () throws(QueryError) in
        try compiler.clause(computing: expression, in: table)
      }
      guard let function = SQLiteDialect.ownFunctions(in: sql).first else { return sql }
      throw RepositoryError(
        .unsupported, "a computed column can't use \(function)",
        reason: "only repokit can compute this, so other programs could not read the table",
        suggestion: "use the function in queries, or in the columns of a query")
    }
  }
}
