#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Query

extension AnyQuery {
  /// Makes the query that is equivalent to a Foundation predicate.
  ///
  /// ```swift
  /// let query = try AnyQuery(#Predicate<Pokemon> { $0.weight > 90 && $0.secondType == nil })
  /// ```
  ///
  /// Captured values are read now. <doc:Predicates> describes the expressions that can be translated, and the differences to
  /// Foundation. It takes some microseconds for each operator.
  ///
  /// - Throws: `QueryError` with the code `unsupportedPredicate`, which names the expression, if no query is equivalent;
  ///   `unknownKey` for a property without a column; `invalidValue` for a value that can't be stored; `tooComplex` for more
  ///   than 64 levels of nesting.
  public init<Element: Entity>(_ predicate: Predicate<Element>) throws(QueryError) {
    let translator = try PredicateTranslator(Element.schema, variable: predicate.variable)
    self = try translator.condition(predicate.expression)
  }
}

extension Selection where Element: Entity {
  /// Returns the elements that match a Foundation predicate, too: `filter(#Predicate { $0.weight > 90 })`.
  ///
  /// <doc:Predicates> describes the supported expressions. A predicate that can't be translated makes each call of the
  /// selection throw ``RepositoryError`` with the code ``RepositoryError/Code/invalidQuery``.
  @_disfavoredOverload
  public func filter(_ predicate: Predicate<Element>) -> Selection {
    do throws(QueryError) {
      return filter(try AnyQuery(predicate))
    } catch {
      return filter(.isNotNull(AnyExpression(.invalid(error))))
    }
  }
}

extension Repository where Element: Entity {
  /// Returns the elements that match a Foundation predicate; see ``Selection/filter(_:)-(Predicate<Element>)``.
  @_disfavoredOverload
  public func filter(_ predicate: Predicate<Element>) -> Selection<Element> { selection().filter(predicate) }
}

extension QueryError.Code {
  /// The code of the error for a Foundation predicate with an expression that no query is equivalent to.
  public static let unsupportedPredicate = QueryError.Code(rawValue: "unsupportedPredicate")
}

extension QueryError {
  /// Returns the error for an expression that can't be translated, by its name in Swift; it never contains values.
  static func unsupported(_ expression: Any, reason: String? = nil) -> QueryError {
    let name = ExpressionName(expression)
    return QueryError(
      .unsupportedPredicate, "can't convert \(name) to a query", reason: reason, suggestion: name.suggestion)
  }

  /// Returns the error for a comparison by an order that a store does not know.
  static func unsupported(_ expression: Any, byOrderOf type: Any.Type) -> QueryError {
    unsupported(
      expression, reason: "a store orders \(type) by the stored values, which may differ from the order of `<`")
  }

  /// Returns the error for a captured value of a type that no column holds.
  static func unstorable(_ type: Any.Type) -> QueryError {
    QueryError(
      .unsupportedPredicate, "can't convert a value of \(type) to a query",
      reason: "\(type) does not conform to ValueConvertible")
  }

  /// Returns the error for a captured value that can't be stored, although its type can.
  static func unstorable(_ error: ValueError) -> QueryError {
    QueryError(.invalidValue, error.summary, suggestion: error.suggestion)
  }

  /// Returns the error for a property that has no column of its own.
  ///
  /// - Parameter owner: the property that contains it and has a column, with its key.
  static func noColumn(
    for property: RowProperty, of owner: (property: RowProperty, key: String)?, in table: TableSchema
  ) -> QueryError {
    let suggestion: String
    if let owner, owner.property.isValue {
      suggestion = "compare \(owner.property.name) as a whole"
    } else if let owner {
      suggestion =
        "\(owner.property.name) is stored as JSON: search this text, such as AnyQuery.contains(key: "
        + "\"\(owner.key)\", value: …), or store the value in a separate column"
    } else {
      suggestion = "the columns are \(table.columns.map(\.name).joined(separator: ", "))"
    }
    return QueryError(.unknownKey, "\(property.name) has no column in \(table.name)", suggestion: suggestion)
  }
}
