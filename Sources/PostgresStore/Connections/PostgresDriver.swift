import Query
import Repository
import SQL
import SQLStore
import Synchronization

/// The driver of PostgreSQL, which opens connections and implements what differs between engines.
final class PostgresDriver: SQLDriver {
  static let compiler = Compiler(for: PostgresDialect())

  let server: PostgresServer
  let concurrency: ConcurrencyModel
  let observer: StatementObserver?
  /// The constraints by which errors are explained, by the name of a table.
  let rules = Mutex<[Name: TableRules]>([:])

  let pipeline: (any ReadPipeline)?
  let replica: (any ReadReplica)?

  /// The notifications of other processes; `nil` if they are disabled.
  private let notifications: ChangeNotifications?

  init(
    _ server: PostgresServer, _ replica: PostgresReplica?, connections: Int, notifies: Bool,
    _ observer: StatementObserver?
  ) {
    self.server = server
    self.replica = replica
    pipeline = server.keepsSessions ? PostgresPipeline(to: server) : nil
    notifications = notifies ? ChangeNotifications(server) : nil
    concurrency = .independent(connections: max(1, connections))
    self.observer = observer
  }

  var compiler: Compiler { Self.compiler }
  var failureScope: FailureScope { .transaction }
  var name: String { server.name }
  func makeExecutor() -> (any TaskExecutor)? { ConnectionExecutor() }
  /// The outcome of a failed commit is not always known, so no commit is repeated.
  var retriesCommits: Bool { false }

  func connect(_ access: Access) throws(RepositoryError) -> any SQLConnection { PostgresConnection(to: server) }

  func catalog(on connection: Connection) -> any SQLCatalog { PostgresCatalog(connection) }

  /// An error `lock_not_available` (55P03) is not retried: the server has already waited for the lock for the timeout.
  func isTransient(_ error: RepositoryError) -> Bool {
    error.code == .busy && (error.underlying as? PostgresError)?.sqlState != "55P03"
  }

  // MARK: Changes by other processes

  func notifyOtherProcesses() { notifications?.scheduleNotification() }

  func makeCommitPoll(using connections: ResourcePool<Connection>) -> (@Sendable () -> Bool)? {
    // Listening requires an exclusive session.
    guard let notifications, server.keepsSessions else { return nil }
    return { notifications.hasReceivedNotification() }
  }

  // MARK: Transactions

  static let commit = "COMMIT"
  /// The key of the advisory lock of the migrating process. The lock is polled, since a concurrent build of an index would wait
  /// for a statement that waits for the lock.
  static let migrationLock = "hashtextextended('\(SQLDatabase.migrationsTable)', 0)"
  static let migrationIsRunning = RepositoryError(
    .busy, "another process is migrating the database", suggestion: "try again later, or set a longer timeout")

  /// The statements that are run often.
  private enum Command {
    /// A transaction with one snapshot of the database, which a replica also accepts.
    static let beginReading = StatementText("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    /// A serializable transaction: the server refuses one of two concurrent transactions that could not have run in sequence.
    static let beginWriting = StatementText("BEGIN ISOLATION LEVEL SERIALIZABLE")
    static let beginOperation = StatementText("BEGIN ISOLATION LEVEL READ COMMITTED")
    static let snapshotProbe = StatementText("SELECT 1")
    static let lockForMigration = StatementText("SELECT pg_try_advisory_xact_lock(\(migrationLock))::int")
    static let commit = StatementText(PostgresDriver.commit)
    static let rollBack = StatementText("ROLLBACK")
  }

  func control(_ command: TransactionCommand, on connection: Connection) throws(RepositoryError) {
    switch command {
    case .begin(let kind): try begin(kind, on: connection)
    case .commit(let kind): try commit(kind, on: connection)
    case .rollBack:
      defer { connection.postgres.expectsTransaction = false }
      guard connection.isInTransaction else { return }
      if connection.postgres.dropDeferredCommands() {
        // The server knows of no transaction, and the observer does.
        try connection.observing("ROLLBACK") { () throws(RepositoryError) in 0 }
      } else {
        try run(Command.rollBack, on: connection)
      }
    }
  }

  private func run(_ text: StatementText, on connection: Connection) throws(RepositoryError) {
    try connection.execute(CompiledStatement(text, bindings: []))
  }

  private func begin(_ kind: TransactionKind, on connection: Connection) throws(RepositoryError) {
    if kind == .writing || kind == .migrating || kind == .rebuilding { try checkTakesWrites(connection) }
    switch kind {
    case .reading: try run(Command.beginReading, on: connection)
    case .writing: try run(Command.beginWriting, on: connection)
    // Each statement of a migration has to see what other processes committed before it got the lock.
    case .operation, .migrating, .rebuilding: try run(Command.beginOperation, on: connection)
    }
    connection.postgres.expectsTransaction = true
    do throws(RepositoryError) {
      switch kind {
      // The transaction takes its snapshot with its first query.
      case .reading: try run(Command.snapshotProbe, on: connection)
      case .migrating, .rebuilding:
        let lock = CompiledStatement(Command.lockForMigration, bindings: [])
        if try connection.integer(lock) == 0 { throw Self.migrationIsRunning }
      case .writing, .operation: break
      }
    } catch {
      connection.rollBack(kind)
      throw error
    }
  }

