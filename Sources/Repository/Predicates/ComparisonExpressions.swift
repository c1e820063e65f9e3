#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Query

extension PredicateExpressions.Equal: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    .truth(PredicateTruth(try translator.equality(lhs, rhs)))
  }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    .truth(PredicateTruth(try translator.equality(lhs, rhs, isNegated: true)))
  }
}

extension PredicateTranslator {
  /// Returns the condition that two expressions are equal, or not equal.
  fileprivate func equality<LHS: PredicateExpression, RHS: PredicateExpression>(
    _ lhs: LHS, _ rhs: RHS, isNegated: Bool = false
  ) throws(QueryError) -> AnyQuery where LHS.Output: Equatable, LHS.Output == RHS.Output {
    let (left, right) = (try term(of: lhs), try term(of: rhs))
    switch (left, right) {
    case (.constant(let left as LHS.Output), .constant(let right as LHS.Output)):
      return .constant((left == right) != isNegated)
    case (.truth, _), (_, .truth):
      let (left, right) = (
        try truth(left, as: LHS.Output.self, of: lhs), try truth(right, as: LHS.Output.self, of: rhs)
      )
      return isNegated ? .opposite(left.isEqual(to: right)) : left.isEqual(to: right)
    default:
      let (left, right) = (
        try operand(left, as: LHS.Output.self, of: lhs), try operand(right, as: LHS.Output.self, of: rhs)
      )
      return try left.compared(by: isNegated ? .notEqual : .equal, with: right)
    }
  }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    guard let comparisonOperator = op.comparisonOperator else { throw .unsupported(self) }
    let (left, right) = (try translator.term(of: lhs), try translator.term(of: rhs))
    if case .constant(let left as LHS.Output) = left, case .constant(let right as LHS.Output) = right {
      return .truth(PredicateTruth(comparisonOperator.holds(between: left, right)))
    }
    guard StoredOrder.isKept(by: LHS.Output.self) else { throw .unsupported(self, byOrderOf: LHS.Output.self) }
    let operand = try translator.operand(left, as: LHS.Output.self, of: lhs)
    let other = try translator.operand(right, as: LHS.Output.self, of: rhs)
    return .truth(PredicateTruth(try operand.compared(by: comparisonOperator, with: other)))
  }
}

extension PredicateExpressions.ComparisonOperator {
  /// The same operator of a query; `nil` for an unknown one.
  fileprivate var comparisonOperator: ComparisonOperator? {
    switch self {
    case .lessThan: .lessThan
    case .lessThanOrEqual: .lessThanOrEqual
    case .greaterThan: .greaterThan
    case .greaterThanOrEqual: .greaterThanOrEqual
    @unknown default: nil
    }
  }
}

extension ComparisonOperator {
  /// Compares captured values, as Swift does.
  fileprivate func holds<Captured: Comparable>(between lhs: Captured, _ rhs: Captured) -> Bool {
    switch self {
    case .equal: lhs == rhs
    case .notEqual: lhs != rhs
    case .lessThan: lhs < rhs
    case .lessThanOrEqual: lhs <= rhs
    case .greaterThan: lhs > rhs
    case .greaterThanOrEqual: lhs >= rhs
    }
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    let (whole, part) = (try translator.term(of: range), try translator.term(of: element))
    let limits: [PredicateLimit]
    switch (whole, part) {
    case (.constant(let range as RangeExpression.Output), .constant(let part as Element.Output)):
      return .truth(PredicateTruth(range.contains(part)))
    case (.constant(let range as any CapturedRange), _): limits = try range.limits()
    case (.range(let range), _): limits = range
    default: throw .unsupported(self)
    }
    guard StoredOrder.isKept(by: Element.Output.self) else { throw .unsupported(self, byOrderOf: Element.Output.self) }
    let operand = try translator.operand(part, as: Element.Output.self, of: element)
    return .truth(PredicateTruth(try operand.isWithin(limits)))
  }
}

extension PredicateExpressions.Range: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    let (first, last) = (try translator.term(of: lower), try translator.term(of: upper))
    if case .constant(let first as LHS.Output) = first, case .constant(let last as LHS.Output) = last {
      // Making the range would end the process, as Foundation's own `evaluate` does.
      guard first <= last else { throw .unsupported(self, reason: "the bounds of the range are in the wrong order") }
      return .constant(first..<last)
    }
    return .range([
      PredicateLimit(.greaterThanOrEqual, try translator.operand(first, as: LHS.Output.self, of: lower)),
      PredicateLimit(.lessThan, try translator.operand(last, as: LHS.Output.self, of: upper)),
    ])
  }
}

extension PredicateExpressions.ClosedRange: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    let (first, last) = (try translator.term(of: lower), try translator.term(of: upper))
    if case .constant(let first as LHS.Output) = first, case .constant(let last as LHS.Output) = last {
      guard first <= last else { throw .unsupported(self, reason: "the bounds of the range are in the wrong order") }
      return .constant(first...last)
    }
    return .range([
      PredicateLimit(.greaterThanOrEqual, try translator.operand(first, as: LHS.Output.self, of: lower)),
      PredicateLimit(.lessThanOrEqual, try translator.operand(last, as: LHS.Output.self, of: upper)),
    ])
  }
}

extension PredicateOperand {
  fileprivate func isWithin(_ limits: [PredicateLimit]) throws(QueryError) -> AnyQuery {
    let bounds = limits.compactMap(\.bound.only)
    guard limits.map(\.operator) == [.greaterThanOrEqual, .lessThanOrEqual], bounds.count == 2 else {
      var isWithin = AnyQuery.true
      for limit in limits { isWithin = .both(isWithin, try compared(by: limit.operator, with: limit.bound)) }
      return isWithin
    }
    return try asking { operand in
      if case .key(let key) = operand { return .between(key, lower: bounds[0], upper: bounds[1]) }
      return .both(.compare(operand, .greaterThanOrEqual, bounds[0]), .compare(operand, .lessThanOrEqual, bounds[1]))
    }
  }
}
