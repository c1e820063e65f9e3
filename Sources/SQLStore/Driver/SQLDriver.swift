package import Query
package import Repository
package import SQL

/// A driver of a database: it opens connections, and implements what differs between engines.
///
/// Everything else in this module queries the driver instead of assuming one engine's behaviour: its SQL dialect, which
/// writers may run concurrently, how a failed statement affects a transaction.
package protocol SQLDriver: AnyObject, Sendable {
  /// The compiler of requests to the database's SQL.
  var compiler: Compiler { get }
  /// The concurrency of connections.
  var concurrency: ConcurrencyModel { get }
  /// The scope of a failed statement within a transaction.
  var failureScope: FailureScope { get }
  /// The name of the store in statement events.
  var name: String { get }
  /// The observer of statements; `nil` if there is none.
  var observer: StatementObserver? { get }
  /// Whether connections have the functions of ``ValueConversion``, by which columns are read as something else than they hold.
  var convertsValues: Bool { get }
  /// Whether a commit that was refused because of locks of other connections is retried.
  var retriesCommits: Bool { get }
  /// The pipeline that finds rows by their keys without a connection for each task; `nil` if there is none.
  var pipeline: (any ReadPipeline)? { get }
  /// The replica for snapshots in place of the database's own connections; `nil` if there is none.
  var replica: (any ReadReplica)? { get }

  /// Makes the executor of one connection, on which tasks wait for results of a server; `nil` if the database answers on the
  /// calling thread.
  func makeExecutor() -> (any TaskExecutor)?
  /// Opens another connection.
  func connect(_ access: Access) throws(RepositoryError) -> any SQLConnection
  /// Returns whether the same work may succeed later, when another program releases a lock.
  func isTransient(_ error: RepositoryError) -> Bool
  /// Begins, ends or rolls back a transaction or a part of one.
  func control(_ command: TransactionCommand, on connection: Connection) throws(RepositoryError)
  /// Returns the catalogue of the database, as a connection sees it.
  func catalog(on connection: Connection) -> any SQLCatalog
  /// Returns a function that reports whether other stores or programs have committed since its last call; `nil` if their
  /// commits can't be detected.
  func makeCommitPoll(using connections: ResourcePool<Connection>) -> (@Sendable () -> Bool)?
  /// Notifies other processes of a commit, if they can't detect it by themselves.
  func notifyOtherProcesses()

  /// Checks that the database can store a table as it is declared.
  ///
  /// - Throws: ``/Repository/RepositoryError`` with the code ``/Repository/RepositoryError/Code/unsupported``, which names
  ///   what can't be stored.
  func check(_ table: TableSchema, on connection: Connection) throws(RepositoryError)
  /// The maximum number of rows that are written together; 0 if they are written one by one.
  var rowsWrittenTogether: Int { get }
  /// Writes rows together, if that is equivalent to writing them one by one.
  ///
  /// - Parameter rows: the checked values of the rows; generated keys are set in them.
  /// - Returns: `false` if they were not written, without any effect.
  func writeTogether(
    _ rows: inout [[Value]], into table: TableSchema, by mode: WriteMode, on connection: Connection
  ) throws(RepositoryError) -> Bool
  /// Inserts rows while they are made, if that is equivalent to writing them one by one.
  ///
  /// - Parameters:
  ///   - count: the number of rows.
  ///   - makeRow: makes the checked values of a row, by its number from 0 on; called for each in turn.
  /// - Returns: `false` if they were not written, without any effect.
  func insertTogether(
    _ count: Int, into table: TableSchema, on connection: Connection,
    _ makeRow: (_ number: Int) throws(RepositoryError) -> [Value]
  ) throws(RepositoryError) -> Bool

  /// Returns the error of a statement that could not be prepared, with all available details: the cause may be a view, a trigger
  /// or a foreign key that the statement does not name itself.
  func explain(_ error: RepositoryError, preparing sql: String, on connection: Connection) -> RepositoryError
  /// Returns whether an error is a constraint violation, about which ``explain(_:of:in:on:)`` may have more details.
  func isRuleViolation(_ error: RepositoryError) -> Bool
  /// Returns the error of a failed write with all available details: the columns, the values, the other table.
  func explain(
    _ error: RepositoryError, of write: FailedWrite, in table: TableSchema, on connection: Connection
  ) -> RepositoryError

  /// Returns the error of a commit that violated a deferred constraint with all available details; the transaction may still
  /// be open.
  func explain(_ error: RepositoryError, ofCommitOn connection: Connection) -> RepositoryError

  /// Returns the statement that converts a column's values of a form to the format of their type; `nil` if there is none.
  func conversion(ofColumn column: String, in table: String, from form: NonCanonicalForm) -> String?
  /// Returns the advice for a column with values of a form, in one sentence.
  func advice(onColumn column: String, in table: String, holding form: NonCanonicalForm) -> String?

  /// Runs a statement that defines, changes or drops a table, which another program may have made.
  func changeSchema(_ statement: SQLStatement, on connection: Connection) throws(RepositoryError)
  /// Gives a table another schema by a plan.
  ///
  /// - Parameter note: called with each statement that was run.
  func rebuild(
    _ plan: RebuildPlan, on connection: Connection, note: (SQLStatement) -> Void
  ) throws(RepositoryError)
  /// Drops a table with its rows, before a table with the same name replaces it. Rows of other tables are kept.
  ///
  /// - Returns: the dependents to restore afterwards.
  func dropKeepingDependents(
    _ table: TableSchema, on connection: Connection
  ) throws(RepositoryError) -> any TableDependents
  /// Builds an index outside any transaction while other connections may write to the table, unless the index exists.
  ///
  /// - Returns: `false` if the database does not support it, so that nothing was done.
  func buildConcurrently(_ index: MigratedIndex) async throws(RepositoryError) -> Bool
  /// Returns the statement of such a build, from the statement that creates the index.
  func concurrentStatement(_ statement: String) -> String
  /// Tries changes of the schema, which are then discarded.
  ///
  /// - Parameter body: called with a connection whose database has the same schema.
  func tryOut(on connection: Connection, _ body: (Connection) throws(RepositoryError) -> Void) throws(RepositoryError)

  /// Whether a writer of another process is in the queue, and takes precedence.
  var hasQueuedWriter: Bool { get }
  /// Joins the queue of the writers of all processes; `nil` if the database has no queue.
  func joinWriteQueue() -> (any WriteQueueTicket)?
}

