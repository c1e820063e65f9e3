extension Assignment {
  /// Parses the text form of an assignment: a key, `=`, and a value or an expression of the row as it was before.
  ///
  /// ```swift
  /// let assignment = try Assignment(parsing: "attack = attack * 3 / 2")
  /// assignment == Assignment("attack", .key("attack") * 3 / 2)  // true
  /// ```
  ///
  /// - Parameter text: the text of one assignment; see ``AnyExpression/init(parsing:)`` for what may follow the `=`.
  /// - Throws: ``ParseError``, which reports where the text is wrong, what was expected there, and what may help.
  public init(parsing text: String) throws(ParseError) {
    try self.init(parsing: text, parameters: [:])
  }

  /// Parses the text form of an assignment, in which `:name` is a parameter whose value is passed separately.
  ///
  /// - Parameters:
  ///   - text: the text of one assignment.
  ///   - parameters: the value of each parameter, by its name without the colon.
  /// - Throws: ``ParseError`` as ``init(parsing:)`` does; for a parameter without a value, and for a value whose parameter is
  ///   not in the text.
  public init(parsing text: String, parameters: [String: Value]) throws(ParseError) {
    let assignments = try Self.list(parsing: text, parameters: parameters, isOne: true)
    self = assignments[0]
  }

  /// Parses the text form of assignments, separated by commas.
  ///
  /// ```swift
  /// try Assignment.list(parsing: "level = level + 1, name = 'x'")
  /// ```
  ///
  /// - Parameters:
  ///   - text: one or several assignments.
  ///   - parameters: the value of each parameter, by its name without the colon.
  /// - Throws: ``ParseError`` as ``init(parsing:parameters:)`` does.
  public static func list(
    parsing text: String, parameters: [String: Value] = [:]
  ) throws(ParseError) -> [Assignment] {
    try list(parsing: text, parameters: parameters, isOne: false)
  }

  private static func list(
    parsing text: String, parameters: [String: Value], isOne: Bool
  ) throws(ParseError) -> [Assignment] {
    var parser = QueryParser(text, QueryParameters(parameters))
    return try parser.parseAssignments(isOne: isOne)
  }
}

extension QueryParser {
  /// Parses the whole text as assignments, separated by commas.
  mutating func parseAssignments(isOne: Bool) throws(ParseError) -> [Assignment] {
    var assignments: [Assignment] = []
    while true {
      let start = reader.current
      guard let key = reader.acceptKey() else {
        throw reader.error(expected: "a key", suggestion: assignments.isEmpty ? nil : "remove the last comma")
      }
      if case .dot = reader.current.kind {
        throw reader.error(
          expected: "`=`", suggestion: "an assignment sets a whole column, not a path into a column")
      }
      guard case .comparisonOperator(.equal) = reader.current.kind else {
        throw reader.error(expected: "`=`", suggestion: "write a column and its value: weight = 90.5")
      }
      note(.expression(.key(key)), from: start)
      reader.advance()
      let value = reader.current
      guard let expression = try expression(.compared(.key(key))) else {
        throw reader.error(expected: "a value or an expression", suggestion: operandSuggestion)
      }
      assignments.append(Assignment(key, expression))
      note(.assignment(Assignment(key, expression)), from: value)
      switch reader.current.kind {
      case .end:
        if let error = unusedParameterError() { throw error }
        return assignments
      case .comma where !isOne: reader.advance()
      default:
        throw reader.error(
          expected: isOne ? "an operation or the end of the text" : "an operation, `,` or the end of the text",
          suggestion: adjacentSuggestion)
      }
    }
  }
}

extension Assignment: CustomStringConvertible {
  /// The text form of the assignment; ``init(parsing:)`` parses it to an equal one.
  public var description: String { "\(Quoting.key(key)) = \(expression)" }
}
