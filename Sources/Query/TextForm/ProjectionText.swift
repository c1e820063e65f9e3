extension [ProjectedColumn] {
  /// Parses the text form of the columns of a projection: expressions separated by commas, each with an optional name.
  ///
  /// ```swift
  /// let columns = try [ProjectedColumn](parsing: "name, album_id.title as album, milliseconds / 60000 as minutes")
  /// ```
  ///
  /// An expression is written as in a query, see ``AnyExpression/init(parsing:)``; its name follows `as` and is written as a key.
  ///
  /// - Throws: ``ParseError``, which reports where the text is wrong.
  public init(parsing text: String) throws(ParseError) {
    try self.init(parsing: text, parameters: [:])
  }

  /// Parses columns in which `:name` is a parameter whose value is passed separately.
  ///
  /// - Parameters:
  ///   - text: the text, as ``init(parsing:)`` reads it.
  ///   - parameters: the value of each parameter, by its name without the colon.
  /// - Throws: ``ParseError`` as ``AnyQuery/init(parsing:parameters:)-(_,[String:Value])`` does.
  public init(parsing text: String, parameters: [String: Value]) throws(ParseError) {
    var parser = QueryParser(text, QueryParameters(parameters))
    self = try parser.parseColumns()
  }
}

extension ProjectedColumn: CustomStringConvertible {
  /// The text form of the column, which is parsed to an equal one: `name`, `milliseconds / 60000 as minutes`.
  public var description: String {
    let text = expression.description
    return Name(name) == ProjectedColumn(expression).name ? text : "\(text) as \(Quoting.key(name))"
  }
}

extension QueryParser {
  /// Parses the whole text as columns of a projection.
  mutating func parseColumns() throws(ParseError) -> [ProjectedColumn] {
    var columns: [ProjectedColumn] = []
    while true {
      guard let expression = try expression(.any) else {
        let isStar = if case .operation(.multiply) = reader.current.kind { true } else { false }
        throw reader.error(
          expected: "a column or an expression",
          suggestion: isStar ? "name each column" : operandSuggestion)
      }
      var name: String?
      if reader.accept(word: "as") {
        name = reader.acceptKey()
        if name == nil {
          throw reader.error(
            expected: "a name",
            suggestion: "put a name with spaces or symbols in double quotes: as \"base attack\"")
        }
      }
      columns.append(ProjectedColumn(expression, as: name))
      switch reader.current.kind {
      case .comma: reader.advance()
      case .end:
        if let error = unusedParameterError() { throw error }
        return columns
      default:
        let expected = name == nil ? "an operation, `as`, `,` or the end of the text" : "`,` or the end of the text"
        throw reader.error(expected: expected, suggestion: adjacentSuggestion ?? "put a comma between columns")
      }
    }
  }
}
