import Repository
import Synchronization

/// A session with a server: statements and their results, one at a time.
final class ServerSession {
  let library: LibPQ
  let connection: OpaquePointer
  let canceller: StatementCanceller
  /// Whether the running statement was sent together with commands before it.
  var isPipelining = false
  /// Whether the number of the transaction was queried after the running statement.
  var isQueryingTransactionNumber = false
  /// The number of the open transaction, once it is known.
  var transactionNumber: TransactionNumber?

  private let health: ServerHealth
  /// The number of sessions with the server that had been lost when this one was opened.
  let lossCount: Int

  /// Connects, which blocks the thread until the server has answered.
  ///
  /// - Parameters:
  ///   - parameters: keywords of connection strings with their values.
  ///   - health: records when the session is lost.
  init(
    _ library: LibPQ, _ parameters: [(keyword: String, value: String)], _ health: ServerHealth
  ) throws(PostgresError) {
    self.library = library
    self.health = health
    lossCount = health.lossCount
    let start = ContinuousClock.now
    let opened = parameters.map(\.keyword).withCTexts { keywords in
      parameters.map(\.value).withCTexts { values in
        // A value of `dbname` that is a connection string itself is expanded.
        library.connect(keywords, values, 1)
      }
    }
    guard let opened else { throw PostgresError(ofConnection: "out of memory for a connection", isLost: false) }
    if library.status(opened) != Self.isOpen,
      let refusal = Self.refusal(of: opened, isQuick: .now - start < .seconds(1), library)
    {
      library.finish(opened)
      throw refusal
    }
    connection = opened
    // libpq would print notices of the server to the standard error.
    _ = library.setNoticeProcessor(opened, { _, _ in }, nil)
    canceller = StatementCanceller(library, of: opened)
  }

