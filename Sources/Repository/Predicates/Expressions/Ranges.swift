import Query

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
      guard first <= last else { throw .unsupported(self, reason: "its bounds are in the wrong order") }
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
      guard first <= last else { throw .unsupported(self, reason: "its bounds are in the wrong order") }
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
    guard limits.map(\.relation) == [.greaterThanOrEqual, .lessThanOrEqual], bounds.count == 2 else {
      var isWithin = AnyQuery.true
      for limit in limits { isWithin = .both(isWithin, try isRelated(limit.relation, to: limit.bound)) }
      return isWithin
    }
    return try asking { operand in
      if case .key(let key) = operand { return .between(key: key, lower: bounds[0], upper: bounds[1]) }
      return .both(.compare(operand, .greaterThanOrEqual, bounds[0]), .compare(operand, .lessThanOrEqual, bounds[1]))
    }
  }
}
