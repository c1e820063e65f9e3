#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Query

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

extension Repository where Element: Entity {
  /// Finds all elements that match a predicate of Foundation.
  ///
  /// ```swift
  /// let heavy = try await pokedex.findAll(where: #Predicate { $0.weight > 90 }, sortedBy: .descending(\.weight))
  /// ```
  ///
  /// - Parameters:
  ///   - predicate: what to find; <doc:Predicates> says what it may ask.
  ///   - sort: in which order; by primary key by default.
  ///   - limit: at most how many; all by default.
  ///   - offset: how many to leave out at the start.
  /// - Throws: as ``findAll(_:)`` does; ``RepositoryError/Code/invalidQuery`` also where the predicate can't be turned
  ///   into a query.
  public func findAll(
    where predicate: Predicate<Element>, sortedBy sort: Sort<Element> = .primaryKey, limit: Int? = nil, offset: Int = 0
  ) async throws(RepositoryError) -> [Element] {
    try await findAll(
      FetchRequest(
        query(predicate), sortedBy: sort.erased(by: Element.schema), limit: limit, offset: offset))
  }

  /// Finds the first element that match a predicate of Foundation.
  ///
  /// - Returns: the element, or `nil` where there is none.
  /// - Throws: as ``findAll(_:)`` does, and where the predicate can't be turned into a query.
  public func first(
    where predicate: Predicate<Element>, sortedBy sort: Sort<Element> = .primaryKey
  ) async throws(RepositoryError) -> Element? {
    try await findAll(where: predicate, sortedBy: sort, limit: 1).first
  }

  /// Counts the elements that match a predicate of Foundation.
  ///
  /// - Throws: as ``findAll(_:)`` does, and where the predicate can't be turned into a query.
  public func count(where predicate: Predicate<Element>) async throws(RepositoryError) -> Int {
    try await count(query(predicate))
  }

  private func query(_ predicate: Predicate<Element>) throws(RepositoryError) -> AnyQuery {
    do throws(QueryError) {
      return try AnyQuery(predicate)
    } catch {
      throw RepositoryError(error)
    }
  }
}

extension QueryError.Code {
  /// A predicate of Foundation's has an expression that no query can say.
  public static let unsupportedPredicate = QueryError.Code(rawValue: "unsupportedPredicate")
}

extension QueryError {
  /// An expression that can't be turned, by the name that it has in Swift; values are never part of it.
  static func unsupported(_ expression: Any, reason: String? = nil) -> QueryError {
    let name = ExpressionName(expression)
    return QueryError(
      .unsupportedPredicate, "\(name) can't be turned into a query", reason: reason, suggestion: name.suggestion)
  }

  /// A comparison by an order that a store does not know.
  static func unsupported(_ expression: Any, byOrderOf type: Any.Type) -> QueryError {
    unsupported(
      expression, reason: "a store orders \(type) by what it keeps, which is not known to be the order of its `<`")
  }

  /// A captured value of a type that no column holds.
  static func unstorable(_ type: Any.Type) -> QueryError {
    QueryError(
      .unsupportedPredicate, "a value of \(type) can't be turned into a query",
      reason: "\(type) does not conform to ValueConvertible")
  }

  /// A value of a type that columns hold, and which itself can't be stored.
  static func unstorable(_ error: ValueError) -> QueryError {
    QueryError(.invalidValue, error.summary, suggestion: error.suggestion)
  }

  /// A property that has no column of its own.
  ///
  /// - Parameter owner: the property whose property it is, and which has one, with its key.
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
