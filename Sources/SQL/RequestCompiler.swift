public import Query
import Synchronization

/// Turns the requests that one table is asked into SQL, and those of a shape that it has seen before without writing it anew.
///
/// Programs ask the same questions with other values again and again. Such a request is only read from left to right and
/// looked up: its keys and the kinds of its values were checked when the first of its shape was compiled.
///
/// ```swift
/// let pokedex = RequestCompiler(for: SQLiteDialect(), table: table)
/// try pokedex.select(FetchRequest(.greaterThan(key: "weight", value: 90.0), limit: 3)).statement.sql
/// ```
///
/// It means what ``FetchRequest/resolved(in:)`` and ``Compiler`` mean together. In debug builds, each statement that was
/// looked up is compared with the one that those make.
public final class RequestCompiler: Sendable {
  private let compiler: Compiler
  private let table: TableSchema
  private let declared: TableSchema?
  /// What is known of a shape.
  private enum Knowledge {
    case plan(StatementPlan)
    case uncacheable
  }

  private let plans = Mutex<[RequestFingerprint: Knowledge]>([:])
  /// Whether the dialect binds a limit and an offset as ``range(of:)`` does.
  private let bindsRangesAsExpected: Bool
  /// A program has some dozens of shapes. One that makes them up may not fill the memory.
  private static let maximumPlanCount = 512

  /// Makes a compiler for a table.
  ///
  /// - Parameters:
  ///   - dialect: the database whose SQL is written.
  ///   - table: the table as the database keeps it.
  ///   - declared: the table as a schema declares it, where that is stricter: a request has to fit both.
  public init(for dialect: any Dialect, table: TableSchema, declared: TableSchema? = nil) {
    compiler = Compiler(for: dialect)
    bindsRangesAsExpected = [(1, 0), (nil, 2), (1, 2)].allSatisfy { (limit: Int?, offset: Int) in
      var writer = StatementWriter(dialect, table)
      _ = dialect.range(limit: limit, offset: offset, bind: { writer.bind($0) })
      return writer.bindings == Self.range(of: FetchRequest(limit: limit, offset: offset))
    }
    self.table = table
    self.declared = declared
  }

  /// Selects all columns of the rows that a request means.
  ///
  /// - Returns: the statement, and whether its rows come in the opposite of the order that was asked for, because they are
  ///   those that end before a place.
  /// - Throws: ``QueryError`` as ``FetchRequest/resolved(in:)`` does.
  public func select(_ request: FetchRequest) throws(QueryError) -> (statement: CompiledStatement, isReversed: Bool) {
    // Where a cursor is refused, so may be what a request is looked through for before that.
    let places = try? request.cursorPredicates(in: table)
    let statement = try statement(
      places.flatMap { FingerprintReader(request, places: $0) }, [request.query] + (places ?? []),
      range: Self.range(of: request)
    ) { () throws(QueryError) in
      if let declared { _ = try request.resolved(in: declared) }
      return compiler.writing(try request.resolved(in: table))
    }
    return (statement, request.isReversed)
  }

  /// Counts the rows that a query means.
  ///
  /// - Throws: ``QueryError`` as ``AnyQuery/resolved(in:)`` does.
  public func count(_ query: AnyQuery) throws(QueryError) -> CompiledStatement {
    try statement(FingerprintReader(counting: query), [query], range: []) { () throws(QueryError) in
      if let declared { _ = try query.resolved(in: declared) }
      return compiler.writingCount(try query.resolved(in: table))
    }
  }

  private func statement(
    _ reader: FingerprintReader?, _ queries: [AnyQuery], range: [Value],
    _ write: () throws(QueryError) -> StatementWriter
  ) throws(QueryError) -> CompiledStatement {
    guard let reader else { return try write().statement }
    let known = plans.withLock { $0[reader.shape] }
    if case .plan(let plan) = known, let bindings = plan.bindings(for: reader, range: range) {
      let statement = CompiledStatement(plan.text, bindings: bindings)
      assert(Self.isSame(statement, try? write()), "\(statement.sql) is not what the request means")
      return statement
    }
    let writer = try write()
    // It tells nothing, or not with these values; to try that again costs more than the plan would be worth.
    if case .uncacheable = known { return writer.statement }
    let plan = bindsRangesAsExpected ? StatementPlan(writer, of: conditions(of: queries), reader, range: range) : nil
    plans.withLock { plans in
      if plans.count >= Self.maximumPlanCount { plans.removeAll() }
      plans[reader.shape] = plan.map(Knowledge.plan) ?? .uncacheable
    }
    return writer.statement
  }

  private static func isSame(_ statement: CompiledStatement, _ writer: StatementWriter?) -> Bool {
    writer?.sql == statement.sql && writer?.bindings.isIdentical(to: statement.bindings) == true
  }

  /// What a dialect binds for a limit and an offset, unless it has ideas of its own.
  private static func range(of request: FetchRequest) -> [Value] {
    if request.offset > 0 { return [.integer(Int64(request.limit ?? -1)), .integer(Int64(request.offset))] }
    return request.limit.map { [.integer(Int64($0))] } ?? []
  }

  /// The conditions of queries from left to right, but for constants.
  private func conditions(of queries: [AnyQuery]) -> [Condition<Int>] {
    var conditions: [Condition<Int>] = []
    var pending = Array(queries.reversed())
    while let query = pending.popLast() {
      switch query.form {
      case .and(let lhs, let rhs), .or(let lhs, let rhs): pending += [rhs, lhs]
      case .not(let inner): pending.append(inner)
      case .condition(.constant): break
      case .condition(let condition):
        if let condition = try? condition.resolved(in: table) { conditions.append(condition) }
      }
    }
    return conditions
  }
}