/// An index as a migration declares it: columns, a name if it has its own, and whether it is unique.
package struct MigratedIndex: Sendable {
  package let columns: [String]
  package let table: String
  /// The name; `nil` for the default one.
  let name: String?
  package let isUnique: Bool

  /// Returns the name of the index, and the statement that creates it, which blocks other writes to the table.
  package func sql(by compiler: Compiler) -> (name: String, statement: String) {
    let name = name ?? compiler.indexName(of: columns, in: table)
    return (name, compiler.index(on: columns, of: table, name: name, isUnique: isUnique))
  }
}

extension SQLDriver {
  package var observer: StatementObserver? { nil }
  package func makeCommitPoll(using connections: ResourcePool<Connection>) -> (@Sendable () -> Bool)? { nil }
  package func notifyOtherProcesses() {}
  package var convertsValues: Bool { false }
  package func makeExecutor() -> (any TaskExecutor)? { nil }
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
  package func explain(_ error: RepositoryError, ofCommitOn connection: Connection) -> RepositoryError { error }
  package func buildConcurrently(_ index: MigratedIndex) async throws(RepositoryError) -> Bool { false }
  package func concurrentStatement(_ statement: String) -> String { statement }
  package func isTransient(_ error: RepositoryError) -> Bool { error.code == .busy }
  package func conversion(ofColumn column: String, in table: String, from form: NonCanonicalForm) -> String? { nil }
  package func advice(onColumn column: String, in table: String, holding form: NonCanonicalForm) -> String? { nil }
  package var hasQueuedWriter: Bool { false }
  package func joinWriteQueue() -> (any WriteQueueTicket)? { nil }
}

/// The ticket of a waiting writer: its entry in the queue, which it leaves with its last reference.
package protocol WriteQueueTicket: AnyObject {
  /// Shows the other processes that this one still waits, and returns whether none of them has been waiting for longer.
  func beatAndCheckFirst() -> Bool
}

/// Reads of single rows that are sent to the database's server over one connection for all tasks, each before the previous
/// ones have been answered. A read costs a fraction of a round trip, and no task waits for a connection.
///
/// Only reads that an index answers immediately are pipelined: answers arrive in the order of the requests, so that a slow
/// read would delay all that follow.
package protocol ReadPipeline: Sendable {
  /// Reads the first row of a statement's result.
  func firstRow(of statement: CompiledStatement) async -> PipelinedRow
  /// Stops answering requests.
  func stop()
}

/// The result of a pipelined read.
package enum PipelinedRow: @unchecked Sendable {
  /// The row, which has one user.
  case row(any Row)
  case noRow
  /// No result, because the read was blocked by a lock, the statement failed, or the session was lost: the caller repeats the
  /// read with a connection of its own, which also reports the error.
  case unanswered
}

/// A server that replicates the primary server, and from which `read { }` reads in its place.
package protocol ReadReplica: Sendable {
  /// The maximum number of connections to the replica.
  var connectionCount: Int { get }
  /// Opens another connection to the replica.
  func connect() throws(RepositoryError) -> any SQLConnection
  /// Whether the replica can currently be used.
  var isAvailable: Bool { get }
  /// Records a possible commit of this store, which later reads have to see.
  func noteCommit()
  /// Begins a snapshot that contains all commits of this store.
  ///
  /// - Returns: `false` if the replica has no such snapshot, or is not reachable: the primary server has to be read then.
  func beginSnapshot(on connection: Connection) -> Bool
}

/// The kind of access to a connection.
package enum Access: Hashable, Sendable {
  case read
  case write
}

/// The concurrency of a database's connections.
package enum ConcurrencyModel: Hashable, Sendable {
  /// One connection for everything. During a transaction, other tasks read a copy if the database can be copied.
  case single(copiesForReaders: Bool)
  /// One connection that writes, and several that read concurrently.
  case oneWriter(readers: Int)
  /// Connections that read and write concurrently.
  case independent(connections: Int)
}

/// The scope of a failed statement within a transaction.
package enum FailureScope: Hashable, Sendable {
  /// Only the statement is undone, and the transaction continues (SQLite, for most errors).
  case statement
  /// The transaction refuses everything until it is rolled back to a savepoint (PostgreSQL).
  case transaction
}

/// A write that violated a constraint.
package enum FailedWrite {
  /// The failed row of a write row by row.
  case row([Value])
  case update(ResolvedQuery, ResolvedAssignments)
  case deletion(CompiledStatement)
}
