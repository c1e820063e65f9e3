package import Query
package import Repository

/// A connection to a database. It has one user at a time; only the interruption may be called from other threads.
package protocol SQLConnection: AnyObject {
  /// Prepares the single statement of a text, for repeated use.
  func prepare(_ sql: String) throws(RepositoryError) -> any PreparedStatement
  /// The transaction status that the connection reports.
  var transactionStatus: TransactionStatus { get }
  /// The number of rows that the latest statement changed, without those of triggers and foreign keys.
  var changedRows: Int { get }
  /// The number of rows that have been changed since the connection was opened, including those of triggers and foreign keys.
  var totalChangedRows: Int { get }
  /// The key that was generated for the last inserted row.
  var generatedKey: Int64 { get }
  /// Interrupts the running statement, and others until ``clearInterruption()``; callable from any thread.
  func interrupt()
  /// Allows statements to run again, also if the interrupted statement had already ended.
  func clearInterruption()
  /// Interrupts the running commit, and later ones, where one may wait and its outcome remains known, as on a server; by default,
  /// it does nothing. Callable from any thread.
  func stop()
  /// Returns a connection to a copy of the current database, for readers during a write.
  func copy() throws(RepositoryError) -> any SQLConnection
  /// Returns whether the database requests maintenance after a commit. Called once per commit.
  func needsMaintenance() -> Bool
  /// Runs the maintenance, with the thread blocked.
  func maintain()
}

extension SQLConnection {
  package func clearInterruption() {}
  package func stop() {}
  package func needsMaintenance() -> Bool { false }
  package func maintain() {}
}

/// A prepared statement, which is also the current row of its result.
package protocol PreparedStatement: Row {
  /// Whether the statement changes nothing in the database.
  var isReadOnly: Bool { get }
  /// The number of values to bind.
  var parameterCount: Int { get }
  /// The names of the result's columns.
  var columnNames: [String] { get }
  /// Binds a value to each placeholder.
  func bind(_ values: [Value]) throws(RepositoryError)
  /// Binds a value to one placeholder, counted from 0.
  func bind(_ value: Value, at position: Int) throws(RepositoryError)
  /// Binds a list to one placeholder as a single value of the database, such as an array.
  func bind(_ list: [Value], of type: ValueType, at position: Int) throws(RepositoryError)
  /// Binds a UTF-8 text that remains valid until the statement is rewound.
  func bind(borrowedText: UnsafeBufferPointer<UInt8>, at position: Int) throws(RepositoryError)
  /// Advances to the next row.
  ///
  /// - Returns: whether there is one.
  func step() throws(RepositoryError) -> Bool
  /// Prepares the statement for other values, which then have to be bound to all placeholders.
  func rewind()
  /// Resets the statement for other values, and releases its current ones.
  func reset()
  /// Returns the bytes of a text or a blob, whether they are valid UTF-8 or not.
  func bytes(at position: Int) -> [UInt8]
}

extension Row {
  /// Returns the text of a column, empty if it is not a text.
  package func text(_ position: Int) -> String { text(at: position) ?? "" }
  /// Returns the integer of a column, 0 if it is not an integer.
  package func integer(_ position: Int) -> Int64 { integer(at: position) ?? 0 }
}

extension PreparedStatement {
  /// Returns the values of the first columns; a text that is not UTF-8 is returned as a blob of its bytes.
  package func values(count: Int) -> [Value] {
    (0..<count).map { position in (try? value(at: position)) ?? .blob(bytes(at: position)) }
  }
}