  /// Commits without interruption, except by the end of the store: the cancellation of a task must not let a commit end
  /// without its synchronous replica.
  private func commit(_ kind: TransactionKind, on connection: Connection) throws(RepositoryError) {
    var failure: RepositoryError?
    connection.uninterruptibly {
      do throws(RepositoryError) {
        if kind != .reading, connection.isInTransaction {
          try connection.observing(Self.commit) { () throws(RepositoryError) in
            try connection.postgres.commit()
            return 0
          }
        } else {
          // Savepoints that were deferred end with the transaction.
          _ = connection.postgres.dropDeferredCommands()
          try run(Command.commit, on: connection)
        }
      } catch {
        failure = error
      }
    }
    connection.postgres.expectsTransaction = false
    if let failure { throw failure }
  }

  /// Throws for a transaction that writes on a server that replicates another one. The error of the server would be that it has
  /// no serializable transactions, or, for the other kinds, come with the first statement that writes.
  private func checkTakesWrites(_ connection: Connection) throws(RepositoryError) {
    let session = try connection.postgres.sessionForStatement()
    if session.isStandby {
      session.noteStandby()
      throw RepositoryError(
        .readOnly, "the server of \(name) is read-only", reason: "the server is a replica of another server",
        suggestion: "connect to the primary server: name all hosts, and target_session_attrs=read-write")
    }
  }

  // MARK: Schema

  func conversion(ofColumn column: String, in table: String, from form: NonCanonicalForm) -> String? {
    PostgresConversion(ofColumn: column, in: table).statement(from: form)
  }

  func advice(onColumn column: String, in table: String, holding form: NonCanonicalForm) -> String? {
    PostgresConversion(ofColumn: column, in: table).advice(on: form)
  }

  /// Throws for columns of the type ``/Query/ValueType/any``, which PostgreSQL does not have, for columns with the names of
  /// system columns, and for columns of some types of PostgreSQL's own that are not supported here.
  func check(_ table: TableSchema, on connection: Connection) throws(RepositoryError) {
    if let column = table.columns.first(where: { $0.type == .any }) {
      throw RepositoryError(
        .unsupported, "PostgreSQL can't store column \(column.name) of \(table.name)",
        reason: "the column has values of any type, but PostgreSQL needs one type",
        suggestion: "give the column one type")
    }
    if let column = table.columns.first(where: { Self.systemColumns.contains($0.name) }) {
      throw RepositoryError(
        .unsupported, "PostgreSQL can't store column \(column.name) of \(table.name)",
        reason: "every PostgreSQL table has a system column of this name", suggestion: "give the column another name")
    }
    try checkDistribution(of: table, on: connection)
    let catalog = PostgresCatalog(connection)
    let wide = try catalog.columns(ofTable: table.name).filter(\.isWideNumeric)
    if let column = wide.first(where: { column in
      table.columns.first(named: column.name).map { $0.format != .decimal } ?? false
    }) {
      throw RepositoryError(
        .unsupported, "a repository can't use column \(column.name) of \(table.name) with this type",
        reason: "only a Decimal has the digits of \(column.declaredType)",
        suggestion: "declare a Decimal, omit the column from the schema, or read the column with SQL")
    }
    let unsupported = try catalog.unsupportedColumns(ofTable: table.name)
    // What is only shown is not compared.
    let compared = table.columns.filter { $0.nativeType != .shown }
    if let (column, type) = unsupported.first(where: { compared.contains(named: $0.column) }) {
      throw RepositoryError(
        .unsupported, "a repository can't use column \(column) of \(table.name)",
        reason: "the library can't compare values of the type \(type)",
        suggestion: "omit the column from the schema, or read the column with SQL as ::text")
    }
  }

  /// https://www.postgresql.org/docs/15/ddl-system-columns.html
  private static let systemColumns = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]

  func changeSchema(_ statement: SQLStatement, on connection: Connection) throws(RepositoryError) {
    _ = try connection.change(statement)
  }

  func rebuild(
    _ plan: RebuildPlan, on connection: Connection, note: (SQLStatement) -> Void
  ) throws(RepositoryError) {
    try PostgresTableRebuilder(plan, on: connection).run(note: note)
  }

  func dropKeepingDependents(
    _ table: TableSchema, on connection: Connection
  ) throws(RepositoryError) -> any TableDependents {
    let dependents = try PostgresTableDependents(of: table.name, on: connection)
    for key in dependents.foreignKeys { try connection.execute(key.drop) }
    try connection.execute(compiler.drop(table: table.name))
    return dependents
  }

  /// Tries changes in a transaction that is rolled back. It takes the lock of migrations: the changes lock tables, and would have
  /// a process that is migrating wait, or fail by a deadlock.
  func tryOut(
    on connection: Connection, _ body: (Connection) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    try connection.begin(.migrating)
    defer { connection.rollBack(.migrating) }
    try body(connection)
  }
}
