import Query
import Repository
import SQL
import SQLStore
import Synchronization

/// A database without a file and without SQL: it notes what it is asked, and fails as a test says. It may hold one table.
final class FakeDatabase: SQLDriver {
  /// What a test says about the next statement of a text, and what was asked so far.
  struct Script {
    /// The errors of the next runs of a statement, by its SQL.
    var failures: [String: [RepositoryError]] = [:]
    /// The rows that a statement results in.
    var rows: [String: Int] = [:]
    /// What is done while a statement runs, by its SQL.
    var actions: [String: @Sendable (FakeConnection) -> Void] = [:]
    /// What is done while a connection is made ready for its next user.
    var actionOfClearing: (@Sendable () -> Void)?
    var log: [String] = []
    var prepared: [String] = []
    /// The lists that were bound, by the position of their placeholder.
    var lists: [Int: [Value]] = [:]
    var events: [StatementEvent] = []
    var connections = 0
    var needsMaintenance = false
    var isQueueOccupied = false
    /// Whether the other writers leave when one joins them.
    var leavesQueueToNewcomers = false
    var tickets = 0

    fileprivate mutating func takeFailure(of sql: String) -> RepositoryError? {
      guard failures[sql]?.isEmpty == false else { return nil }
      return failures[sql]?.removeFirst()
    }
  }

  let script = Mutex(Script())
  let compiler = Compiler(for: SQLiteDialect())
  let concurrency: ConcurrencyModel
  let failureScope: FailureScope
  let name = "fake"
  let table: FakeTable?

  private let isObserved: Bool
  private let executor: @Sendable () -> (any TaskExecutor)?

  /// - Parameter executor: makes what a connection's tasks wait on, as for a server.
  init(
    _ concurrency: ConcurrencyModel = .oneWriter(readers: 2), failureScope: FailureScope = .statement,
    isObserved: Bool = false, table: FakeTable? = nil,
    executor: @escaping @Sendable () -> (any TaskExecutor)? = { nil }
  ) {
    self.isObserved = isObserved
    self.concurrency = concurrency
    self.failureScope = failureScope
    self.table = table
    self.executor = executor
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
    let failure = script.withLock { script in
      script.connections += 1
      return script.takeFailure(of: "CONNECT")
    }
    if let failure { throw failure }
    return FakeConnection(self, table)
  }

  func makeExecutor() -> (any TaskExecutor)? { executor() }
  // PostgreSQL has waited for locks itself.
  var retriesCommits: Bool { failureScope == .statement }

  func control(_ command: TransactionCommand, on connection: Connection) throws(RepositoryError) {
    switch command {
    case .begin: try connection.execute("BEGIN")
    case .commit: try connection.execute("COMMIT")
    case .rollBack: if connection.isInTransaction { try connection.execute("ROLLBACK") }
    }
  }

  func catalog(on connection: Connection) -> any SQLCatalog { FakeCatalog(table: table?.schema) }
  func isRuleViolation(_ error: RepositoryError) -> Bool { error.code == .constraint }
  func explain(
    _ error: RepositoryError, of write: FailedWrite, in table: TableSchema, on connection: Connection
  ) -> RepositoryError { error }
  func changeSchema(_ statement: SQLStatement, on connection: Connection) throws(RepositoryError) {
    _ = try connection.change(statement)
  }
  func rebuild(
    _ plan: RebuildPlan, on connection: Connection, note: (SQLStatement) -> Void
  ) throws(RepositoryError) {}
  func dropKeepingDependents(
    _ table: TableSchema, on connection: Connection
  ) throws(RepositoryError) -> any TableDependents {
    throw RepositoryError(.unsupported, "no table is replaced here")
  }
  func tryOut(
    on connection: Connection, _ body: (Connection) throws(RepositoryError) -> Void
  ) throws(RepositoryError) {
    try body(Connection(FakeConnection(self, table), of: self))
  }

  var hasQueuedWriter: Bool { script.withLock { $0.isQueueOccupied } }
  func joinWriteQueue() -> (any WriteQueueTicket)? {
    script.withLock { script in
      script.tickets += 1
      if script.leavesQueueToNewcomers { script.isQueueOccupied = false }
    }
    return Ticket(database: self)
  }

  private final class Ticket: WriteQueueTicket {
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
  private var session: FakeSession?

  init(_ database: FakeDatabase, _ table: FakeTable? = nil) {
    self.database = database
    session = table.map(FakeSession.init)
  }

