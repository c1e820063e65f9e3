public import Query
import Synchronization

/// A compiler of the requests of one table, which compiles each fingerprint only once.
///
/// Programs repeat requests with other values. Such a request is only read from left to right and looked up: its keys and the
/// kinds of its values were checked when the first request with its fingerprint was compiled. Values within an expression are
/// part of the fingerprint: its SQL depends on some of them, and programs seldom vary them.
///
/// ```swift
/// let pokedex = RequestCompiler(for: SQLiteDialect(), table: table)
/// try pokedex.select(FetchRequest(.greaterThan(key: "weight", value: 90.0), limit: 3)).statement.sql
/// ```
///
/// It is equivalent to ``FetchRequest/resolved(in:)`` and ``Compiler`` together. In debug builds, each statement that was
/// looked up is compared with the compiled one.
///
/// It is for the stores, and for the benchmarks, which are in another package.
@_spi(RequestCompilation)
public final class RequestCompiler: Sendable {
  private let compiler: Compiler
  private let table: TableSchema
  private let declared: TableSchema?
  /// The number of changes of how other tables are described: a plan that leads to them is compiled again after one.
  private let revision: @Sendable () -> Int
  private let plans = Mutex<[RequestFingerprint: StatementPlan]>([:])
  /// The plans of requests with expressions, kept separately so that expressions with ever new values do not evict the other
  /// plans.
  private let computedPlans = Mutex<[RequestFingerprint: StatementPlan]>([:])
  /// The maximum number of plans. A program has some dozens of fingerprints; a program that generates requests must not fill
  /// the memory.
  private static let maximumPlanCount = 512

  /// Makes a compiler for a table.
  ///
  /// - Parameters:
  ///   - dialect: the dialect of the SQL.
  ///   - table: the table as the database has it.
  ///   - declared: the table as a schema declares it, if that is stricter: a request has to fit both.
  ///   - revision: returns a number that changes with the descriptions of other tables.
  public init(
    for dialect: any Dialect, table: TableSchema, declared: TableSchema? = nil,
    revision: @escaping @Sendable () -> Int = { 0 }
  ) {
    self.revision = revision
    compiler = Compiler(for: dialect)
    self.table = table
    self.declared = declared
  }

  /// Returns a statement that selects all columns of the rows that match a request.
  ///
  /// - Returns: the statement, and whether its rows are in the reverse order, because the request asks for the last rows before
  ///   a cursor.
  /// - Throws: ``QueryError`` as ``FetchRequest/resolved(in:)`` does.
  public func select(_ request: FetchRequest) throws(QueryError) -> (statement: CompiledStatement, isReversed: Bool) {
    try select(request) { _ in nil }
  }

  /// Returns a statement for a request that may lead to other tables.
  package func select(
    _ request: FetchRequest, with tables: @escaping TableLookup
  ) throws(QueryError) -> (statement: CompiledStatement, isReversed: Bool) {
    let statement = try statement(FingerprintReader(request)) { () throws(QueryError) in
      if let declared { _ = try request.resolved(in: declared, with: tables) }
      let resolved = try request.resolved(in: table, with: tables)
      return (compiler.writing(resolved), try request.cursorOperands(in: table, with: tables))
    }
    return (statement, request.isReversed)
  }

  /// Returns a statement that selects some columns of the rows that match a request, which leads to no other table.
  ///
  /// - Parameter columns: the positions of the columns, in the order of the result.
  package func select(columns: [Int], of request: FetchRequest) throws(QueryError) -> CompiledStatement {
    var reader = FingerprintReader(request)
    reader?.fingerprint.append(columns: columns)
    return try statement(reader) { () throws(QueryError) in
      if let declared { _ = try request.resolved(in: declared) }
      let resolved = try request.resolved(in: table)
      return (compiler.writing(resolved, columns: columns), try request.cursorOperands(in: table) { _ in nil })
    }
  }

  /// Returns a statement that counts the rows that match a query.
  ///
  /// - Throws: ``QueryError`` as ``AnyQuery/resolved(in:)`` does.
  public func count(_ query: AnyQuery) throws(QueryError) -> CompiledStatement { try count(query) { _ in nil } }

  /// Returns a statement that counts rows for a query that may lead to other tables.
  package func count(
    _ query: AnyQuery, with tables: @escaping TableLookup
  ) throws(QueryError) -> CompiledStatement {
    try statement(FingerprintReader(counting: query)) { () throws(QueryError) in
      if let declared { _ = try query.resolved(in: declared, with: tables) }
      let resolved = try query.resolved(in: table, with: tables)
      return (compiler.writingCount(resolved), [])
    }
  }

  /// - Parameters:
  ///   - reader: the request's fingerprint and operands.
  ///   - write: compiles the request, and returns, for each operand of the cursors' conditions, the index of its value.
  private func statement(
    _ reader: FingerprintReader?,
    _ write: () throws(QueryError) -> (writer: StatementWriter, cursorOperands: [Int])
  ) throws(QueryError) -> CompiledStatement {
    guard var reader else { return try write().writer.statement }
    if reader.hasExpressions { reader.fingerprint.append(hash: UInt64(truncatingIfNeeded: revision())) }
    if let plan = plan(of: reader), let bound = plan.bound(for: reader, table, compiler.dialect) {
      let statement = CompiledStatement(plan.text, bound)
      assert(
        Self.isSame(statement, try? write().writer, orMissing: reader.hasExpressions),
        "\(statement.sql) does not have the meaning of the request")
      return statement
    }
    let (writer, cursorOperands) = try write()
    let plan = StatementPlan(
      writer,
      origins: Array(0..<reader.conditionOperandCount) + cursorOperands.map { reader.conditionOperandCount + $0 })
    keep(plan, of: reader)
    return CompiledStatement(plan.text, plan.ordered(writer.bound))
  }

