import ErrorDetails
import Synchronization

/// A query whose keys were found in a table and whose values fit it, so that it can be evaluated or compiled.
public struct ResolvedQuery: Sendable {
  /// The maximum depth of nested conditions; negations, and connectives within connectives of the same kind (`a and (b and
  /// c)`), do not count.
  ///
  /// A limit of the contract, not of a store, so that every store refuses the same queries. SQLite's parser holds 100
  /// pending symbols, of which the deepest allowed query needs about 80.
  public static let maximumDepth = 64

  /// The maximum number of conditions of a query.
  public static let maximumConditionCount = 1_000_000

  /// The maximum number of distinct conditions of a query: in a long `and` or `or`, a repeated condition counts once, and
  /// all values that a key equals, or differs from, count as one list.
  ///
  /// SQLite needs close to a second to prepare a query of so many conditions, and the time grows with the square of their
  /// number.
  public static let maximumDistinctConditionCount = 10_000

  /// The table against which the query was resolved.
  public var table: TableSchema { scope.table }
  /// The scope of the query.
  package private(set) var scope: RowScope
  /// The query in negation normal form, its keys replaced by positions in the table.
  package let predicate: NormalizedPredicate
  /// The evaluator of the query in memory, made on first use.
  let evaluator = LazyEvaluator()

  /// The number of operands of the query's conditions, before normalization removed any.
  private let operandCount: Int

  /// - Parameter firstOperand: the number of operands of the request that precede those of the query.
  init(_ query: AnyQuery, with resolver: inout ScopeResolver, firstOperand: Int = 0) throws(QueryError) {
    (predicate, operandCount) = try Self.normalized(query, with: &resolver, firstOperand: firstOperand)
    scope = resolver.scope
  }

  private init(_ predicate: NormalizedPredicate, operandCount: Int, in scope: RowScope) {
    self.scope = scope
    self.predicate = predicate
    self.operandCount = operandCount
  }

  /// Returns the conjunction of both queries.
  func and(_ other: AnyQuery, with resolver: inout ScopeResolver) throws(QueryError) -> ResolvedQuery {
    let other = try ResolvedQuery(other, with: &resolver, firstOperand: operandCount)
    return ResolvedQuery(
      .combined([predicate, other.predicate], matchingAll: true), operandCount: operandCount + other.operandCount,
      in: resolver.scope)
  }

  static func normalized(
    _ query: AnyQuery, with resolver: inout ScopeResolver, firstOperand: Int = 0
  ) throws(QueryError) -> (predicate: NormalizedPredicate, operandCount: Int) {
    try checkSize(of: query)
    // Walks with an explicit stack, because a query may be nested deeper than this thread's stack allows.
    enum Step {
      case visit(AnyQuery, isNegated: Bool, depth: Int)
      case combine(Int, matchingAll: Bool)
    }
    var steps: [Step] = [.visit(query, isNegated: false, depth: 0)]
    var clauses: [NormalizedPredicate] = []
    var operand = firstOperand
    while let step = steps.popLast() {
      switch step {
      case .combine(let count, let matchingAll):
        let combined = NormalizedPredicate.combined(clauses.suffix(count), matchingAll: matchingAll)
        clauses.removeLast(count)
        clauses.append(combined)
      case .visit(var query, var isNegated, let depth):
        while case .not(let inner) = query.form {
          query = inner
          isNegated.toggle()
        }
        if case .condition(let condition) = query.form {
          let resolved = try condition.resolved(with: &resolver)
          let stackDepth = resolver.scope.stackDepth(resolved)
          if stackDepth > 0, 2 * depth + stackDepth > RowScope.maximumStackDepth { throw .tooDeepExpression }
          if case .constant(let constant) = resolved {
            clauses.append(.constant(constant != isNegated))
          } else {
            clauses.append(.condition(resolved, isNegated: isNegated, operand: operand))
          }
          operand += resolved.operandCount
          continue
        }
        if depth == maximumDepth {
          throw QueryError(
            .tooComplex, "the query is nested deeper than \(maximumDepth) levels",
            suggestion: "use a list of values with `in`, or split the query")
        }
        let (operands, matchingAll) = operands(of: query, isNegated: isNegated)
        steps.append(.combine(operands.count, matchingAll: matchingAll))
        for (operand, isNegated) in operands.reversed() {
          steps.append(.visit(operand, isNegated: isNegated, depth: depth + 1))
        }
      }
    }
    if clauses[0].conditionCount > maximumDistinctConditionCount {
      throw QueryError(
        .tooComplex, "the query has more than \(maximumDistinctConditionCount) different conditions",
        suggestion: "use a list of values with `in`, or split the query")
    }
    return (clauses[0], operand - firstOperand)
  }

