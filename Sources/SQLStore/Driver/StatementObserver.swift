public import Query
public import Repository
import SQL

/// What is told of each statement that a store runs: for logs, for a list of slow statements, for tests that count them.
///
/// ```swift
/// let store = try SQLiteStore(
///   path: path, observer: StatementObserver { event in logger.debug("\(event)") })
/// ```
///
/// The transactions' own statements are among them; what a connection runs as it is opened is not. A store without an observer
/// does nothing for it, not even look for one.
public struct StatementObserver: Sendable {
  /// Whether events have the values that were bound.
  let includesValues: Bool
  let observe: @Sendable (StatementEvent) -> Void

  /// Makes an observer.
  ///
  /// - Parameters:
  ///   - includingValues: whether the events have the values that were bound, which may be private.
  ///   - observe: is called after each statement, on the thread that ran it, while the connection is still in use: it takes
  ///     note, and asks the store nothing.
  public init(includingValues: Bool = false, _ observe: @escaping @Sendable (StatementEvent) -> Void) {
    includesValues = includingValues
    self.observe = observe
  }
}

/// A statement that was run.
public struct StatementEvent: Sendable {
  /// The store: the path of its file, `:memory:`, or what the connection string says of the server.
  public let store: String
  /// The SQL, with placeholders for the values.
  public let sql: String
  /// The values that were bound, where the observer wants them; none of rows that were copied together.
  public let values: [Value]?
  /// How long the database worked on it. The program's own code between two rows is not counted.
  public let duration: Duration
  /// How many rows it resulted in, as far as they were read.
  public let resultCount: Int
  /// How many rows it changed, those of triggers and foreign keys left out; `nil` for a statement that only reads.
  public let changeCount: Int?
  /// Why it failed; `nil` where it did not.
  public let error: RepositoryError?
}

extension StatementEvent: CustomStringConvertible {
  /// The SQL with what came of it, without any value: `SELECT … (0.412 ms, 3 rows)`.
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
  /// Runs a statement that is not prepared, and tells the driver's observer.
  ///
  /// - Parameter body: runs it, and says how many rows it changed.
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
  /// Tells the observer of a statement that was sent along with those of other tasks.
  func observe(_ statement: CompiledStatement, since start: ContinuousClock.Instant, rowCount: Int) {
    guard let observer else { return }
    observer.observe(
      StatementEvent(
        store: name, sql: statement.sql, values: observer.includesValues ? statement.bindings : nil,
        duration: .now - start, resultCount: rowCount, changeCount: nil, error: nil))
  }
}

/// A prepared statement whose runs are told to an observer.
///
/// It takes the place of the statement when it is prepared, so that a connection without an observer has nothing to look at as
/// statements are run.
final class ObservedStatement: PreparedStatement {
  private let statement: any PreparedStatement
  private let sql: String
  private let store: String
  private let observer: StatementObserver
  private unowned let connection: any SQLConnection
  private var values: [Value] = []
  /// The run that is not over.
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

  /// Tells of the run, if there is one.
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
    // A reader may have had enough rows.
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