  /// Returns the reason why a connection could not be opened. The connection is tried once more with a setting that includes the
  /// SQLSTATE in libpq's message, which is the only way to get it; the setting requires a connection, and thus a first attempt.
  /// https://www.postgresql.org/docs/15/libpq-control.html#LIBPQ-PQSETERRORVERBOSITY
  ///
  /// - Parameter isQuick: whether the failure was quick. A slow one was not an answer of a server, and would take as long again.
  /// - Returns: `nil` if the second attempt has opened the connection.
  private static func refusal(
    of connection: OpaquePointer, isQuick: Bool, _ library: LibPQ
  ) -> PostgresError? {
    func said() -> String { library.errorMessage(connection).map { String(cString: $0) } ?? "" }
    let message = said()
    if !isQuick { return PostgresError(sqlState: "", message: message, isConnectionLost: true) }
    let standard = library.setErrorVerbosity(connection, verbose)
    library.reset(connection)
    _ = library.setErrorVerbosity(connection, standard)
    if library.status(connection) == isOpen { return nil }
    // "FATAL:  53300: sorry, too many clients already", of which the first word is in the server's language. With several
    // hosts, the last one that answered decides.
    let states = said().matches(of: #/:  (\w{5}): /#)
    return PostgresError(sqlState: states.last.map { String($0.1) } ?? "", message: message, isConnectionLost: true)
  }

  /// `PQERRORS_VERBOSE`
  private static let verbose: Int32 = 2

  deinit { library.finish(connection) }

  /// `CONNECTION_OK`
  private static let isOpen: Int32 = 0

  // MARK: State

  /// Whether the connection was lost.
  var isLost: Bool { isBroken || library.status(connection) != Self.isOpen }

  /// Whether a failure has made the connection unusable, although libpq may still report it as open.
  private var isBroken = false

  /// The transaction state of the session.
  enum TransactionState: Int32 {
    case idle = 0
    /// A statement is running.
    case active = 1
    case open = 2
    case failed = 3
    case unknown = 4
  }

  var transaction: TransactionState { TransactionState(rawValue: library.transactionStatus(connection)) ?? .unknown }

  /// The version of the server, the major number times 10,000 plus the minor one: 150018.
  var version: Int { Int(library.serverVersion(connection)) }

  /// Returns a parameter that the server reported when it accepted the connection, such as `server_encoding`.
  func parameter(_ name: String) -> String? { library.parameterStatus(connection, name).map { String(cString: $0) } }

  /// Whether the server replicates another one, and takes no writes; the server reports changes of this state.
  var isStandby: Bool { parameter("in_hot_standby") == "on" }

  /// Returns whether the server still keeps the session, as far as it can be known without a query: the socket of a closed
  /// session is readable.
  func checkIsAlive() -> Bool {
    while !isLost, library.hasInput(connection) {
      if library.consumeInput(connection) == 0 { return false }
    }
    return !isLost
  }

  /// Returns the payload of the next notification that has arrived; `nil` if there is none.
  func nextNotification() -> String? {
    guard let notification = library.nextNotification(connection) else { return nil }
    defer { library.freeMemory(notification) }
    // A `PGnotify`: the channel, the number of the process, padded, and the payload.
    let payload = notification.load(fromByteOffset: 2 * MemoryLayout<Int>.stride, as: UnsafePointer<CChar>?.self)
    return payload.map { String(cString: $0) } ?? ""
  }

  /// The identity of the server and its timeline; `nil` for a server that replicates another one, or does not report them.
  ///
  /// A server that takes over begins a new timeline, in which it may assign the numbers of lost transactions again.
  private(set) lazy var history: String? = {
    let sql = """
      SELECT CASE WHEN NOT pg_is_in_recovery() THEN \
      system_identifier || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END FROM pg_control_system()
      """
    return (try? run(sql))?.text(row: 0, column: 0)
  }()

  // MARK: Statements

  /// Runs statements without parameters.
  ///
  /// - Returns: the result of the last statement, whose values are texts.
  @discardableResult
  func run(_ sql: String) throws(PostgresError) -> QueryResult {
    guard let pointer = library.execute(connection, sql) else { throw failure() }
    let result = QueryResult(pointer, library)
    if result.status == nil { throw failure(result) }
    return result
  }

  /// Prepares a statement, and describes its parameters and columns.
  ///
  /// - Parameter types: the types of the parameters, as far as the server does not infer them.
  func prepare(
    _ name: String, _ sql: String, _ types: [TypeID]
  ) throws(PostgresError) -> (parameters: [TypeID], columns: [ResultColumn]) {
    let prepared = types.map(\.rawValue).withUnsafeBufferPointer { types in
      library.prepare(connection, name, sql, Int32(clamping: types.count), types.baseAddress)
    }
    guard let prepared else { throw failure() }
    let result = QueryResult(prepared, library)
    if result.status == nil { throw failure(result) }
    guard let described = library.describePrepared(connection, name) else { throw failure() }
    let description = QueryResult(described, library)
    if description.status == nil { throw failure(description) }
    return (description.parameterTypes, description.columns)
  }

  /// Starts a statement, whose results are fetched by ``next(inPlaceOf:)`` until it returns `nil`.
  ///
  /// - Parameters:
  ///   - commands: statements without a result that are sent before the statement, in the same pipeline.
  ///   - isStreamed: whether each row is a result of its own, so that only one row is in memory.
  ///   - isCancellable: whether ``StatementCanceller/cancel()`` may interrupt the statement.
  ///   - writes: whether the statement may be the first to change something in its transaction, whose number is then queried.
  func start(
    _ plan: PreparedPlan, _ parameters: ParameterBuffer, after commands: [String], isStreamed: Bool,
    isCancellable: Bool,
    writes: Bool
  ) throws(PostgresError) {
    if !commands.isEmpty { try beginPipeline(with: commands) }
    guard send(plan, parameters), !isPipelining || !writes || transactionNumber != nil || askForNumber(),
      !isPipelining || library.pipelineSync(connection) == 1
    else {
      defer { endPipeline() }
      throw failure()
    }
    try awaitCommands(commands.count)
    if isStreamed { _ = library.setSingleRowMode(connection) }
    if isCancellable { canceller.begin() }
  }

  /// Returns the next result of the statement that was started; `nil` after the last one.
  ///
  /// - Parameter used: a result that is no longer needed, which is reused for the next one: otherwise each of a thousand rows
  ///   that arrive one by one would be an object.
  func next(inPlaceOf used: QueryResult? = nil) throws(PostgresError) -> QueryResult? {
    guard let pointer = library.getResult(connection) else {
      endPipeline()
      canceller.end()
      return nil
    }
    let result: QueryResult
    if let used {
      used.replace(by: pointer)
      result = used
    } else {
      result = QueryResult(pointer, library)
    }
    if result.status != nil { return result }
    let error = failure(result)
    while let further = library.getResult(connection) { library.clear(further) }
    endPipeline()
    canceller.end()
    throw error
  }

  /// Runs a `COPY … FROM STDIN`.
  ///
  /// - Parameter write: sends the data in parts; it returns `false` to make the server refuse all of it.
  /// - Returns: the number of rows that were added.
  func copy(
    by sql: String,
    _ write: (_ send: (UnsafeRawBufferPointer) throws(PostgresError) -> Void) throws(PostgresError) -> Bool
  ) throws(PostgresError) -> Int {
    try run(sql)
    let isComplete = try write { data throws(PostgresError) in
      // libpq takes the length of a part as an `Int32`.
      let isSent = stride(from: 0, to: data.count, by: 1 << 30).allSatisfy { offset in
        let part = UnsafeRawBufferPointer(rebasing: data[offset..<min(offset + 1 << 30, data.count)])
        let start = part.baseAddress?.assumingMemoryBound(to: CChar.self)
        return start.map { library.putCopyData(connection, $0, Int32(clamping: part.count)) == 1 } ?? true
      }
      if !isSent { throw failure() }
    }
    guard library.putCopyEnd(connection, isComplete ? nil : "aborted") == 1 else { throw failure() }
    var count = 0
    while let result = try next() { count = result.changedRows ?? count }
    return count
  }

  /// Returns the library's error for the latest failure.
  func failure(_ result: QueryResult? = nil) -> PostgresError {
    let error = describeFailure(result)
    // Only these errors are signs of a lost server: others, such as the timeout of an idle transaction, end a single session.
    // Where the statement that finds out has to be prepared, libpq may tell no SQLSTATE, and the others are left, too.
    if isLost, ["", "57P01", "57P02"].contains(error.sqlState) { health.noteLoss(in: lossCount) }
    if error.sqlState == "25006", isStandby || parameter("default_transaction_read_only") == "on" { noteStandby() }
    return error
  }

  /// Records that writes have to go to another server, if there are several.
  func noteStandby() { if health.hasFailover { health.noteLoss(in: lossCount) } }

  private func describeFailure(_ result: QueryResult?) -> PostgresError {
    let message = library.errorMessage(connection).map { String(cString: $0) } ?? ""
    guard let result else { return PostgresError(ofConnection: message, isLost: isLost) }
    let error = result.error(isConnectionLost: isLost, message: message)
    isBroken = isBroken || error.isConnectionLost
    if !error.sqlState.isEmpty || isLost { return error }
    // The server gives each of its errors an SQLSTATE: without one, libpq could not receive the answer.
    isBroken = true
    return PostgresError(ofConnection: error.message, isLost: true)
  }
}

/// The health of the server's sessions.
final class ServerHealth: Sendable {
  private let losses = Atomic(0)
  /// Whether another server may replace a lost one: the connection string names several, or selects the server by its role.
  let hasFailover: Bool

  init(hasFailover: Bool) { self.hasFailover = hasFailover }

  /// The number of lost sessions; those that are lost together count once.
  var lossCount: Int { losses.load(ordering: .sequentiallyConsistent) }

  /// Records that a session was lost, or that its server takes no more writes.
  ///
  /// - Parameter era: the era in which the session was opened.
  func noteLoss(in lossCount: Int) {
    _ = losses.compareExchange(expected: lossCount, desired: lossCount + 1, ordering: .sequentiallyConsistent)
  }
}
