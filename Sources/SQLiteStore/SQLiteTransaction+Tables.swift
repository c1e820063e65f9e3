package import Query
package import Repository
import SQL

// What may be done to tables of any kind, row by row, so that nothing has to be held in memory.
extension SQLiteTransaction {
  /// Creates a table and its indexes.
  package func create(_ table: TableSchema) throws(RepositoryError) {
    try performBlocking(.write) { connection throws(RepositoryError) in try connection.create(table) }
  }

  /// Runs a statement that has no result, for tests of what can't be asked in another way.
  package func execute(_ sql: String) throws(RepositoryError) {
    try performBlocking(.write) { connection throws(RepositoryError) in _ = try connection.execute(sql) }
  }

  /// Drops a table with its rows and indexes.
  ///
  /// - Throws: as ``Connection/drop(table:)`` does.
  package func drop(_ table: TableSchema) throws(RepositoryError) {
    try performBlocking(.write) { connection throws(RepositoryError) in try connection.drop(table: table.name) }
  }

  /// Writes rows one at a time.
  ///
  /// - Parameter replacing: whether a row takes the place of the one with the same key, or that is a conflict.
  package func writer(for table: TableSchema, replacing: Bool) -> RowWriter {
    RowWriter(
      transaction: self, table: table,
      sql: replacing ? SQLiteStore.compiler.upsert(into: table) : SQLiteStore.compiler.insert(into: table))
  }

  /// Writes rows to one table.
  package struct RowWriter {
    let transaction: SQLiteTransaction
    let table: TableSchema
    let sql: String

    /// Writes a row, its values in the order of the table's columns.
    ///
    /// - Throws: ``RepositoryError`` where a value does not fit its column, or the row breaks a rule of the table.
    package func write(_ row: [Value]) throws(RepositoryError) {
      do {
        try writeEach { insertion in
          for (position, value) in row.enumerated() { try insertion.bind(value, at: position) }
          _ = try insertion.insert { row }
        }
      } catch {
        throw RepositoryError(translating: error)
      }
    }

    /// Writes as many rows as a closure binds, by one prepared statement. Nobody else has the connection meanwhile.
    ///
    /// - Throws: what the closure throws.
    package func writeEach(_ body: (RowInsertion) throws -> Void) throws {
      var failure: (any Error)?
      try transaction.performBlocking(.write) { connection throws(RepositoryError) in
        try connection.use(StatementText(sql)) { prepared throws(RepositoryError) in
          do {
            try body(RowInsertion(connection, prepared, table))
          } catch {
            failure = error
            // The transaction looks at what has become of it.
            if let error = error as? RepositoryError { throw error }
          }
        }
      }
      if let failure { throw failure }
    }
  }
}

extension SQLiteStore {
  /// The names of a table's columns that the database computes, so that nobody can write them.
  /// https://www.sqlite.org/pragma.html#pragma_table_xinfo
  package func computedColumns(ofTable name: String) throws(RepositoryError) -> [String] {
    var names: [String] = []
    try runBlocking(.read) { connection throws(RepositoryError) in
      let statement = CompiledStatement(
        sql: "SELECT name FROM pragma_table_xinfo(?) WHERE hidden IN (2, 3) ORDER BY cid", bindings: [.text(name)])
      try connection.query(statement) { row in names.append(row.text(0)) }
    }
    return names
  }
}