  func prepare(_ sql: String) throws(RepositoryError) -> any PreparedStatement {
    database.script.withLock { $0.prepared.append(sql) }
    return FakeStatement(sql, self)
  }

  func needsMaintenance() -> Bool { database.script.withLock(\.needsMaintenance) }
  func maintain() { database.script.withLock { $0.log.append("MAINTENANCE") } }
  func interrupt() { interruptions.withLock { $0 += 1 } }
  func clearInterruption() { database.script.withLock(\.actionOfClearing)?() }
  var interruptionCount: Int { interruptions.withLock(\.self) }
  func copy() throws(RepositoryError) -> any SQLConnection {
    FakeConnection(database, session?.copy)
  }

  /// Ends the transaction as a database does that rolls back by itself, or whose connection has died.
  func loseTransaction() {
    transactionStatus = .none
    session?.rollBack()
  }

  /// Runs a statement.
  ///
  /// - Returns: the rows of its result: as many as the script says, or those of the table.
  fileprivate func run(_ sql: String, _ values: [Value]) throws(RepositoryError) -> [[Value]] {
    let (failure, action, count) = database.script.withLock { script in
      script.log.append(sql)
      return (script.takeFailure(of: sql), script.actions[sql], script.rows[sql])
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
    case "BEGIN":
      if transactionStatus != .none { throw RepositoryError(.storeFailure, "a transaction is open already") }
      transactionStatus = .open
      session?.begin()
    case "COMMIT":
      transactionStatus = .none
      try session?.commit()
    case "ROLLBACK": loseTransaction()
    default:
      if isGoingBack { transactionStatus = .open }
      if let rows = try session?.run(sql, values) { return rows }
    }
    return (0..<(count ?? 0)).reversed().map { [.integer(Int64($0))] }
  }
}

/// A statement whose rows hold their numbers, or are those of the table.
final class FakeStatement: PreparedStatement {
  private let sql: String
  private let connection: FakeConnection
  private var values: [Value] = []
  private var rows: ArraySlice<[Value]>?
  private var row: [Value] = []

  init(_ sql: String, _ connection: FakeConnection) {
    (self.sql, self.connection) = (sql, connection)
  }

  let isReadOnly = true
  let parameterCount = 0
  let columnNames = ["number"]
  func bind(_ values: [Value]) throws(RepositoryError) { self.values = values }
  func bind(_ value: Value, at position: Int) throws(RepositoryError) {
    while values.count <= position { values.append(.null) }
    values[position] = value
  }
  func bind(_ list: [Value], of type: ValueType, at position: Int) throws(RepositoryError) {
    connection.database.script.withLock { $0.lists[position] = list }
  }
  func bind(borrowedText: UnsafeBufferPointer<UInt8>, at position: Int) throws(RepositoryError) {}

  func step() throws(RepositoryError) -> Bool {
    if rows == nil { rows = try connection.run(sql, values)[...] }
    let next = rows?.popFirst()
    row = next ?? []
    return next != nil
  }

  func rewind() { rows = nil }
  func reset() { (rows, values) = (nil, []) }
  func bytes(at position: Int) -> [UInt8] { [] }
  func value(at position: Int) throws(ValueError) -> Value { position < row.count ? row[position] : .null }
}

private struct FakeCatalog: SQLCatalog {
  let table: TableSchema?

  func tableNames() throws(RepositoryError) -> [String] { table.map { [$0.name] } ?? [] }
  func schema(ofTable name: String) throws(RepositoryError) -> TableSchema? { table?.name == name ? table : nil }
  func checks(of expected: TableSchema) throws(RepositoryError) -> [CheckRule] { [] }
  func partialUnique(of expected: TableSchema) throws(RepositoryError) -> [PartialUniqueRule] { [] }
  func isView(_ name: String) throws(RepositoryError) -> Bool { false }
  func isAlterable(_ name: String) throws(RepositoryError) -> Bool { true }
  func columnsWithDefault(ofTable name: String) throws(RepositoryError) -> Set<Value> { [] }
  func computedColumns(ofTable name: String) throws(RepositoryError) -> [String] { [] }
  func tables(referringTo name: String) throws(RepositoryError) -> [String] { [] }
  func writeEffects() throws(RepositoryError) -> WriteEffects {
    WriteEffects(table.map { [.init($0.name, hasOwnRows: true, hasTriggers: false)] } ?? [], cascades: [])
  }
  func insertionOrder(of table: TableSchema) throws(RepositoryError) -> String? { nil }
  func brokenReferenceCounts() throws(RepositoryError) -> [[Value]: Int] { [:] }
}

/// What tasks tell each other.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}
