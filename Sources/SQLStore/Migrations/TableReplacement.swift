package import Query
package import Repository
import SQL

/// A table that replaces another one, which is dropped first: ``restoreIndexes()`` follows when it exists, and ``finish()``
/// when it has its rows.
package struct TableReplacement {
  let transaction: SQLTransaction
  let table: TableSchema
  let dependents: any TableDependents

  /// Creates the indexes of the former table.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if one is not valid with the new table; it names the index.
  package func restoreIndexes() throws(RepositoryError) {
    try transaction.performBlocking(.write) { connection throws(RepositoryError) in
      try dependents.restoreIndexes(of: table, on: connection)
    }
  }

  /// Creates all other objects of the former table.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if one is not valid with the new table, and if rows would refer to missing rows;
  ///   it names the cause.
  package func finish() throws(RepositoryError) {
    try transaction.performBlocking(.write) { connection throws(RepositoryError) in
      try dependents.restoreRest(of: table, on: connection)
    }
  }
}

extension SQLTransaction {
  /// Drops a table with its rows, in a transaction of the kind ``TransactionKind/rebuilding``.
  ///
  /// - Parameter successor: the table with the same name that is created next.
  /// - Throws: ``/Repository/RepositoryError`` for a view.
  package func drop(_ table: TableSchema, for successor: TableSchema) throws(RepositoryError) -> TableReplacement {
    let dependents = try performBlocking(.write) { connection throws(RepositoryError) in
      try connection.checkIsNoView(table.name)
      return try connection.driver.dropKeepingDependents(table, on: connection)
    }
    return TableReplacement(transaction: self, table: successor, dependents: dependents)
  }
}