  private static func checkSize(of query: AnyQuery) throws(QueryError) {
    if query.conditionCount > maximumConditionCount {
      throw QueryError(.tooComplex, "the query has more than \(maximumConditionCount) conditions")
    }
    // The limit leaves room for the negations of any real query, but not for those of a query that is repeatedly combined with
    // itself.
    if query.partCount > 4 * maximumConditionCount {
      throw QueryError(.tooComplex, "the query has more than \(4 * maximumConditionCount) parts")
    }
  }

  /// Returns the members of a connective, including those of connectives of the same kind within it.
  private static func operands(
    of query: AnyQuery, isNegated: Bool
  ) -> (operands: [(AnyQuery, isNegated: Bool)], matchingAll: Bool) {
    var operands: [(AnyQuery, isNegated: Bool)] = []
    var kind: Bool?
    var pending = [(query, isNegated)]
    while let (query, isNegated) = pending.popLast() {
      switch query.form {
      case .not(let inner):
        pending.append((inner, !isNegated))
      case .and(let lhs, let rhs) where kind == nil || kind == !isNegated:
        kind = !isNegated
        pending += [(rhs, isNegated), (lhs, isNegated)]
      case .or(let lhs, let rhs) where kind == nil || kind == isNegated:
        kind = isNegated
        pending += [(rhs, isNegated), (lhs, isNegated)]
      case .condition, .and, .or:
        operands.append((query, isNegated))
      }
    }
    return (operands, kind ?? true)
  }
}

extension Condition<AnyExpression> {
  /// Resolves the keys in a table and checks that the values fit their columns.
  package func resolved(in table: TableSchema) throws(QueryError) -> Condition<Int> {
    var resolver = ScopeResolver(table) { _ in nil }
    return try resolved(with: &resolver)
  }

  /// Resolves the keys of the condition, and checks that values fit.
  func resolved(with resolver: inout ScopeResolver) throws(QueryError) -> Condition<Int> {
    if case .invalid(let error) = self { throw .invalidValue(error) }
    let condition = try constantsOnTheRight(resolver)
    // The key on the left is resolved first: an unknown name on the right may have been intended as a text.
    let compared = try condition.key.map { key throws(QueryError) in
      let position = try resolver.position(of: key)
      return resolver.scope.column(position)
    }
    var resolved = try condition.mapKeys { key throws(QueryError) in
      do throws(QueryError) {
        return try resolver.position(of: key)
      } catch {
        guard let name = key.plainKey, compared?.kinds.contains(.text) == true else { throw error }
        throw error.suggestingText(name)
      }
    }
    let scope = resolver.scope
    if compared?.format == .decimal { resolved = resolved.mapValues { compared?.formatted($0) ?? $0 } }
    switch resolved {
    case .constant, .holds, .invalid:
      break
    case .comparison(let comparison) where comparison.operator.isEquality && comparison.operand == .value(.null):
      break
    case .comparison(let comparison):
      try scope.column(comparison.key).check(comparison.operator, comparison.operand, in: scope)
    case .between(let between):
      try scope.column(between.key).check(.greaterThanOrEqual, between.lower, in: scope)
      try scope.column(between.key).check(.lessThanOrEqual, between.upper, in: scope)
    case .membership(let membership):
      for value in membership.values { try scope.column(membership.key).check(.equal, value) }
    case .text(let text):
      let column = scope.column(text.key)
      try column.checkIsComparable()
      if !column.kinds.contains(.text) || column.isDecimal {
        throw .kindMismatch(
          column, with: "text", suggestion: "`\(text.operation.rawValue)` needs a text column")
      }
    }
    return resolved
  }

  /// Returns the same condition with constant expressions as values, on the right where possible: a database can then use
  /// an index.
  private func constantsOnTheRight(_ resolver: ScopeResolver) throws(QueryError) -> Condition {
    switch self {
    case .comparison(let comparison):
      guard comparison.hasExpressions else { return self }
      let operand = try comparison.operand.folded(resolver)
      guard let value = try resolver.constant(comparison.key) else {
        return .comparison(Comparison(key: comparison.key, operator: comparison.operator, operand: operand))
      }
      switch operand {
      case .value(let other): return .constant(comparison.operator.holds(value, other))
      case .key(let key):
        return .comparison(Comparison(key: key, operator: comparison.operator.mirrored, operand: .value(value)))
      }
    case .between(let between):
      let (lower, upper) = (try between.lower.folded(resolver), try between.upper.folded(resolver))
      return try Condition.between(Between(key: between.key, lower: lower, upper: upper)).decided(resolver)
    case .membership, .text:
      return try decided(resolver)
    case .constant, .holds, .invalid:
      return self
    }
  }

