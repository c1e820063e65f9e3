import Query
import Repository
import SQLStore

/// A prepared statement, which is also the current row of its result.
///
/// The server infers the types of the parameters; for a value that the inferred type can't hold, such as a fraction compared
/// with a column of integers, the statement is prepared once more with the value's own type.
final class PostgresStatement: PostgresRow, PreparedStatement {
  private let connection: PostgresConnection
  private let sql: String
  let isReadOnly: Bool
  /// Whether the statement begins or ends a transaction or a savepoint, and must not be interrupted.
  private let isControl: Bool
  /// The prepared plans, by the types that were given for the parameters.
  private var plans: [[TypeID]: PreparedPlan] = [:]
  private var generation = 0
  private var values: [StatementParameter] = []
  private var parameters = ParameterBuffer()
  private var state = State.ready
  /// The results that were read ahead, because the connection was needed for another statement.
  private var waiting = FirstInFirstOut<QueryResult>()

  private enum State {
    /// Nothing was sent.
    case ready
    /// Rows are arriving in this session.
    case arriving(ServerSession)
    /// All rows have arrived.
    case complete
  }

  init(_ sql: String, on connection: PostgresConnection) throws(RepositoryError) {
    self.sql = sql
    self.connection = connection
    let kind = PostgresStatementKind(of: sql)
    isReadOnly = kind == .read
    isControl = kind == .control
    super.init()
    _ = try plan([], in: try connection.sessionForStatement())
  }

  deinit { for plan in plans.values { connection.forget(plan.name, of: generation) } }

  // MARK: Plans

  var parameterCount: Int { plans[[]]?.parameters.count ?? 0 }
  var columnNames: [String] { plans[[]]?.columns.map(\.name) ?? [] }

  /// Returns the statement as it is prepared in a session.
  private func plan(_ types: [TypeID], in session: ServerSession) throws(RepositoryError) -> PreparedPlan {
    if generation != connection.generation {
      plans = [:]
      generation = connection.generation
    }
    if let plan = plans[types] { return plan }
    if StatementPlaceholders.exceed(Self.maximumParameterCount, in: sql) {
      throw RepositoryError(
        .invalidQuery, "the query has too many values for PostgreSQL",
        reason: "libpq can't describe a statement with more than \(Self.maximumParameterCount) parameters",
        suggestion: "use a list of values with `in`, or split the query", sql: sql)
    }
    var attempt = 1
    while true {
      do throws(PostgresError) {
        let plan = try PreparedPlan(of: sql, types, named: try connection.nextStatementName(in: session), in: session)
        plans[types] = plan
        return plan
      } catch {
        // The table has changed between the preparation and the description.
        guard Self.isOutdated(error), attempt < Self.mostAttempts, !connection.expectsTransaction else {
          throw failure(error, mayBeDone: false)
        }
        attempt += 1
      }
    }
  }

  /// The maximum number of preparations when a table has changed.
  private static let mostAttempts = 5

  /// Returns whether a table has changed since the statement was prepared, or a pooler has switched to another session.
  private static func isOutdated(_ error: PostgresError) -> Bool { ["0A000", "26000"].contains(error.sqlState) }

  /// libpq treats a description of more than 30,000 bytes as a broken connection (`VALID_LONG_MESSAGE_TYPE` in
  /// https://github.com/postgres/postgres/blob/REL_15_STABLE/src/interfaces/libpq/fe-protocol3.c); a description has four
  /// bytes per parameter.
  private static let maximumParameterCount = 7_000

  /// Returns a plan whose parameters can hold the values, and encodes the values for it.
  private func planForValues(in session: ServerSession) throws(RepositoryError) -> PreparedPlan {
    let inferred = try plan([], in: session)
    if write(as: inferred.parameters) { return inferred }
    var types = [TypeID](repeating: .inferred, count: inferred.parameters.count)
    for (position, value) in values.enumerated() where position < types.count {
      var buffer = ParameterBuffer()
      if !value.write(to: &buffer, as: inferred.parameters[position]) { types[position] = value.type }
    }
    let explicit = try plan(types, in: session)
    if write(as: explicit.parameters) { return explicit }
    throw RepositoryError(
      .invalidValue, "a value does not fit the type that the server expects", suggestion: "cast the placeholder",
      sql: sql)
  }

