/// The rows of other tables, for expressions that are evaluated in memory.
package protocol RelatedRowSource: Sendable {
  /// Returns a finder of the rows of a table whose columns equal the given columns of a row.
  func makeFinder(of table: String, where columns: [Int], equal sources: [Int]) -> RelatedRowFinder
}

/// A function that calls a closure with the related rows of a row, until the closure returns `false`; a row whose reference is
/// null has no related rows.
///
/// The values are valid only during the call.
package typealias RelatedRowFinder =
  @Sendable (
    _ row: UnsafeBufferPointer<Value>, _ body: (UnsafeBufferPointer<Value>) -> Bool
  ) -> Void

/// A function that evaluates an expression for a row.
package typealias RowEvaluator = @Sendable (_ row: UnsafeBufferPointer<Value>) -> Value

extension RowScope {
  /// Returns a function that reads the value at a position.
  package func makeEvaluator(_ position: Int, _ source: (any RelatedRowSource)?) -> RowEvaluator {
    guard let expression = expression(position) else { return { row in row[position] } }
    return makeEvaluator(expression, source)
  }

  /// Returns a function that appends computed values to the values of a row.
  package func makeExtension(_ source: (any RelatedRowSource)?) -> @Sendable (_ row: [Value]) -> [Value] {
    if computed.isEmpty { return { $0 } }
    let evaluators = computed.map { makeEvaluator($0.expression, source) }
    return { row in row.withUnsafeBufferPointer { values in row + evaluators.map { $0(values) } } }
  }

  private func makeEvaluator(_ expression: ResolvedExpression, _ source: (any RelatedRowSource)?) -> RowEvaluator {
    switch expression.form {
    case .column(let column):
      return { row in row[column] }
    case .value(let value):
      return { _ in value }
    case .joined(let join, let column):
      let find = makeFinder(join: join, source)
      return { row in
        var value = Value.null
        find(row) { other in
          value = other[column]
          return false
        }
        return value
      }
    case .converted(let column, let conversion):
      let evaluate = makeEvaluator(column, source)
      return { row in conversion.value(of: evaluate(row)) }
    case .function(let function, let arguments):
      if let evaluator = function.makeEvaluator(ofColumns: arguments) { return evaluator }
      return function.makeEvaluator(arguments.map { makeEvaluator($0, source) }, arguments.map(\.type))
    case .conditional(let predicate, let then, let otherwise):
      let holds = predicate.makePredicate(in: self, source)
      let results = [makeEvaluator(then, source), makeEvaluator(otherwise, source)]
      let isReal = expression.type.kind == .real
      return { row in (holds(row) ? results[0] : results[1])(row).asReal(if: isReal) }
    case .aggregate(let function, let rows):
      return makeEvaluator(function, of: rows, isReal: expression.type.kind == .real, source)
    case .exists(let rows):
      let holds = rows.predicate.makePredicate(in: rows.scope, source)
      let forEach = rows.makeIterator(source)
      return { row in
        var exists = false
        forEach(row) { other in
          exists = holds(other)
          return !exists
        }
        return .integer(exists ? 1 : 0)
      }
    }
  }

  /// Returns a finder of the row that a join leads to.
  func makeFinder(join: Int, _ source: (any RelatedRowSource)?) -> RelatedRowFinder {
    guard let source else { return { _, _ in } }
    let join = joins[join]
    let find = source.makeFinder(of: join.table.name, where: join.key, equal: join.columns)
    guard let outer = join.source.map({ makeFinder(join: $0, source) }) else { return find }
    return { row, body in
      outer(row) { other in
        find(other, body)
        return false
      }
    }
  }

  private func makeEvaluator(
    _ function: AnyAggregate.Function, of rows: RelatedScope, isReal: Bool, _ source: (any RelatedRowSource)?
  ) -> RowEvaluator {
    let holds = rows.predicate.makePredicate(in: rows.scope, source)
    let forEach = rows.makeIterator(source)
    let aggregated = rows.aggregated.map { rows.scope.makeEvaluator($0, source) }
    let spelling = rows.aggregated.map { rows.scope.column($0) }
    return { row in
      var count: Int64 = 0
      var extreme = MinMaxAccumulator(isGreatest: function == .max)
      var total = function == .sum || function == .average ? SumAccumulator() : nil
      var values: Set<Value> = []
      forEach(row) { other in
        guard holds(other) else { return true }
        guard let value = aggregated?(other) else {
          count += 1
          return true
        }
        if value.isNull { return true }
        count += 1
        extreme.add(value)
        total?.add(value)
        if function == .countDistinct { values.insert(value) }
        return true
      }
      switch function {
      case .count: return .integer(count)
      case .countDistinct: return .integer(Int64(values.count))
      case .min, .max: return spelling?.spelling(extreme.value) ?? extreme.value
      case .sum: return total.map { (isReal ? $0.realSum : $0.sum).total } ?? .null
      case .average: return total?.average.total ?? .null
      }
    }
  }
}

