public import Query

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
