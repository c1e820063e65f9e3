extension AnyQuery {
  /// Parses the text form of a condition on groups.
  ///
  /// ```swift
  /// let many = try AnyQuery(parsingHaving: "count() > 3 and sum(total where paid = 1) > 100 and type != 'fire'")
  /// ```
  ///
  /// The syntax is that of a query, see ``init(parsing:)``. Its keys are those by which rows are grouped. `count()` is the
  /// number of a group's rows, `count(key)`, `countDistinct(key)`, `sum(key)`, `average(key)`, `min(key)` and `max(key)` are
  /// aggregates of a key or an expression, and each may be restricted to some of the rows: `count(where weight > 50)`.
  ///
  /// - Throws: ``ParseError``, which reports where the text is wrong.
  public init(parsingHaving text: String) throws(ParseError) {
    var parser = QueryParser(text, isOfGroups: true)
    self = try parser.parse()
  }

  /// Parses a condition on groups, in which `:name` is a parameter whose value is passed separately.
  ///
  /// - Parameters:
  ///   - text: the text, as ``init(parsingHaving:)`` reads it.
  ///   - parameters: the value of each parameter, by its name without the colon.
  /// - Throws: ``ParseError`` as ``init(parsing:parameters:)-(_,[String:Value])`` does.
  public init(parsingHaving text: String, parameters: [String: Value]) throws(ParseError) {
    var parser = QueryParser(text, QueryParameters(parameters), isOfGroups: true)
    self = try parser.parse()
  }
}

extension AnyExpression {
  /// Parses an expression of a condition on groups.
  init(parsingHaving text: String) throws(ParseError) {
    var parser = QueryParser(text, isOfGroups: true)
    self = try parser.parseExpression()
  }
}

extension AnyAggregate {
  /// Parses an aggregate in the form that it has in a condition on groups: `count()`, `sum(total where paid = 1)`.
  ///
  /// ```swift
  /// try AnyAggregate(parsing: "countDistinct(folded(name))")
  /// ```
  ///
  /// - Throws: ``ParseError``, which reports where the text is wrong.
  public init(parsing text: String) throws(ParseError) {
    try self.init(parsing: text, parameters: [:])
  }

  /// Parses an aggregate in which `:name` is a parameter whose value is passed separately.
  ///
  /// - Parameters:
  ///   - text: the text, as ``init(parsing:)`` reads it.
  ///   - parameters: the value of each parameter, by its name without the colon.
  /// - Throws: ``ParseError`` as ``AnyQuery/init(parsing:parameters:)-(_,[String:Value])`` does.
  public init(parsing text: String, parameters: [String: Value]) throws(ParseError) {
    var parser = QueryParser(text, QueryParameters(parameters), isOfGroups: true)
    self = try parser.parseAggregate()
  }
}

extension QueryParser {
  /// Reads the whole text as an aggregate of the rows of a group.
  mutating func parseAggregate() throws(ParseError) -> AnyAggregate {
    let start = reader
    guard case .group(let aggregate) = try parseExpression().form else {
      throw start.error(expected: "an aggregate", suggestion: "write count(), or sum(…) with a key or an expression")
    }
    return aggregate
  }
}
