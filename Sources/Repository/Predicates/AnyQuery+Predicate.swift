public import Query

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AnyQuery {
  /// Makes a query that means what a predicate of Foundation's means.
  ///
  /// ```swift
  /// let query = try AnyQuery(#Predicate<Pokemon> { $0.weight > 90 && $0.secondType == nil })
  /// ```
  ///
  /// Captured values are read now. <doc:Predicates> says which expressions can be turned, and where Foundation's meaning
  /// differs. It takes some microseconds for each operator.
  ///
  /// - Throws: `QueryError` with the code `unsupportedPredicate`, which names the expression, where no query can say the
  ///   same; `unknownKey` for a property that has no column; `invalidValue` for a value that can't be stored;
  ///   `tooComplex` for more than 64 levels of nesting.
  public init<Element: Entity>(_ predicate: Predicate<Element>) throws(QueryError) {
    let translator = try PredicateTranslator(Element.schema, variable: predicate.variable)
    self = try translator.condition(predicate.expression)
  }
}
