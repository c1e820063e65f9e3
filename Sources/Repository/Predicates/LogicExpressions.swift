#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Query

extension PredicateExpressions.Conjunction: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    let left = try translator.condition(lhs)
    // The right side of a false condition is never evaluated, so it may be anything.
    if left.constant == false { return .truth(PredicateTruth(false)) }
    return .truth(PredicateTruth(.both(left, try translator.condition(rhs))))
  }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    let left = try translator.condition(lhs)
    if left.constant == true { return .truth(PredicateTruth(true)) }
    return .truth(PredicateTruth(.either(left, try translator.condition(rhs))))
  }
}

extension PredicateExpressions.Negation: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    .truth(PredicateTruth(.opposite(try translator.condition(wrapped))))
  }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    let test = try translator.condition(test)
    if test.constant == true { return try translator.term(of: trueBranch) }
    if test.constant == false { return try translator.term(of: falseBranch) }
    // Two conditions can be joined to one; two values would make an operand that differs from row to row.
    guard Output.self == Bool.self || Output.self == Bool?.self else { throw .unsupported(self) }
    let (first, second) = (try translator.term(of: trueBranch), try translator.term(of: falseBranch))
    let yes = try translator.truth(first, as: Output.self, of: trueBranch)
    let no = try translator.truth(second, as: Output.self, of: falseBranch)
    let otherwise = AnyQuery.opposite(test)
    return .truth(
      PredicateTruth(
        .either(.both(test, yes.holds), .both(otherwise, no.holds)),
        isNil: .either(.both(test, yes.isNil), .both(otherwise, no.isNil))))
  }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    let left = try translator.term(of: lhs)
    if case .constant(let constant as RHS.Output?) = left {
      if let constant { return .constant(constant) }
      return try translator.term(of: rhs)
    }
    let right = try translator.term(of: rhs)
    switch (left, right) {
    case (.truth, _), (_, .truth):
      let optional = try translator.truth(left, as: LHS.Output.self, of: lhs)
      return .truth(optional ?? (try translator.truth(right, as: RHS.Output.self, of: rhs)))
    default:
      let optional = try translator.operand(left, as: LHS.Output.self, of: lhs)
      return .operand(optional ?? (try translator.operand(right, as: RHS.Output.self, of: rhs)))
    }
  }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    // Foundation throws when it evaluates the predicate for an entity where this is nil, while a query fails for no row.
    guard case .constant(let constant as Wrapped?) = try translator.term(of: inner), let constant else {
      throw .unsupported(self, reason: "the predicate fails if the value is nil")
    }
    return .constant(constant)
  }
}

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    let optional = try translator.term(of: wrapped)
    switch optional {
    case .constant(let constant as Wrapped?):
      guard let constant else { return .constant(Result?.none as Any) }
      let result = try translator.binding(variable, to: .constant(constant)).term(of: transform)
      // The closure returns a `Result` or a `Result?`; this expression is always a `Result?`.
      if case .constant(let constant as Result?) = result { return .constant(constant as Any) }
      return result
    case .truth(let truth):
      return try term(in: translator, of: optional, isNil: truth.isNil)
    case .constant, .property, .operand, .range:
      return try term(
        in: translator, of: optional, isNil: translator.operand(optional, as: LHS.Output.self, of: wrapped).isNull)
    }
  }

  private func term(
    in translator: PredicateTranslator, of optional: PredicateTerm, isNil: AnyQuery
  ) throws(QueryError) -> PredicateTerm {
    let inner = translator.binding(variable, to: optional)
    let result = try inner.term(of: transform)
    // `if let name = $0.name { name }`: the closure returns its argument.
    if optional.isSameOperand(as: result) { return result }
    guard Result.self == Bool.self else {
      // If the property of `$0.place?.name` has no column, the error names the property.
      if case .property(let property) = result { _ = try translator.key(of: property) }
      throw .unsupported(self)
    }
    let truth = try inner.truth(result, as: RHS.Output.self, of: transform)
    let isNotNil = AnyQuery.opposite(isNil)
    return .truth(
      PredicateTruth(.both(isNotNil: isNotNil, truth.holds), isNil: .either(isNil, .both(isNotNil, truth.isNil))))
  }
}
