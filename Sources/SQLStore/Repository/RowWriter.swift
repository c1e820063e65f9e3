package import Query
package import Repository
import SQL

/// A writer of rows to one table by one prepared statement, for rows that the driver can't write together.
///
/// For each row, the values of all columns are bound, then the row is written.
package final class RowWriter {
  let connection: Connection
  private let statement: any PreparedStatement
  private let table: TableSchema
  /// The tests of which values the columns store unchanged.
  private let fits: [ColumnValueTest]

  init(_ connection: Connection, _ statement: any PreparedStatement, _ table: TableSchema, _ fits: [ColumnValueTest]) {
    self.connection = connection
    self.statement = statement
    self.table = table
    self.fits = fits
  }

  // MARK: Binding

  /// Binds a value to a column.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if the column can't hold the value.
  package func bind(_ value: Value, at position: Int) throws(RepositoryError) {
    let column = table.columns[position]
    let stored: Value
    do throws(QueryError) {
      // A row of an import has its own key, so that none is generated.
      if value.isNull, column.isGenerated { throw QueryError(.invalidValue, "\(column.name) may not be null") }
      stored = try column.stored(value)
    } catch {
      throw RepositoryError(.invalidValue, error.summary, suggestion: error.suggestion, underlying: error)
    }
    try statement.bind(stored, at: position)
  }

  /// Binds a value that is known to fit its column.
  package func bindUnchecked(_ value: Value, at position: Int) throws(RepositoryError) {
    try statement.bind(value, at: position)
  }

  /// Binds a UTF-8 text to a column of texts. The buffer has to remain valid until the row is written.
  package func bindUnchecked(text: UnsafeBufferPointer<UInt8>, at position: Int) throws(RepositoryError) {
    try statement.bind(borrowedText: text, at: position)
  }

  /// Binds the values of an element directly, without a row in between.
  ///
  /// - Returns: `false` if a value has to be converted for its column, or refused.
  func bind<Element: Storable>(_ element: Element, _ coder: RowCoder<Element>) throws(RepositoryError) -> Bool {
    var position = 0
    var isBound = true
    var failure: RepositoryError?
    let isWritten = try coder.write(element, in: table) { value in
      if position < fits.count, fits[position].keeps(value) {
        do throws(RepositoryError) {
          try statement.bind(value, at: position)
        } catch {
          failure = error
        }
      } else {
        isBound = false
      }
      position += 1
    }
    if let failure { throw failure }
    return isWritten && isBound && position == fits.count
  }

  /// Binds the checked values of a row.
  func bind(row: [Value]) throws(RepositoryError) { try statement.bind(row) }

  // MARK: Writing

  /// Writes the row whose values are bound. A row that could not be written has no effect.
  ///
  /// - Parameter row: the values that were bound, for the error.
  /// - Throws: ``/Repository/RepositoryError``, which names the columns of a violated constraint.
  func write(_ row: () throws(RepositoryError) -> [Value]) throws(RepositoryError) {
    do throws(RepositoryError) {
      try connection.checkInterruption()
      _ = try statement.step()
    } catch {
      statement.rewind()
      guard connection.driver.isRuleViolation(error) else { throw error }
      throw connection.driver.explain(error, of: .row(try row()), in: table, on: connection)
    }
    statement.rewind()
  }

  /// Writes a row of checked values.
  ///
  /// - Parameter mayBeLeftOut: whether the statement itself may leave the row out.
  /// - Returns: the row as it is stored, with its generated key.
  /// - Throws: ``/Repository/RepositoryError``, with the code ``/Repository/RepositoryError/Code/constraint`` if the table's
  ///   own rules leave the row out, so that it has no key.
  func write(_ row: [Value], mayBeLeftOut: Bool = false) throws(RepositoryError) -> [Value] {
    try statement.bind(row)
    try write { () throws(RepositoryError) in row }
    guard table.primaryKey.count == 1, row[table.primaryKey[0]].isNull else { return row }
    if !mayBeLeftOut, connection.raw.changedRows == 0 {
      throw RepositoryError(
        .constraint, "the database did not add the row to \(table.name), so there is no generated key",
        reason: "a trigger or a rule of the table ignores the row")
    }
    var row = row
    row[table.primaryKey[0]] = .integer(connection.raw.generatedKey)
    return row
  }

  /// Inserts the row whose values are bound.
  ///
  /// - Parameters:
  ///   - isLeftOut: whether previous rows are kept if this one can't be written, for callers that continue with the next row.
  ///   - row: the values that were bound, for the error.
  /// - Returns: whether anything was changed: a table may have a rule by which an existing row is left unchanged.
  /// - Throws: ``/Repository/RepositoryError``, which names the columns of a violated constraint; with the code
  ///   ``/Repository/RepositoryError/Code/transactionFailed`` if the table's own rules have undone the whole transaction.
  package func insert(leavingOutOnFailure isLeftOut: Bool = false, _ row: () -> [Value]) throws(RepositoryError) -> Bool
  {
    let before = connection.raw.totalChangedRows
    do throws(RepositoryError) {
      if isLeftOut, connection.driver.failureScope == .transaction {
        try connection.within(Savepoint.row) { () throws(RepositoryError) in
          try write { () throws(RepositoryError) in row() }
        }
      } else {
        try write { () throws(RepositoryError) in row() }
      }
    } catch {
      // The database itself may have rolled back: further rows would be committed one by one.
      guard connection.isInTransaction else { throw RepositoryError.transactionFailed(error) }
      throw error
    }
    return connection.raw.totalChangedRows != before
  }
}

extension Connection {
  /// Passes a writer of a table to a closure.
  ///
  /// - Parameter text: the statement, an insert or an upsert of all columns.
  func write(
    to table: TableSchema, by text: StatementText, _ fits: [ColumnValueTest],
    _ body: (RowWriter) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    try use(text) { prepared throws(RepositoryError) in try body(RowWriter(self, prepared, table, fits)) }
  }
}
