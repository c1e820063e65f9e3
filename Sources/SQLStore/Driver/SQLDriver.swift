package import Query
package import Repository
package import SQL

/// A database: where its connections come from, and what its engine does in its own way.
///
/// Everything else in this module asks the driver instead of assuming one engine's behaviour: its SQL dialect, which
/// writers may run concurrently, what a failed statement leaves of a transaction.
package protocol SQLDriver: AnyObject, Sendable {
  /// Writes requests in the database's SQL.
  var compiler: Compiler { get }
  /// Which connections may be in use concurrently.
  var concurrency: ConcurrencyModel { get }
  /// What a failed statement undoes within a transaction.
  var failureScope: FailureScope { get }
  /// Whether other programs may write to the database, so that observers have to look for their commits.
  var isShared: Bool { get }

  /// Opens another connection.
  func connect(_ access: Access) throws(RepositoryError) -> any SQLConnection
  /// Whether the same work may succeed later, as soon as another program releases a lock.
  func isTransient(_ error: RepositoryError) -> Bool
  /// Begins, ends or undoes a transaction or a part of one.
  func control(_ command: TransactionCommand, on connection: Connection) throws(RepositoryError)
  /// The catalogue of the database, as a connection sees it.
  func catalog(on connection: Connection) -> any SQLCatalog
  /// A number that changes when another connection has committed; `nil` where the database has none.
  func commitCounter(on connection: Connection) throws(RepositoryError) -> Int?

  /// Whether an error says that a rule of a table was broken, of which ``explain(_:of:in:on:)`` may tell more.
  func isRuleViolation(_ error: RepositoryError) -> Bool
  /// The error of a failed write with all that can be found out about it: the columns, the values, the other table.
  func explain(
    _ error: RepositoryError, of write: FailedWrite, in table: TableSchema, on connection: Connection
  ) -> RepositoryError

  /// Runs a statement that defines, changes or drops a table, which another program may have made.
  func changeSchema(_ statement: SQLStatement, on connection: Connection) throws(RepositoryError)
  /// Replaces a table by one with another schema.
  ///
  /// - Parameter note: is given each statement that was run.
  func rebuild(
    _ rebuild: TableRebuild, on connection: Connection, note: (SQLStatement) -> Void
  ) throws(RepositoryError)
  /// An empty copy of the database with everything that its schema names, to try migrations on.
  func copySchema(of connection: Connection) throws(RepositoryError) -> Connection

  /// Whether a writer of another process has been waiting, so that it goes first.
  var hasQueuedWriter: Bool { get }
  /// Joins the queue of the writers of all processes; `nil` where there is none.
  func joinWriteQueue() -> (any WriteQueuePlace)?
}

extension SQLDriver {
  package func isTransient(_ error: RepositoryError) -> Bool { error.code == .busy }
  package var hasQueuedWriter: Bool { false }
  package func joinWriteQueue() -> (any WriteQueuePlace)? { nil }
}

/// An entry in the queue of waiting writers; it leaves the queue with its last reference.
package protocol WriteQueuePlace: AnyObject {
  /// Whether no other process has been waiting for longer.
  var isFirst: Bool { get }
}

/// One connection to a database. It has one user at a time; only ``interrupt()`` may be called from other threads.
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
  /// Stops the statement that is running. From any thread.
  func interrupt()
  /// A connection to a copy of the database as it is now, for readers beside a writer.
  func copy() throws(RepositoryError) -> any SQLConnection
  /// Whether the database asks for maintenance after a commit. It is asked once a commit.
  func needsMaintenance() -> Bool
  /// Does the maintenance; the thread is blocked meanwhile.
  func maintain()
}

extension SQLConnection {
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

/// What a database says about its tables.
package protocol SQLCatalog {
  /// The names of the tables and views in alphabetical order, without those of the database and of the migrations.
  func tableNames() throws(RepositoryError) -> [String]
  /// Describes a table or a view; `nil` where there is none of exactly this name.
  func schema(ofTable name: String) throws(RepositoryError) -> TableSchema?
  /// Those checks of a schema that its table has.
  func checks(of expected: TableSchema) throws(RepositoryError) -> [CheckRule]
  /// Whether a name is a view's.
  func isView(_ name: String) throws(RepositoryError) -> Bool
  /// Whether a name is that of a table that can be altered, neither a view's nor that of a table of another kind.
  func isAlterable(_ name: String) throws(RepositoryError) -> Bool
  /// The columns that have a value in a row that is added without them.
  func columnsWithDefault(ofTable name: String) throws(RepositoryError) -> Set<Value>
  /// The columns that the database computes, so that they can't be written.
  func computedColumns(ofTable name: String) throws(RepositoryError) -> [String]
  /// The names of the other tables that have a foreign key to a table.
  func tables(referringTo name: String) throws(RepositoryError) -> [String]
  /// A column, none of the schema's, that has rows in the order in which they were added; `nil` where there is none.
  func insertionOrder(of table: TableSchema) throws(RepositoryError) -> String?
  /// How many rows refer to rows that are not there, by the names of both tables.
  func brokenReferenceCounts() throws(RepositoryError) -> [[Value]: Int]
}

/// Which connections of a database may be in use concurrently.
package enum ConcurrencyModel: Hashable, Sendable {
  /// One connection does everything. While a transaction is open, others read a copy where the database can be copied.
  case single(copiesForReaders: Bool)
  /// One connection writes, and several read beside it.
  case oneWriter(readers: Int)
  /// Any connection reads and writes beside the others.
  case independent(connections: Int)
}

/// How far a failed statement reaches within a transaction.
package enum FailureScope: Hashable, Sendable {
  /// The statement alone is undone, and the transaction goes on (SQLite, for most errors).
  case statement
  /// The transaction refuses everything until it goes back to a savepoint (PostgreSQL).
  case transaction
}

/// What a connection says about its transaction.
package enum TransactionStatus: Hashable, Sendable {
  /// None is open: a statement commits by itself.
  case none
  case open
  /// One is open in which nothing can be done but going back to a savepoint.
  case failed
}

/// A transaction, or a part of one that can be undone alone.
package enum TransactionLevel: Hashable, Sendable {
  case reading
  case writing
  /// Writing, with foreign keys checked at the end on request instead of being enforced all the time.
  case rebuilding
  case savepoint(Int)

  /// What it needs a connection for.
  package var access: Access { self == .reading ? .read : .write }

  /// The savepoint of a part of a repository's work, which never holds another of its kind.
  static let work = TransactionLevel.savepoint(0)
  /// The savepoint to which one piece of work in a transaction goes back where a failed statement would end it all.
  static let containment = TransactionLevel.savepoint(1_000_001)
}

/// What is done to a transaction.
package enum TransactionCommand: Hashable, Sendable {
  case begin(TransactionLevel)
  case commit(TransactionLevel)
  case rollBack(TransactionLevel)
}

/// What a connection is used for.
package enum Access: Hashable, Sendable {
  case read
  case write
}

/// A write that broke a rule.
package enum FailedWrite {
  /// Rows were written one by one, and this is the one that failed.
  case row([Value])
  case update(ResolvedQuery, ResolvedAssignments)
  case deletion(CompiledStatement)
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