  /// Returns the condition, or its constant result if it does not depend on the row.
  private func decided(_ resolver: ScopeResolver) throws(QueryError) -> Condition {
    guard let key, key.plainKey == nil, let value = try resolver.constant(key),
      value.isNull || operands.allSatisfy({ $0.value != nil })
    else { return self }
    // What null is compared with may be unknown, or no expression at all.
    var resolver = resolver
    for case .key(let other) in operands { _ = try resolver.position(of: other) }
    let test = mapKeys { _ in 0 }.makePredicate()
    return .constant([value].withUnsafeBufferPointer(test))
  }
}

extension Comparison<AnyExpression> {
  /// Whether a side is anything but a key or a value.
  fileprivate var hasExpressions: Bool {
    if key.plainKey == nil { return true }
    if case .key(let other) = operand { return other.plainKey == nil }
    return false
  }
}

extension Operand<AnyExpression> {
  /// Returns the same operand as a value, if it is constant.
  fileprivate func folded(_ resolver: ScopeResolver) throws(QueryError) -> Operand {
    guard case .key(let key) = self, key.plainKey == nil, let value = try resolver.constant(key) else { return self }
    return .value(value)
  }
}

extension QueryError {
  /// Returns the error for an unknown key after an operator, with the advice to quote it: `name = Pikachu` may mean a text.
  fileprivate func suggestingText(_ key: String) -> QueryError {
    // A long name, or one with control characters for a terminal, is not shown.
    guard key.utf8.count <= 32, VisibleText.excerpt(of: Array(key.utf8)[...]) == key else { return self }
    let nearest = suggestion.flatMap { $0.hasPrefix("did you mean") ? $0.dropLast() : nil }
    return QueryError(
      code, summary, reason: reason,
      suggestion: nearest.map { "\($0), or the text \(Value.text(key))?" } ?? "did you mean \(Value.text(key))?")
  }
}

extension ColumnSchema {
  fileprivate func check(
    _ comparisonOperator: ComparisonOperator, _ operand: Operand<Int>, in scope: RowScope
  ) throws(QueryError) {
    switch operand {
    case .value(let value):
      try check(comparisonOperator, value)
    case .key(let key):
      let other = scope.column(key)
      try checkIsComparable()
      try other.checkIsComparable()
      if kinds.isDisjoint(with: other.kinds) || isDecimal != other.isDecimal && type == .text && other.type == .text {
        let kinds = Value.Kind.allCases.filter(other.kinds.contains)
        let held = other.format?.plural ?? kinds.map(\.plural).joined(separator: " and ")
        throw .kindMismatch(self, with: "\(VisibleText.name(other.name)), which stores \(held)", suggestion: nil)
      }
    }
  }

  fileprivate func check(_ comparisonOperator: ComparisonOperator, _ value: Value) throws(QueryError) {
    if value.isNaN { throw .invalidValue(.notANumber) }
    try checkIsComparable()
    if !isComparable(comparisonOperator, with: value) {
      throw .kindMismatch(self, with: described(value), suggestion: formatSuggestion)
    }
    if value.isNull || kinds.contains(value.kind) { return }
    switch value {
    case .null: return
    case .integer, .real:
      let isOrder = comparisonOperator != .equal && comparisonOperator != .notEqual
      let advice = "put the number in quotes" + (isOrder ? ", which compares text character by character" : "")
      throw .kindMismatch(self, with: "a number", suggestion: kinds.contains(.text) ? advice : nil)
    case .text(let text):
      // `Double` also reads "nan", "infinity" and "0x1p3".
      let isNumber = Double(text) != nil && text.utf8.allSatisfy("+-.0123456789Ee".utf8.contains)
      throw .kindMismatch(
        self, with: "text",
        suggestion: nativeType == .boolean
          ? "write true or false without quotes"
          : kinds.contains(.number) && isNumber ? "write the number without quotes" : nil)
    case .blob:
      throw .kindMismatch(self, with: "a blob", suggestion: nil)
    }
  }
}

/// A function that tests whether a query matches a row, whose values are in the order of the table's columns.
///
/// It reads the values in place: nothing is copied, and no reference count changes.
package typealias RowPredicate = @Sendable (_ row: UnsafeBufferPointer<Value>) -> Bool

/// A predicate that is made when the first row is evaluated: stores that compile queries to SQL never evaluate one.
final class LazyEvaluator: Sendable {
  private final class Evaluator: Sendable {
    let predicate: RowPredicate

    init(_ predicate: @escaping RowPredicate) {
      self.predicate = predicate
    }
  }

  private let evaluator = AtomicLazyReference<Evaluator>()

  /// Returns the predicate; if several threads make it at once, all get the predicate of the first.
  func predicate(makingWith make: () -> RowPredicate) -> RowPredicate {
    (evaluator.load() ?? evaluator.storeIfNil(Evaluator(make()))).predicate
  }
}