  private func plan(of reader: FingerprintReader) -> StatementPlan? {
    reader.hasExpressions
      ? computedPlans.withLock { $0[reader.fingerprint] } : plans.withLock { $0[reader.fingerprint] }
  }

  private func keep(_ plan: StatementPlan, of reader: FingerprintReader) {
    let fingerprint = reader.fingerprint
    if reader.hasExpressions {
      computedPlans.withLock { $0.keep(plan, of: fingerprint, beside: Self.maximumPlanCount) }
    } else {
      plans.withLock { $0.keep(plan, of: fingerprint, beside: Self.maximumPlanCount) }
    }
  }

  /// - Parameter mayBeMissing: whether the request may lead to tables that are not looked up again, so that it is not compiled.
  private static func isSame(
    _ statement: CompiledStatement, _ writer: StatementWriter?, orMissing mayBeMissing: Bool
  ) -> Bool {
    guard let other = writer?.statement else { return mayBeMissing }
    return other.sql == statement.sql && other.lists == statement.lists
      && other.bindings.elementsEqual(statement.bindings) { $0.isIdentical(to: $1) }
  }
}

extension [RequestFingerprint: StatementPlan] {
  fileprivate mutating func keep(_ plan: StatementPlan, of fingerprint: RequestFingerprint, beside maximum: Int) {
    if count >= maximum { removeAll() }
    self[fingerprint] = plan
  }
}

/// A plan: a statement, and how the values of any request with its fingerprint become its bindings, as recorded by the writer.
private struct StatementPlan {
  let text: StatementText
  private let slots: [Slot]
  /// The index of the value for each placeholder, if expressions change their order.
  private let order: [Int]?
  /// The descriptions of computed values, by their positions after those of the table's columns.
  private let computed: [ColumnSchema]

  /// - Parameters:
  ///   - writer: the writer of the statement.
  ///   - origins: for each operand of the writer, the position of the request's operand as it is read.
  init(_ writer: StatementWriter, origins: [Int]) {
    let (sql, order) = writer.numbered()
    text = StatementText(sql)
    self.order = order
    computed = writer.frame.scope.computed.map(\.column)
    slots = writer.slots.map { $0.mapOperand { origins[$0] } }
  }

  /// Returns values in the order of the placeholders.
  @inline(__always)
  func ordered(_ bound: BoundValues) -> BoundValues {
    guard let order else { return bound }
    return bound.ordered(by: order)
  }

  @inline(__always)
  private func isComparable(
    _ column: Int, of table: TableSchema, _ comparisonOperator: ComparisonOperator, with value: Value
  ) -> Bool {
    // Columns are read in place: a copy of a column retains each of its parts.
    column < table.columns.count
      ? table.columns[column].isComparable(comparisonOperator, with: value)
      : computed[column - table.columns.count].isComparable(comparisonOperator, with: value)
  }

  @inline(__always)
  private func comparison(
    _ column: Int, of table: TableSchema, _ comparisonOperator: ComparisonOperator, _ value: Value,
    _ dialect: any Dialect
  ) -> ComparisonOutcome? {
    guard isComparable(column, of: table, comparisonOperator, with: value) else { return nil }
    return column < table.columns.count
      ? dialect.comparison(table.columns[column], comparisonOperator, value)
      : dialect.comparison(computed[column - table.columns.count], comparisonOperator, value)
  }

  /// Returns the values for a request with the plan's fingerprint; `nil` if its SQL would differ.
  func bound(for request: FingerprintReader, _ table: TableSchema, _ dialect: any Dialect) -> BoundValues? {
    var bound = BoundValues()
    bound.reserveCapacity(slots.count)
    for slot in slots {
      switch slot {
      case .value(let operand):
        guard case .value(let value) = request.operands[operand] else { return nil }
        bound.append(value)
      case .comparison(let operand, let column, let comparisonOperator, let outcome):
        guard case .value(let value) = request.operands[operand],
          case .bound(outcome, let moved)? = comparison(column, of: table, comparisonOperator, value, dialect)
        else { return nil }
        bound.append(moved)
      case .constant(let operand, let column, let comparisonOperator, let constant):
        guard case .value(let value) = request.operands[operand],
          case .constant(constant)? = comparison(column, of: table, comparisonOperator, value, dialect)
        else { return nil }
      case .text(let operand, let makes):
        guard case .value(.text(let sought)) = request.operands[operand] else { return nil }
        for make in makes {
          guard let value = make(sought) else { return nil }
          bound.append(value)
        }
      case .list(let operand, let column, let isEmpty, let makes):
        guard case .list(let list) = request.operands[operand],
          list.allSatisfy({ isComparable(column, of: table, .equal, with: $0) })
        else { return nil }
        let values = dialect.equatable(
          list, to: column < table.columns.count ? table.columns[column] : computed[column - table.columns.count])
        guard values.isEmpty == isEmpty else { return nil }
        for make in makes {
          guard let binding = make(values) else { return nil }
          bound.append(binding)
        }
      case .range(let range):
        bound.append(range.value(limit: request.limit, offset: request.offset))
      case .fixed(let value):
        bound.append(value)
      }
    }
    return ordered(bound)
  }
}
