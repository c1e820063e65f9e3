extension AnyQuery {
  /// Reads a query from its text form, in which `:name` stands for a value that is given beside it.
  ///
  /// ```swift
  /// let query = try AnyQuery(parsing: "weight > :least and name = :name", parameters: ["least": 90, "name": "it's"])
  /// query == (.greaterThan(key: "weight", value: 90) && .equal(key: "name", value: "it's"))  // true
  /// ```
  ///
  /// A parameter may stand wherever a value may, and more than once. It is a value and never text of the query, so it can't
  /// change what is asked, whatever it holds; it stands for no key, for no operator and for no list of values. Its name is
  /// written as a key without quotes is.
  ///
  /// - Parameters:
  ///   - text: the text of one query, as ``init(parsing:)`` reads it.
  ///   - parameters: the value of each parameter, by its name without the colon.
  /// - Throws: ``ParseError`` as ``init(parsing:)`` does; for a parameter that has no value, and for a value that stands
  ///   nowhere in the text; and where a parameter stands in the place of a text, as behind `contains`, and is none.
  public init(parsing text: String, parameters: [String: Value]) throws(ParseError) {
    try self.init(parsing: text, parameters: Set(parameters.keys)) { use in parameters[use.name] ?? .null }
  }

  /// Reads a query whose parameters have their values by where they stand.
  ///
  /// - Parameters:
  ///   - text: the text of one query.
  ///   - parameters: the names of the parameters.
  ///   - value: finds a parameter's value in one place.
  /// - Throws: ``ParseError`` as ``init(parsing:parameters:)-(_,[String:Value])`` does.
  package init(
    parsing text: String, parameters: Set<String>, value: @escaping (ParameterUse) -> Value
  ) throws(ParseError) {
    var parser = QueryParser(text, QueryParameters(parameters, value: value))
    self = try parser.parse()
  }
}
