package import Query
package import Repository
import SQL

/// The replacement of a table: it was dropped with its rows, and a new one of the same name gets rows from elsewhere.
///
/// ``restoreIndexes()`` is called when the new table exists, and ``finish()`` when it has its rows. A table that keeps its rows is
/// rebuilt instead, see ``RebuildPlan``; both restore what named the former table.
package struct TableReplacement {
  let transaction: SQLTransaction
  let table: TableSchema
  let dependents: any TableDependents

  /// Creates the indexes of the former table.
  ///
  /// - Throws: ``/Repository/RepositoryError``, which names the index, if an index is not valid with the new table.
  package func restoreIndexes() throws(RepositoryError) {
    try transaction.performBlocking(.write) { connection throws(RepositoryError) in
      try dependents.restoreIndexes(of: table, on: connection)
    }
  }

  /// Creates all other objects of the former table.
  ///
  /// - Throws: ``/Repository/RepositoryError``, which names the cause, if an object is not valid with the new table, or rows
  ///   would refer to missing rows.
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
