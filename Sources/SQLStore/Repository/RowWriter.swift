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
    try bindUnchecked(stored, at: position)
  }

  /// Binds a value that is known to fit its column.
  package func bindUnchecked(_ value: Value, at position: Int) throws(RepositoryError) {
    do throws(ResultCode) {
      try statement.bind(value, at: position)
    } catch {
      throw RepositoryError(error)
    }
  }

  /// Binds a text, in UTF-8, to a column of texts. It has to stay where it is until the row is inserted.
  package func bindUnchecked(text: UnsafeBufferPointer<UInt8>, at position: Int) throws(RepositoryError) {
    do throws(ResultCode) {
      try statement.bind(borrowedText: text, at: position)
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

/// Binds the values of elements to a statement, one by one as they are handed out, without a row in between.
struct RowBinder {
  private let statement: RawStatement
  private let fits: [ColumnValueTest]

  init(_ statement: RawStatement, _ fits: [ColumnValueTest]) {
    self.statement = statement
    self.fits = fits
  }

  /// Binds an element's values.
  ///
  /// - Returns: `false` where a column has to convert a value, or to refuse it.
  func bind<Element: Storable>(
    _ element: Element, _ coder: RowCoder<Element>, _ table: TableSchema
  ) throws(RepositoryError) -> Bool {
    var position = 0
    var isKept = true
    var failure: ResultCode?
    let isWritten = try coder.write(element, in: table) { value in
      if position < fits.count, fits[position].keeps(value) {
        do throws(ResultCode) {
          try statement.bind(value, at: position)
        } catch {
          failure = error
        }
      } else {
        isKept = false
      }
      position += 1
    }
    if let failure { throw RepositoryError(failure) }
    return isWritten && isKept && position == fits.count
  }
}
