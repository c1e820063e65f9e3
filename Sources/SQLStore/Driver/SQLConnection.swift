package import Query
package import Repository

/// One connection to a database. It has one user at a time; only the interruption may be called from other threads.
package protocol SQLConnection: AnyObject {
  /// Prepares the one statement of a text, which is kept to be run again.
  func prepare(_ sql: String) throws(RepositoryError) -> any PreparedStatement
  /// What the connection says about its transaction.
  var transactionStatus: TransactionStatus { get }
  /// How many rows the latest statement changed, those of triggers and foreign keys left out.
  var changedRows: Int { get }
  /// How many rows have been changed since the connection was opened, those of triggers and foreign keys included.
  var totalChangedRows: Int { get }
  /// The key that was generated for the row inserted last.
  var generatedKey: Int64 { get }
  /// Stops the statement that is running, and others until ``clearInterruption()``. From any thread.
  func interrupt()
  /// Lets statements run again, after an interruption that came too late for the one it was meant for, too.
  func clearInterruption()
  /// A connection to a copy of the database as it is now, for readers beside a writer.
  func copy() throws(RepositoryError) -> any SQLConnection
  /// Whether the database asks for maintenance after a commit. It is asked once a commit.
  func needsMaintenance() -> Bool
  /// Does the maintenance; the thread is blocked meanwhile.
  func maintain()
}

extension SQLConnection {
  package func clearInterruption() {}
  package func needsMaintenance() -> Bool { false }
  package func maintain() {}
}

/// A prepared statement, which is also the row that its result has reached.
package protocol PreparedStatement: Row {
  /// Whether it changes nothing in the database.
  var isReadOnly: Bool { get }
  /// How many values have to be bound.
  var parameterCount: Int { get }
  /// The names of the result's columns.
  var columnNames: [String] { get }
  /// Binds a value to each placeholder.
  func bind(_ values: [Value]) throws(RepositoryError)
  /// Binds a value to one placeholder, counted from 0.
  func bind(_ value: Value, at position: Int) throws(RepositoryError)
  /// Binds a list to one placeholder as the one value that it is in the database, such as an array.
  func bind(_ list: [Value], of type: ValueType, at position: Int) throws(RepositoryError)
  /// Binds a text in UTF-8 that stays where it is until the statement is rewound.
  func bind(borrowedText: UnsafeBufferPointer<UInt8>, at position: Int) throws(RepositoryError)
  /// Goes to the next row.
  ///
  /// - Returns: whether there is one.
  func step() throws(RepositoryError) -> Bool
  /// Makes the statement ready for other values, which have to be bound to all placeholders then.
  func rewind()
  /// Resets the statement for other values, and releases its current ones.
  func reset()
  /// The bytes of a text or a blob, whether they are UTF-8 or not.
  func bytes(at position: Int) -> [UInt8]
}

extension Row {
  /// The text of a column, empty where it holds none.
  package func text(_ position: Int) -> String { text(at: position) ?? "" }
  /// The integer of a column, 0 where it holds none.
  package func integer(_ position: Int) -> Int64 { integer(at: position) ?? 0 }
}

extension PreparedStatement {
  /// The values of the first columns; the bytes of a text that is not UTF-8.
  package func values(count: Int) -> [Value] {
    (0..<count).map { position in (try? value(at: position)) ?? .blob(bytes(at: position)) }
  }
}
