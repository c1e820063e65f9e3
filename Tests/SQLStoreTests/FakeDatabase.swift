import Query
import Repository
import SQL
import SQLStore
import Synchronization

/// A database without a file and without SQL: it notes what it is asked, and fails as a test says.
final class FakeDatabase: SQLDriver {
  /// What a test says about the next statement of a text, and what was asked so far.
  struct Script {
    /// The errors of the next runs of a statement, by its SQL.
    var failures: [String: [RepositoryError]] = [:]
    /// The rows that a statement results in.
    var rows: [String: Int] = [:]
    /// What is done while a statement runs, by its SQL.
    var actions: [String: @Sendable (FakeConnection) -> Void] = [:]
    var log: [String] = []
    var prepared: [String] = []
    /// The lists that were bound, by the position of their placeholder.
    var lists: [Int: [Value]] = [:]
    var events: [StatementEvent] = []
    var connections = 0
    var isQueueOccupied = false
    var places = 0
  }

  let script = Mutex(Script())
  let compiler = Compiler(for: SQLiteDialect())
  let concurrency: ConcurrencyModel
  let failureScope: FailureScope
  let name = "fake"

  private let isObserved: Bool

  init(
    _ concurrency: ConcurrencyModel = .oneWriter(readers: 2), failureScope: FailureScope = .statement,
    isObserved: Bool = false
  ) {
    self.isObserved = isObserved
    self.concurrency = concurrency
    self.failureScope = failureScope
  }

  /// Opens the database as a store does.
  func open(timeout: Duration = .seconds(600)) -> SQLDatabase {
    SQLDatabase(ConnectionPool(self, timeout: timeout))
  }

  var events: [StatementEvent] { script.withLock { $0.events } }
  var observer: StatementObserver? {
    guard isObserved else { return nil }
    return StatementObserver(includingValues: true) { [weak self] event in
      self?.script.withLock { $0.events.append(event) }
    }
  }

  var log: [String] { script.withLock { $0.log } }

  func fail(_ sql: String, with errors: RepositoryError...) {
    script.withLock { $0.failures[sql, default: []] += errors }
  }

  func connect(_ access: Access) throws(RepositoryError) -> any SQLConnection {
    script.withLock { $0.connections += 1 }
    return FakeConnection(self)
  }

  func control(_ command: TransactionCommand, on connection: Connection) throws(RepositoryError) {
    switch command {
    case .begin: try connection.execute("BEGIN")
    case .commit: try connection.execute("COMMIT")
    case .rollBack: if connection.isInTransaction { try connection.execute("ROLLBACK") }
    }
  }

  func catalog(on connection: Connection) -> any SQLCatalog { FakeCatalog() }
  func isRuleViolation(_ error: RepositoryError) -> Bool { error.code == .constraint }
  func explain(
    _ error: RepositoryError, of write: FailedWrite, in table: TableSchema, on connection: Connection
  ) -> RepositoryError { error }
  func changeSchema(_ statement: SQLStatement, on connection: Connection) throws(RepositoryError) {
    _ = try connection.change(statement)
  }
  func rebuild(
    _ rebuild: TableRebuild, on connection: Connection, note: (SQLStatement) -> Void
  ) throws(RepositoryError) {}
  func dropKeepingDependents(
    _ table: TableSchema, on connection: Connection
  ) throws(RepositoryError) -> any TableDependents {
    throw RepositoryError(.unsupported, "no table is replaced here")
  }
  func tryOut(
    on connection: Connection, _ body: (Connection) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    try body(Connection(FakeConnection(self), of: self))
  }

  var hasQueuedWriter: Bool { script.withLock { $0.isQueueOccupied } }
  func joinWriteQueue() -> (any WriteQueuePlace)? {
    script.withLock { $0.places += 1 }
    return Place(database: self)
  }

  private final class Place: WriteQueuePlace {
    let database: FakeDatabase
    init(database: FakeDatabase) { self.database = database }
    func beatAndCheckFirst() -> Bool { !database.hasQueuedWriter }
  }
}