  private func write(as types: [TypeID]) -> Bool {
    parameters.removeAll()
    for (position, value) in values.enumerated() {
      guard position < types.count, value.write(to: &parameters, as: types[position]) else { return false }
    }
    return true
  }

  // MARK: Binding

  func bind(_ values: [Value]) throws(RepositoryError) {
    self.values.removeAll(keepingCapacity: true)
    for value in values { self.values.append(.value(value)) }
  }

  func bind(_ value: Value, at position: Int) throws(RepositoryError) { bind(.value(value), at: position) }

  func bind(_ list: [Value], of type: ValueType, at position: Int) throws(RepositoryError) {
    bind(.list(list, type), at: position)
  }

  func bind(borrowedText: UnsafeBufferPointer<UInt8>, at position: Int) throws(RepositoryError) {
    bind(.borrowed(borrowedText), at: position)
  }

  private func bind(_ parameter: StatementParameter, at position: Int) {
    while values.count <= position { values.append(.value(.null)) }
    values[position] = parameter
  }

  // MARK: Rows

  func step() throws(RepositoryError) -> Bool {
    if case .ready = state { try start() }
    row?.advance()
    if row?.isThere == true { return true }
    row = nil
    while let next = try nextResult() {
      result = next
      row = next.row(0)
      if row?.isThere == true { return true }
    }
    forgetRow()
    return false
  }

  private func nextResult() throws(RepositoryError) -> QueryResult? {
    if let next = waiting.removeFirst() { return next }
    guard case .arriving(let session) = state else { return nil }
    return try fetch(from: session, inPlaceOf: result)
  }

  private func forgetRow() {
    row = nil
    result = nil
  }

  /// Runs the statement, which is prepared again if a table has changed. A statement that changes something is complete when this
  /// returns; the rows of a read arrive one by one.
  private func start() throws(RepositoryError) {
    let session = try connection.sessionForStatement()
    var plan = try planForValues(in: session)
    if parameters.isTooBig {
      throw RepositoryError(
        .tooBig, "the values of the statement take a gigabyte or more",
        reason: "the message exceeds the limit of PostgreSQL",
        suggestion: "split such values into several rows, or store the values in files")
    }
    let commands = connection.takeDeferredCommands()
    for attempt in 1... {
      do throws(PostgresError) {
        return try send(plan, after: commands, in: session)
      } catch {
        end()
        guard Self.isOutdated(error) else {
          throw failure(error, mayBeDone: !isReadOnly && !connection.expectsTransaction)
        }
        // The statement has had no effect. It is prepared again, now or when the transaction is retried.
        plans = [:]
        let beginsTransaction = commands.first?.hasPrefix("BEGIN") == true
        guard attempt < Self.mostAttempts, !connection.expectsTransaction || beginsTransaction else {
          throw failure(
            connection.expectsTransaction
              ? PostgresError(sqlState: "40001", message: "a table has changed since the statement was prepared")
              : error,
            mayBeDone: false)
        }
        if beginsTransaction { try undo(in: session) }
        plan = try planForValues(in: session)
      }
    }
  }

  /// Sends the statement as it is prepared, and waits for its first row, or for its end if it changes something.
  private func send(
    _ plan: PreparedPlan, after commands: [String], in session: ServerSession
  ) throws(PostgresError) {
    try session.start(
      plan, parameters, after: commands, isStreamed: isReadOnly,
      isCancellable: !isControl, writes: !isReadOnly && !isControl && connection.expectsTransaction)
    decoders = plan.decoders
    state = .arriving(session)
    connection.begin(self)
    if !isReadOnly {
      if let first = try session.next() {
        if first.columns.map(\.type) != plan.columns.map(\.type) {
          try updateDecoders(first, of: plan, in: session)
        }
        try finish(session, first)
      }
    } else if !connection.expectsTransaction || plan.name == nil, let first = try session.next() {
      // Only the first row shows whether the statement can be run as it was prepared.
      try check(first, against: plan, in: session)
      waiting.append(first)
    }
  }

