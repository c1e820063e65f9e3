import Query

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An expression of a predicate that a query may be able to say.
///
/// Foundation's expressions conform one by one, and are found to do so at run time: one that does not, because it is of
/// a later version or of no use here, is refused by name.
protocol TranslatableExpression {
  /// What the expression is for a row.
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm
}