/// A connection that knows of a transaction what PostgreSQL or SQLite would.
final class FakeConnection: SQLConnection {
  let database: FakeDatabase
  private(set) var transactionStatus = TransactionStatus.none
  private(set) var wasInterrupted = false
  let changedRows = 0
  let totalChangedRows = 0
  let generatedKey: Int64 = 0
  private let interruptions = Mutex(0)

  init(_ database: FakeDatabase) { self.database = database }

  func prepare(_ sql: String) throws(RepositoryError) -> any PreparedStatement {
    database.script.withLock { $0.prepared.append(sql) }
    return FakeStatement(sql, self)
  }

  func interrupt() { interruptions.withLock { $0 += 1 } }
  var interruptionCount: Int { interruptions.withLock(\.self) }
  func copy() throws(RepositoryError) -> any SQLConnection { FakeConnection(database) }

  /// Ends the transaction as a database does that rolls back by itself, or whose connection has died.
  func loseTransaction() { transactionStatus = .none }

  func run(_ sql: String) throws(RepositoryError) {
    let (failure, action) = database.script.withLock { script in
      script.log.append(sql)
      let failure = script.failures[sql]?.first
      if failure != nil { script.failures[sql]?.removeFirst() }
      return (failure, script.actions[sql])
    }
    action?(self)
    if let failure {
      if transactionStatus == .open, database.failureScope == .transaction { transactionStatus = .failed }
      throw failure
    }
    let isGoingBack = sql.hasPrefix("ROLLBACK")
    if transactionStatus == .failed, !isGoingBack {
      throw RepositoryError(.storeFailure, "the transaction is aborted")
    }
    switch sql {
    case "BEGIN": transactionStatus = .open
    case "COMMIT", "ROLLBACK": transactionStatus = .none
    default: if sql.hasPrefix("ROLLBACK TO") { transactionStatus = .open }
    }
  }
}

/// A statement whose rows hold their numbers.
final class FakeStatement: PreparedStatement {
  private let sql: String
  private let connection: FakeConnection
  private var rowsLeft: Int?

  init(_ sql: String, _ connection: FakeConnection) {
    (self.sql, self.connection) = (sql, connection)
  }

  let isReadOnly = true
  let parameterCount = 0
  let columnNames = ["number"]
  func bind(_ values: [Value]) throws(RepositoryError) {}
  func bind(_ value: Value, at position: Int) throws(RepositoryError) {}
  func bind(_ list: [Value], of type: ValueType, at position: Int) throws(RepositoryError) {
    connection.database.script.withLock { $0.lists[position] = list }
  }
  func bind(borrowedText: UnsafeBufferPointer<UInt8>, at position: Int) throws(RepositoryError) {}

  func step() throws(RepositoryError) -> Bool {
    if rowsLeft == nil {
      try connection.run(sql)
      rowsLeft = connection.database.script.withLock { [sql] in $0.rows[sql] ?? 0 }
    }
    guard let left = rowsLeft, left > 0 else { return false }
    rowsLeft = left - 1
    return true
  }

  func rewind() { rowsLeft = nil }
  func reset() { rowsLeft = nil }
  func bytes(at position: Int) -> [UInt8] { [] }
  func value(at position: Int) throws(ValueError) -> Value { .integer(Int64(rowsLeft ?? 0)) }
}

private struct FakeCatalog: SQLCatalog {
  func tableNames() throws(RepositoryError) -> [String] { [] }
  func schema(ofTable name: String) throws(RepositoryError) -> TableSchema? { nil }
  func checks(of expected: TableSchema) throws(RepositoryError) -> [CheckRule] { [] }
  func isView(_ name: String) throws(RepositoryError) -> Bool { false }
  func isAlterable(_ name: String) throws(RepositoryError) -> Bool { true }
  func columnsWithDefault(ofTable name: String) throws(RepositoryError) -> Set<Value> { [] }
  func computedColumns(ofTable name: String) throws(RepositoryError) -> [String] { [] }
  func tables(referringTo name: String) throws(RepositoryError) -> [String] { [] }
  func writeEffects() throws(RepositoryError) -> WriteEffects { WriteEffects([], cascades: []) }
  func insertionOrder(of table: TableSchema) throws(RepositoryError) -> String? { nil }
  func brokenReferenceCounts() throws(RepositoryError) -> [[Value]: Int] { [:] }
}

/// What tasks tell each other.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}