  /// Checks that the result has the described columns; the server itself checks this for prepared statements.
  private func check(
    _ first: QueryResult, against plan: PreparedPlan, in session: ServerSession
  ) throws(PostgresError) {
    if plan.name != nil || first.columns.map(\.type) == plan.columns.map(\.type) { return }
    while try session.next() != nil {}
    throw PostgresError(sqlState: "0A000", message: "the columns of a table have changed")
  }

  /// Rolls back a transaction that has failed with its first statement.
  private func undo(in session: ServerSession) throws(RepositoryError) {
    do throws(PostgresError) {
      try session.run("ROLLBACK")
    } catch {
      throw failure(error, mayBeDone: false)
    }
  }

  /// Sets the decoders for a result whose columns have changed since the statement was described. This happens to statements
  /// that the session does not keep.
  private func updateDecoders(
    _ result: QueryResult, of plan: PreparedPlan, in session: ServerSession
  ) throws(PostgresError) {
    let (decoders, isBinary) = ColumnDecoder.decoders(of: result.columns)
    if isBinary == plan.isBinary {
      self.decoders = decoders
      return
    }
    while try session.next() != nil {}
    throw PostgresError(
      sqlState: "40001", message: "the columns of a table changed, so the store can't read the result")
  }

  /// Waits for the end of a statement that changes something.
  private func finish(_ session: ServerSession, _ first: QueryResult) throws(PostgresError) {
    while try session.next() != nil {}
    if first.rowCount > 0 { waiting.append(first) }
    let isRolledBack = sql == PostgresDriver.commit && first.command == "ROLLBACK"
    state = .complete
    connection.end(self, changedRows: first.changedRows ?? 0, generatedKey: key(in: first))
    // The server rolls back a transaction that had failed, and reports that as a success.
    if isRolledBack {
      throw PostgresError(
        sqlState: "25P02", message: "the transaction had failed, and the server rolled back its changes")
    }
  }

  private func key(in result: QueryResult) -> Int64? {
    guard decoders.count == 1, result.rowCount > 0 else { return nil }
    return result.row(0).bytes(0).flatMap { decoders[0].integer($0) }
  }

  private func fetch(
    from session: ServerSession, inPlaceOf used: QueryResult? = nil
  ) throws(RepositoryError) -> QueryResult? {
    do throws(PostgresError) {
      if let next = try session.next(inPlaceOf: used) { return next }
      end()
      return nil
    } catch {
      end()
      throw failure(error, mayBeDone: false)
    }
  }

  private func end() {
    state = .complete
    connection.end(self)
  }

  /// Reads all rows that are still arriving, because the connection is needed for another statement.
  func readAhead() throws(RepositoryError) {
    guard case .arriving(let session) = state else { return }
    while let next = try fetch(from: session) { waiting.append(next) }
  }

  func rewind() {
    // The statement of a long result is interrupted rather than read to the end, but not within a transaction, which the
    // interruption would fail.
    if case .arriving(let session) = state {
      if !connection.expectsTransaction {
        for _ in 0..<256 {
          guard case .arriving = state, (try? fetch(from: session)) ?? nil != nil else { break }
        }
        if case .arriving = state { session.canceller.stop() }
      }
      while case .arriving = state, (try? fetch(from: session)) ?? nil != nil {}
    }
    state = .ready
    forgetRow()
    waiting.removeAll()
  }

  func reset() {
    rewind()
    values.removeAll(keepingCapacity: true)
  }

  private func failure(_ error: PostgresError, mayBeDone: Bool) -> RepositoryError {
    RepositoryError(error, sql: sql, wasInterrupted: connection.wasInterrupted, mayBeDone: mayBeDone)
  }
}
