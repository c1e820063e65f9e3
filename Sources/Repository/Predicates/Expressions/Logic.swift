import Query

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PredicateExpressions.Conjunction: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    let left = try translator.condition(lhs)
    // What stands on the right of a false condition is never evaluated, so it may be anything.
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
    // Two conditions make one; two values would make an operand that is another one from row to row.
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
