import Query

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
  /// Where two expressions are equal, or where they are not.
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
      return try left.isRelated(isNegated ? .notEqual : .equal, to: right)
    }
  }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    guard let relation = op.relation else { throw .unsupported(self) }
    let (left, right) = (try translator.term(of: lhs), try translator.term(of: rhs))
    if case .constant(let left as LHS.Output) = left, case .constant(let right as LHS.Output) = right {
      return .truth(PredicateTruth(relation.holds(between: left, right)))
    }
    guard StoredOrder.isKept(by: LHS.Output.self) else { throw .unsupported(self, byOrderOf: LHS.Output.self) }
    let operand = try translator.operand(left, as: LHS.Output.self, of: lhs)
    let other = try translator.operand(right, as: LHS.Output.self, of: rhs)
    return .truth(PredicateTruth(try operand.isRelated(relation, to: other)))
  }
}

extension PredicateExpressions.ComparisonOperator {
  /// The same relation of a query; `nil` for one that is not known yet.
  fileprivate var relation: Relation? {
    switch self {
    case .lessThan: .lessThan
    case .lessThanOrEqual: .lessThanOrEqual
    case .greaterThan: .greaterThan
    case .greaterThanOrEqual: .greaterThanOrEqual
    @unknown default: nil
    }
  }
}

extension Relation {
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
