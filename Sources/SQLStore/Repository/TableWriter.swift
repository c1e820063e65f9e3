package import Query
package import Repository
import SQL

// Operations on tables of any kind, row by row, so that nothing has to be held in memory.
extension SQLTransaction {
  /// Creates a table and its indexes.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if a table with the name exists, or the database can't store the declared one.
  package func create(_ table: TableSchema) throws(RepositoryError) {
    try performBlocking(.write) { connection throws(RepositoryError) in
      try connection.driver.check(table, on: connection)
      try connection.create([table])
    }
  }

  /// Runs a statement without a result, for tests of features without another interface.
  package func execute(_ sql: String) throws(RepositoryError) {
    try performBlocking(.write) { connection throws(RepositoryError) in _ = try connection.execute(sql) }
  }

  /// Returns a writer of rows to a table.
  ///
  /// - Parameter replacing: whether a row replaces the one with the same key; otherwise, a row with the same key is a conflict.
  package func writer(for table: TableSchema, replacing: Bool) -> TableWriter {
    let compiler = owner.driver.compiler
    let sql = replacing ? compiler.upsert(into: table) : compiler.insert(into: table)
    return TableWriter(
      transaction: self, table: table, mode: replacing ? .save : .insert, text: StatementText(sql))
  }

  /// Returns a writer of some columns of rows to a table: each row is inserted, or updates the one with the same values in
  /// unique columns.
  ///
  /// - Parameters:
  ///   - written: the table with only the written columns.
  ///   - unique: the names of the unique columns, which are among those.
  ///   - table: the table with all columns. A column that is not written keeps its value, and has its default in a new row.
  ///   - kept: the columns that are not written, are not nullable and have no default.
  package func writer(
    for written: TableSchema, updatingBy unique: [String], of table: TableSchema, keeping kept: [String]
  ) throws(RepositoryError) -> TableWriter {
    do throws(QueryError) {
      func positions(_ names: [String]) throws(QueryError) -> [Int] {
        try names.map { name throws(QueryError) in try table.position(of: name) }
      }
      let sql = owner.driver.compiler.upsert(
        try positions(written.columns.map(\.name)), into: table, by: try positions(unique),
        keeping: try positions(kept))
      return TableWriter(
        transaction: self, table: written, mode: .save, text: StatementText(sql), mayWriteTogether: false)
    } catch {
      throw RepositoryError(error)
    }
  }

  /// A writer of rows to one table of a transaction.
  package struct TableWriter {
    let transaction: SQLTransaction
    let table: TableSchema
    let mode: WriteMode
    let text: StatementText
    var mayWriteTogether = true

    /// The maximum number of rows that are written together; 0 if they are written one by one.
    package var rowsWrittenTogether: Int {
      mayWriteTogether ? transaction.owner.driver.rowsWrittenTogether : 0
    }

    /// Writes rows together, if that is equivalent to writing them one by one, and otherwise one by one.
    ///
    /// - Parameters:
    ///   - rows: values that fit their columns.
    ///   - write: writes the row at a position, if they are written one by one, and returns whether the table has accepted it.
    /// - Returns: the number of written rows.
    /// - Throws: what the closure throws, and ``/Repository/RepositoryError`` if the database fails.
    package func write(_ rows: [[Value]], orEach write: (RowWriter, Int) throws -> Bool) throws -> Int {
      if let count = try writeTogether(rows) { return count }
      var count = 0
      try writeEach { writer in
        for position in rows.indices {
          if try write(writer, position) { count += 1 }
        }
      }
      return count
    }

    /// - Returns: the number of written rows; `nil` if none was, and they have to be written one by one.
    private func writeTogether(_ rows: [[Value]]) throws(RepositoryError) -> Int? {
      if rowsWrittenTogether == 0 { return nil }
      return try transaction.performBlocking(.write) { connection throws(RepositoryError) in
        var rows = rows
        let before = connection.raw.totalChangedRows
        let isWritten = try connection.driver.writeTogether(&rows, into: table, by: mode, on: connection)
        return isWritten ? connection.raw.totalChangedRows - before : nil
      }
    }

    /// Writes a row, its values in the order of the table's columns.
    ///
    /// - Throws: ``/Repository/RepositoryError`` if a value does not fit its column, or the row violates a constraint of the
    ///   table.
    package func write(_ row: [Value]) throws(RepositoryError) {
      do {
        try writeEach { writer in
          for (position, value) in row.enumerated() { try writer.bind(value, at: position) }
          _ = try writer.insert { row }
        }
      } catch {
        throw RepositoryError(translating: error)
      }
    }

    /// Writes as many rows as a closure binds, by one prepared statement. The connection is in use meanwhile.
    ///
    /// - Throws: what the closure throws.
    package func writeEach(_ body: (RowWriter) throws -> Void) throws {
      var failure: (any Error)?
      do throws(RepositoryError) {
        try transaction.performBlocking(.write) { connection throws(RepositoryError) in
          try connection.write(to: table, by: text, table.columns.map(ColumnValueTest.init)) {
            writer throws(RepositoryError) in
            do {
              try body(writer)
            } catch {
              failure = error
              // The error is thrown through `performBlocking`, so that the transaction records whether it can continue.
              throw RepositoryError(translating: error)
            }
          }
        }
      } catch {
        throw failure ?? error
      }
    }
  }
}
