import Query

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
    // Foundation throws when it evaluates the predicate for an entity where this is nil, which no query does.
    guard case .constant(let constant as Wrapped?) = try translator.term(of: inner), let constant else {
      throw .unsupported(self, reason: "it fails where the value is nil")
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
      // The closure gives a `Result` or a `Result?`; this expression is always a `Result?`.
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
    // `if let name = $0.name { name }`: the closure gives what it is given.
    if optional.isSameOperand(as: result) { return result }
    guard Result.self == Bool.self else {
      // `$0.place?.name`: what is missing is the column.
      if case .property(let property) = result { _ = try translator.key(of: property) }
      throw .unsupported(self)
    }
    let truth = try inner.truth(result, as: RHS.Output.self, of: transform)
    let isNotNil = AnyQuery.opposite(isNil)
    return .truth(
      PredicateTruth(.both(isNotNil: isNotNil, truth.holds), isNil: .either(isNil, .both(isNotNil, truth.isNil))))
  }
}
