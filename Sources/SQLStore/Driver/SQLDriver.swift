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
  /// What the store is called where its statements are told of.
  var name: String { get }
  /// What is told of each statement; `nil` where nothing is.
  var observer: StatementObserver? { get }
  /// Whether results come from a server, so that they are waited for on a thread of the connection's own.
  var waitsForServer: Bool { get }
  /// Whether a commit that was refused because of the locks of others is tried again.
  var retriesCommits: Bool { get }
  /// How rows are found by their keys without a connection for each task; `nil` where there is no such way.
  var pipeline: (any ReadPipeline)? { get }
  /// From where snapshots are read in the place of the database's own connections; `nil` where there is nothing else.
  var replica: (any ReadReplica)? { get }

  /// Opens another connection.
  func connect(_ access: Access) throws(RepositoryError) -> any SQLConnection
  /// Whether the same work may succeed later, as soon as another program releases a lock.
  func isTransient(_ error: RepositoryError) -> Bool
  /// Begins, ends or undoes a transaction or a part of one.
  func control(_ command: TransactionCommand, on connection: Connection) throws(RepositoryError)
  /// The catalogue of the database, as a connection sees it.
  func catalog(on connection: Connection) -> any SQLCatalog
  /// What says whether others have committed something since it was asked last; `nil` where there are no others.
  func lookout(by connections: ResourcePool<Connection>) -> (@Sendable () -> Bool)?
  /// Tells other processes that something was committed, where they would not notice.
  func tellOthers()

  /// Checks that the database can keep a table as it is declared.
  ///
  /// - Throws: ``/Repository/RepositoryError`` with the code ``/Repository/RepositoryError/Code/unsupported``, which names what can't be kept.
  func check(_ table: TableSchema, on connection: Connection) throws(RepositoryError)
  /// How many rows are written together at most; 0 where they are written one by one.
  var rowsWrittenTogether: Int { get }
  /// Writes rows together, if that comes to the same as writing them one by one.
  ///
  /// - Parameter rows: the checked values of the rows; they are given the keys that were generated for them.
  /// - Returns: `false` where they were not written, and nothing of them is kept.
  func writeTogether(
    _ rows: inout [[Value]], into table: TableSchema, by mode: WriteMode, on connection: Connection
  ) throws(RepositoryError) -> Bool
  /// Inserts rows while they are made, if that comes to the same as writing them one by one.
  ///
  /// - Parameters:
  ///   - count: how many there are.
  ///   - makeRow: makes the checked values of a row, by its number from 0 on; it is asked for each in turn.
  /// - Returns: `false` where they were not written, and nothing of them is kept.
  func insertTogether(
    _ count: Int, into table: TableSchema, on connection: Connection,
    _ makeRow: (_ number: Int) throws(RepositoryError) -> [Value]
  ) throws(RepositoryError) -> Bool

  /// The error of a statement that could not be prepared, with all that can be found out about it: what is broken may be a view,
  /// a trigger or a foreign key that the statement does not name itself.
  func explain(_ error: RepositoryError, preparing sql: String, on connection: Connection) -> RepositoryError
  /// Whether an error says that a rule of a table was broken, of which ``explain(_:of:in:on:)`` may tell more.
  func isRuleViolation(_ error: RepositoryError) -> Bool
  /// The error of a failed write with all that can be found out about it: the columns, the values, the other table.
  func explain(
    _ error: RepositoryError, of write: FailedWrite, in table: TableSchema, on connection: Connection
  ) -> RepositoryError

  /// The statement that brings a column's values of a form into the format of their type; `nil` where there is none.
  func conversion(ofColumn column: String, in table: String, from form: ForeignForm) -> String?
  /// What to do about a column with values of a form, in one sentence.
  func advice(onColumn column: String, in table: String, holding form: ForeignForm) -> String?

  /// Runs a statement that defines, changes or drops a table, which another program may have made.
  func changeSchema(_ statement: SQLStatement, on connection: Connection) throws(RepositoryError)
  /// Replaces a table by one with another schema.
  ///
  /// - Parameter note: is given each statement that was run.
  func rebuild(
    _ rebuild: TableRebuild, on connection: Connection, note: (SQLStatement) -> Void
  ) throws(RepositoryError)
  /// Drops a table with its rows, in whose place another one is created next. Rows of other tables stay.
  ///
  /// - Returns: what has to be there again then.
  func dropKeepingDependents(
    _ table: TableSchema, on connection: Connection
  ) throws(RepositoryError) -> any TableDependents
  /// Builds an index outside of any transaction while others write, unless it is there.
  ///
  /// - Returns: `false` where the database has no such way, so that nothing was done.
  func buildConcurrently(_ index: MigratedIndex) async throws(RepositoryError) -> Bool
  /// The statement by which it does so, for one that creates an index.
  func concurrentStatement(_ statement: String) -> String
  /// Tries changes of the schema out, of which nothing is kept.
  ///
  /// - Parameter body: is given a connection whose database has the same schema.
  func tryOut(on connection: Connection, _ body: (Connection) throws(RepositoryError) -> Void) throws(RepositoryError)

  /// Whether a writer of another process has been waiting, so that it goes first.
  var hasQueuedWriter: Bool { get }
  /// Joins the queue of the writers of all processes; `nil` where there is none.
  func joinWriteQueue() -> (any WriteQueuePlace)?
}

extension SQLDriver {
  package var observer: StatementObserver? { nil }
  package func lookout(by connections: ResourcePool<Connection>) -> (@Sendable () -> Bool)? { nil }
  package func tellOthers() {}
  package var waitsForServer: Bool { false }
  package var rowsWrittenTogether: Int { 0 }
  package func writeTogether(
    _ rows: inout [[Value]], into table: TableSchema, by mode: WriteMode, on connection: Connection
  ) throws(RepositoryError) -> Bool { false }
  package func insertTogether(
    _ count: Int, into table: TableSchema, on connection: Connection,
    _ makeRow: (_ number: Int) throws(RepositoryError) -> [Value]
  ) throws(RepositoryError) -> Bool { false }
  package var retriesCommits: Bool { true }
  package var pipeline: (any ReadPipeline)? { nil }
  package var replica: (any ReadReplica)? { nil }
  package func check(_ table: TableSchema, on connection: Connection) throws(RepositoryError) {}
  package func explain(
    _ error: RepositoryError, preparing sql: String, on connection: Connection
  ) -> RepositoryError { error }
  package func buildConcurrently(_ index: MigratedIndex) async throws(RepositoryError) -> Bool { false }
  package func concurrentStatement(_ statement: String) -> String { statement }
  package func isTransient(_ error: RepositoryError) -> Bool { error.code == .busy }
  package func conversion(ofColumn column: String, in table: String, from form: ForeignForm) -> String? { nil }
  package func advice(onColumn column: String, in table: String, holding form: ForeignForm) -> String? { nil }
  package var hasQueuedWriter: Bool { false }
  package func joinWriteQueue() -> (any WriteQueuePlace)? { nil }
}

/// An entry in the queue of waiting writers; it leaves the queue with its last reference.
package protocol WriteQueuePlace: AnyObject {
  /// Whether no other process has been waiting for longer.
  var isFirst: Bool { get }
}

/// What a connection is used for.
package enum Access: Hashable, Sendable {
  case read
  case write
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

/// A write that broke a rule.
package enum FailedWrite {
  /// Rows were written one by one, and this is the one that failed.
  case row([Value])
  case update(ResolvedQuery, ResolvedAssignments)
  case deletion(CompiledStatement)
}
