public import Query
public import Repository
import SQL

/// An observer of each statement that a store runs: for logs, for a list of slow statements, for tests that count them.
///
/// ```swift
/// let store = try SQLiteStore(
///   path: path, observer: StatementObserver { event in logger.debug("\(event)") })
/// ```
///
/// The statements of transactions are included; those that open a connection are not. A store without an observer has no cost,
/// not even that of a check.
public struct StatementObserver: Sendable {
  /// Whether events contain the bound values.
  let includesValues: Bool
  let observe: @Sendable (StatementEvent) -> Void

  /// Makes an observer.
  ///
  /// - Parameters:
  ///   - includingValues: whether events contain the bound values, which may be private.
  ///   - observe: called after each statement, on the thread that ran it, while the connection is still in use: it only
  ///     records the event, and must not use the store.
  public init(includingValues: Bool = false, _ observe: @escaping @Sendable (StatementEvent) -> Void) {
    includesValues = includingValues
    self.observe = observe
  }
}

/// An event for a statement that was run.
public struct StatementEvent: Sendable {
  /// The store: the path of its file, `:memory:`, or the description of the server in the connection string.
  public let store: String
  /// The SQL, with placeholders for the values.
  public let sql: String
  /// The bound values, if the observer requests them; empty for rows that were copied together.
  public let values: [Value]?
  /// The time that the database took for the statement, without the program's own code between two rows.
  public let duration: Duration
  /// The number of rows of the result, as far as they were read.
  public let resultCount: Int
  /// The number of changed rows, without those of triggers and foreign keys; `nil` for a statement that only reads.
  public let changeCount: Int?
  /// The error; `nil` if the statement succeeded.
  public let error: RepositoryError?
}

extension StatementEvent: CustomStringConvertible {
  /// The SQL with its result, without any value: `SELECT … (0.412 ms, 3 rows)`.
  public var description: String {
    let (seconds, attoseconds) = duration.components
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    let fraction = String(1_000 + microseconds % 1_000).dropFirst()
    let count = changeCount ?? resultCount
    let rows = "\(count) \(count == 1 ? "row" : "rows")\(changeCount == nil ? "" : " changed")"
    return "\(sql) (\(microseconds / 1_000).\(fraction) ms, \(error?.code.rawValue ?? rows))"
  }
}

extension Connection {
  /// Runs a statement that is not prepared, and notifies the driver's observer.
  ///
  /// - Parameter body: runs the statement, and returns the number of changed rows.
  package func observing(_ sql: String, _ body: () throws(RepositoryError) -> Int) throws(RepositoryError) {
    guard let observer = driver.observer else { return _ = try body() }
    let start = ContinuousClock.now
    func tell(_ count: Int, _ error: RepositoryError?) {
      observer.observe(
        StatementEvent(
          store: driver.name, sql: sql, values: observer.includesValues ? [] : nil, duration: .now - start,
          resultCount: 0, changeCount: count, error: error))
    }
    do throws(RepositoryError) {
      tell(try body(), nil)
    } catch {
      tell(0, error)
      throw error
    }
  }
}

extension SQLDriver {
  /// Notifies the observer of a read that was pipelined with those of other tasks.
  func observe(_ statement: CompiledStatement, since start: ContinuousClock.Instant, rowCount: Int) {
    guard let observer else { return }
    observer.observe(
      StatementEvent(
        store: name, sql: statement.sql, values: observer.includesValues ? statement.bindings : nil,
        duration: .now - start, resultCount: rowCount, changeCount: nil, error: nil))
  }
}

/// A prepared statement whose runs are reported to an observer.
///
/// It wraps the statement when it is prepared, so that a connection without an observer needs no check when statements are
/// run.
final class ObservedStatement: PreparedStatement {
  private let statement: any PreparedStatement
  private let sql: String
  private let store: String
  private let observer: StatementObserver
  private unowned let connection: any SQLConnection
  private var values: [Value] = []
  /// The current run.
  private var run: Run?

  private struct Run {
    var duration = Duration.zero
    var resultCount = 0
    let changesBefore: Int
  }

  init(
    _ statement: any PreparedStatement, _ sql: String, of store: String, on connection: any SQLConnection,
    _ observer: StatementObserver
  ) {
    self.statement = statement
    self.sql = sql
    self.store = store
    self.connection = connection
    self.observer = observer
  }

  func step() throws(RepositoryError) -> Bool {
    var run = self.run ?? Run(changesBefore: connection.totalChangedRows)
    let start = ContinuousClock.now
    do throws(RepositoryError) {
      let hasRow = try statement.step()
      run.duration += .now - start
      if hasRow { run.resultCount += 1 }
      self.run = run
      if !hasRow { finish(nil) }
      return hasRow
    } catch {
      run.duration += .now - start
      self.run = run
      finish(error)
      throw error
    }
  }

  /// Reports the run, if there is one.
  private func finish(_ error: RepositoryError?) {
    guard let run else { return }
    self.run = nil
    var changeCount: Int?
    if !statement.isReadOnly {
      changeCount = connection.totalChangedRows == run.changesBefore ? 0 : connection.changedRows
    }
    observer.observe(
      StatementEvent(
        store: store, sql: sql, values: observer.includesValues ? values : nil, duration: run.duration,
        resultCount: run.resultCount, changeCount: changeCount, error: error))
  }

  func rewind() {
    // The run has not been reported yet if its reader stopped before the last row.
    finish(nil)
    statement.rewind()
  }

  func reset() {
    finish(nil)
    values.removeAll()
    statement.reset()
  }

  // MARK: Binding

  func bind(_ values: [Value]) throws(RepositoryError) {
    if observer.includesValues { self.values = values }
    try statement.bind(values)
  }

  func bind(_ value: Value, at position: Int) throws(RepositoryError) {
    note(at: position) { value }
    try statement.bind(value, at: position)
  }

  func bind(_ list: [Value], of type: ValueType, at position: Int) throws(RepositoryError) {
    note(at: position) { .text(list.description) }
    try statement.bind(list, of: type, at: position)
  }

  func bind(borrowedText: UnsafeBufferPointer<UInt8>, at position: Int) throws(RepositoryError) {
    note(at: position) { .text(String(decoding: borrowedText, as: UTF8.self)) }
    try statement.bind(borrowedText: borrowedText, at: position)
  }

  private func note(at position: Int, _ value: () -> Value) {
    guard observer.includesValues else { return }
    while values.count <= position { values.append(.null) }
    values[position] = value()
  }

  // MARK: The row

  var isReadOnly: Bool { statement.isReadOnly }
  var parameterCount: Int { statement.parameterCount }
  var columnNames: [String] { statement.columnNames }
  func bytes(at position: Int) -> [UInt8] { statement.bytes(at: position) }
  func value(at position: Int) throws(ValueError) -> Value { try statement.value(at: position) }
  func isNull(at position: Int) -> Bool { statement.isNull(at: position) }
  func integer(at position: Int) -> Int64? { statement.integer(at: position) }
  func real(at position: Int) -> Double? { statement.real(at: position) }
  func text(at position: Int) -> String? { statement.text(at: position) }
}
