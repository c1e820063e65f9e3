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

extension Repository where Element: Entity {
  /// Finds all elements that match a Foundation predicate.
  ///
  /// ```swift
  /// let heavy = try await pokedex.findAll(where: #Predicate { $0.weight > 90 }, sortedBy: .descending(\.weight))
  /// ```
  ///
  /// - Parameters:
  ///   - predicate: the condition; <doc:Predicates> describes what it may contain.
  ///   - sort: the order of the elements; by primary key by default.
  ///   - limit: the maximum number of elements; all by default.
  ///   - offset: the number of elements to skip at the start.
  /// - Throws: as ``findAll(_:)`` does; ``RepositoryError/Code/invalidQuery`` also if the predicate can't be translated to a
  ///   query.
  public func findAll(
    where predicate: Predicate<Element>, sortedBy sort: Sort<Element> = .primaryKey, limit: Int? = nil, offset: Int = 0
  ) async throws(RepositoryError) -> [Element] {
    try await findAll(
      FetchRequest(
        query(predicate), sortedBy: sort.erased(by: Element.schema), limit: limit, offset: offset))
  }

  /// Finds the first element that matches a Foundation predicate.
  ///
  /// - Returns: the element, or `nil` if there is none.
  /// - Throws: as ``findAll(_:)`` does, and if the predicate can't be translated to a query.
  public func first(
    where predicate: Predicate<Element>, sortedBy sort: Sort<Element> = .primaryKey
  ) async throws(RepositoryError) -> Element? {
    try await findAll(where: predicate, sortedBy: sort, limit: 1).first
  }

  /// Counts the elements that match a Foundation predicate.
  ///
  /// - Throws: as ``findAll(_:)`` does, and if the predicate can't be translated to a query.
  public func count(where predicate: Predicate<Element>) async throws(RepositoryError) -> Int {
    try await count(query(predicate))
  }

  private func query(_ predicate: Predicate<Element>) throws(RepositoryError) -> AnyQuery {
    try RepositoryError.translating { () throws(QueryError) in try AnyQuery(predicate) }
  }
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
      .unsupportedPredicate, "\(name) can't be turned into a query", reason: reason, suggestion: name.suggestion)
  }

  /// Returns the error for a comparison by an order that a store does not know.
  static func unsupported(_ expression: Any, byOrderOf type: Any.Type) -> QueryError {
    unsupported(
      expression, reason: "a store orders \(type) by what it keeps, which is not known to be the order of its `<`")
  }

  /// Returns the error for a captured value of a type that no column holds.
  static func unstorable(_ type: Any.Type) -> QueryError {
    QueryError(
      .unsupportedPredicate, "a value of \(type) can't be turned into a query",
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
        "\(owner.property.name) is kept as JSON: ask about that text, such as"
        + " AnyQuery.contains(key: \"\(owner.key)\", value: …), or give what is asked about a column of its own"
    } else {
      suggestion = "its columns are \(table.columns.map(\.name).joined(separator: ", "))"
    }
    return QueryError(.unknownKey, "\(property.name) has no column in \(table.name)", suggestion: suggestion)
  }
}
