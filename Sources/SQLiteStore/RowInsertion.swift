package import Query
package import Repository

/// A statement that inserts rows one by one: all columns are bound, then the row is inserted, and so on.
package final class RowInsertion {
  private let connection: Connection
  private let statement: RawStatement
  private let table: TableSchema

  init(_ connection: Connection, _ statement: RawStatement, _ table: TableSchema) {
    self.connection = connection
    self.statement = statement
    self.table = table
  }

  /// Binds a value to a column.
  ///
  /// - Throws: ``RepositoryError`` where the column can't hold it.
  package func bind(_ value: Value, at position: Int) throws(RepositoryError) {
    let column = table.columns[position]
    let stored: Value
    do throws(QueryError) {
      // A row that comes from elsewhere brings its key along.
      if value.isNull, column.isGenerated { throw QueryError(.invalidValue, "\(column.name) may not be null") }
      stored = try column.stored(value)
    } catch {
      throw RepositoryError(.invalidValue, error.summary, suggestion: error.suggestion, underlying: error)
    }
    try bindKept(stored, at: position)
  }

  /// Binds a value that is known to fit its column.
  package func bindKept(_ value: Value, at position: Int) throws(RepositoryError) {
    do throws(ResultCode) {
      try statement.bind(value, at: position)
    } catch {
      throw RepositoryError(error)
    }
  }

  /// Binds a text, in UTF-8, to a column of texts. It has to stay where it is until the row is inserted.
  package func bindKept(text: UnsafeBufferPointer<UInt8>, at position: Int) throws(RepositoryError) {
    do throws(ResultCode) {
      try statement.bind(keptText: text, at: position)
    } catch {
      throw RepositoryError(error)
    }
  }

  /// Inserts the row, after which all columns have to be bound anew. One that could not be inserted leaves nothing behind.
  ///
  /// - Parameter row: the values that were bound, for the error.
  /// - Returns: whether anything was changed: a table may say itself that a row which is there already is left alone.
  /// - Throws: ``RepositoryError``, which names the columns of a rule that the row breaks.
  package func insert(_ row: () -> [Value]) throws(RepositoryError) -> Bool {
    defer { statement.rewind() }
    let before = connection.totalChanges
    do throws(RepositoryError) {
      try connection.checkInterruption()
      _ = try connection.step(statement)
      return connection.totalChanges != before
    } catch {
      // A table's own rules may undo the whole transaction; another row would be kept for good then.
      guard connection.isInTransaction else { throw RepositoryError.transactionFailed(error) }
      guard error.isBrokenRule else { throw error }
      throw connection.explained(error, row(), in: table)
    }
  }
}