extension RelatedScope {
  /// Returns a finder of the rows that refer to a row.
  fileprivate func makeIterator(_ source: (any RelatedRowSource)?) -> RelatedRowFinder {
    guard let source else { return { _, _ in } }
    return source.makeFinder(of: scope.table.name, where: columns, equal: key)
  }
}

extension Value {
  /// Returns the real that is nearest to an integer, if a real is wanted.
  func asReal(if isReal: Bool) -> Value {
    if isReal, case .integer(let integer) = self { return .real(Double(integer)) }
    return self
  }

  /// The sum; null if it has no value, so that no row makes a query fail.
  fileprivate var total: Value {
    if case .text = self { .null } else { self }
  }
}

extension ExpressionFunction {
  /// Applies the function to values.
  package func value(of values: [Value], _ types: [ExpressionType]) -> Value {
    // A statement by hand can call a function of SQLite with any number of arguments.
    guard argumentCount.contains(values.count) else { return .null }
    switch self {
    case .add, .subtract, .multiply, .divide, .remainder, .least, .greatest:
      return values.dropFirst().reduce(values[0]) { Arithmetic.apply(self, $0, $1) }
    case .coalesce:
      let isReal =
        types.contains { $0.kind == .real } && types.allSatisfy { [.null, .integer, .real].contains($0.kind) }
      return (values.first { !$0.isNull } ?? .null).asReal(if: isReal)
    case .concatenate:
      var text = ""
      for value in values {
        guard case .text(let part) = value else { return .null }
        text += part
      }
      return .text(text)
    case .round where values.count == 2: return Arithmetic.round(values[0], values[1])
    case .replace, .position, .substring, .part, .addDays, .addMonths, .daysBetween, .secondsBetween:
      guard case .text(let text) = values[0] else { return .null }
      return value(of: text, Array(values.dropFirst()))
    default:
      return value(of: values[0])
    }
  }

  /// Applies a function of a text and other arguments.
  private func value(of text: String, _ others: [Value]) -> Value {
    switch (self, others[0], others.count > 1 ? others[1] : nil) {
    case (.replace, .text(let part), .text(let replacement)?):
      .text(TextFunctions.replace(text, part, replacement))
    case (.position, .text(let part), nil): .integer(TextFunctions.position(text, part))
    case (.substring, .integer(let start), nil): TextFunctions.substring(text, start, nil)
    case (.substring, .integer(let start), .integer(let count)?): TextFunctions.substring(text, start, count)
    case (.part, .text(let separator), .integer(let number)?): TextFunctions.part(text, separator, number)
    case (.addDays, .integer(let days), nil): DateParts.text(text, addingDays: days).map(Value.text) ?? .null
    case (.addMonths, .integer(let months), nil): DateParts.text(text, addingMonths: months).map(Value.text) ?? .null
    case (.daysBetween, .text(let end), nil):
      DateParts(text).flatMap { start in DateParts(end).map { .integer($0.dayNumber - start.dayNumber) } } ?? .null
    case (.secondsBetween, .text(let end), nil):
      DateParts(text).flatMap { start in DateParts(end).map { .integer($0.secondNumber - start.secondNumber) } }
        ?? .null
    default: .null
    }
  }

  /// Applies a function of one argument.
  package func value(of value: Value) -> Value {
    if isArithmetic { return Arithmetic.apply(self, value) }
    guard case .text(let text) = value else { return .null }
    switch self {
    case .length: return .integer(Int64(text.unicodeScalars.count))
    case .folded: return .text(CaseFolding.fold(text))
    case .trim: return .text(TextFunctions.trim(text))
    case .integer: return TextFunctions.integer(text).map(Value.integer) ?? .null
    case .number: return TextFunctions.number(text).map(Value.real) ?? .null
    default: return DateParts(text)?.value(of: self) ?? .null
    }
  }

  /// Returns a function that applies an operation to columns and constants, the most common case; `nil` for all others.
  fileprivate func makeEvaluator(ofColumns arguments: [ResolvedExpression]) -> RowEvaluator? {
    guard arguments.count == 2, isArithmetic, self != .round else { return nil }
    let function = self
    switch (arguments[0].form, arguments[1].form) {
    case (.column(let lhs), .column(let rhs)): return { row in Arithmetic.apply(function, row[lhs], row[rhs]) }
    case (.column(let lhs), .value(let rhs)): return { row in Arithmetic.apply(function, row[lhs], rhs) }
    case (.value(let lhs), .column(let rhs)): return { row in Arithmetic.apply(function, lhs, row[rhs]) }
    default: return nil
    }
  }

  /// Returns a function that applies the operation to the results of other evaluators.
  fileprivate func makeEvaluator(_ arguments: [RowEvaluator], _ types: [ExpressionType]) -> RowEvaluator {
    if arguments.count == 1, self != .coalesce {
      let (function, argument) = (self, arguments[0])
      return { row in function.value(of: argument(row)) }
    }
    if arguments.count == 2, isArithmetic, self != .round {
      let (function, lhs, rhs) = (self, arguments[0], arguments[1])
      return { row in Arithmetic.apply(function, lhs(row), rhs(row)) }
    }
    let function = self
    return { row in function.value(of: arguments.map { $0(row) }, types) }
  }
}
