// The text form of conditions: how each operator is read and written.

extension QueryParser {
  /// Parses the operator of a condition and its operands.
  ///
  /// - Parameter start: the first token of the key.
  mutating func condition(on key: AnyExpression, from start: Token) throws(ParseError) -> AnyQuery {
    if case .comparisonOperator(let comparisonOperator) = reader.current.kind {
      reader.advance()
      let operand = try operand(of: key) { $0.operandSuggestion }
      return try ignoringCase(
        .comparison(Comparison(key: key, operator: comparisonOperator, operand: operand)), from: start)
    }
    if reader.accept(.is) {
      let comparisonOperator: ComparisonOperator = reader.accept(.not) ? .notEqual : .equal
      guard reader.accept(.null) else {
        let expected = comparisonOperator == .equal ? "`null` or `not null`" : "`null`"
        throw reader.error(expected: expected, suggestion: nullSuggestion(key: start, comparisonOperator))
      }
      return AnyQuery(
        .condition(.comparison(Comparison(key: key, operator: comparisonOperator, operand: .value(.null)))))
    }
    let isNegated = reader.accept(.not)
    guard let condition = try negatableCondition(on: key) else {
      let expected =
        isNegated
        ? "`between`, `in`, `contains`, `starts with`, `ends with` or `like`" : "an operator, such as `=` or `in`"
      throw reader.error(expected: expected, suggestion: operatorSuggestion(key: start, isNegated: isNegated))
    }
    let query = try ignoringCase(condition, from: start)
    return isNegated ? !query : query
  }

  /// Parses an operator that `not` may precede, and its operands; `nil` if no such operator follows.
  private mutating func negatableCondition(on key: AnyExpression) throws(ParseError) -> Condition<AnyExpression>? {
    let keyword = reader.current.keyword
    switch keyword {
    case .between:
      reader.advance()
      return .between(try between(key))
    case .in:
      reader.advance()
      return .membership(Membership(key: key, values: try list(of: key)))
    case .contains, .like:
      reader.advance()
      return .text(try textMatch(key, keyword == .like ? .like : .contains))
    case .starts, .ends:
      reader.advance()
      guard reader.accept(.with) else {
        throw reader.error(expected: "`with`", suggestion: "write `\(keyword == .starts ? "starts" : "ends") with`")
      }
      return .text(try textMatch(key, keyword == .starts ? .hasPrefix : .hasSuffix))
    default:
      return nil
    }
  }

  private mutating func operand(
    of key: AnyExpression, suggestion: (QueryParser) -> String?
  ) throws(ParseError) -> Operand<AnyExpression> {
    if let expression = try expression(.compared(key)) {
      if case .value(let value) = expression.form { return .value(value) }
      return .key(expression)
    }
    throw reader.error(expected: "a value or a key", suggestion: suggestion(self))
  }

  private mutating func between(_ key: AnyExpression) throws(ParseError) -> Between<AnyExpression> {
    let bounds = reader.current
    let lower = try operand(of: key) { $0.boundSuggestion }
    guard reader.accept(.and) else {
      throw reader.error(expected: "`and`", suggestion: betweenSuggestion(lower: bounds))
    }
    return Between(key: key, lower: lower, upper: try operand(of: key) { $0.boundSuggestion })
  }

  private mutating func list(of key: AnyExpression) throws(ParseError) -> [Value] {
    guard case .leftParenthesis = reader.current.kind else {
      throw reader.error(expected: "`(`", suggestion: "put the values in parentheses: in (1, 2)")
    }
    reader.advance()
    var values: [Value] = []
    if case .rightParenthesis = reader.current.kind {
      reader.advance()
      return values
    }
    while true {
      guard let value = try acceptValue(.compared(key)) else {
        throw reader.error(expected: values.isEmpty ? "a value or `)`" : "a value", suggestion: listSuggestion)
      }
      values.append(value)
      switch reader.current.kind {
      case .comma:
        reader.advance()
      case .rightParenthesis:
        reader.advance()
        return values
      default:
        throw reader.error(expected: "`,` or `)`", suggestion: adjacentSuggestion)
      }
    }
  }

  private mutating func textMatch(
    _ key: AnyExpression, _ operation: TextOperation
  ) throws(ParseError) -> TextMatch<AnyExpression> {
    endOfTextMatch = reader.current.range.upperBound
    guard let text = try acceptText() else {
      throw reader.error(expected: "text", suggestion: textSuggestion)
    }
    return TextMatch(key: key, operation: operation, text: text, isIgnoringCase: try acceptIgnoringCase())
  }
}

extension Condition<AnyExpression> {
  /// Returns the text form of the condition.
  ///
  /// - Parameter isNegated: whether to write `not` after the key, which an operator has to take, see ``takesNot``.
  func text(isNegated: Bool) -> String {
    let not = isNegated ? "not " : ""
    switch self {
    case .constant(let constant): return constant ? "true" : "false"
    case .comparison(let comparison):
      switch (comparison.operator, comparison.operand) {
      case (.equal, .value(.null)): return "\(comparison.key) is null"
      case (.notEqual, .value(.null)): return "\(comparison.key) is not null"
      default: return "\(comparison.key) \(comparison.operator.rawValue) \(comparison.operand.text)"
      }
    case .between(let between):
      return "\(between.key) \(not)between \(between.lower.text) and \(between.upper.text)"
    case .membership(let membership):
      return "\(membership.key) \(not)in (\(membership.values.map(\.description).joined(separator: ", ")))"
    case .text(let match):
      let ending = match.isIgnoringCase ? " ignoring case" : ""
      return "\(match.key) \(not)\(match.operation.rawValue) \(Quoting.quote(match.text, with: "'"))\(ending)"
    case .holds(let key):
      guard case .exists(let rows) = key.form else { return not + key.description }
      return "\(isNegated ? "no" : "any") \(rows.textForm(before: "("))"
    // No query starts with `<`, so this text is never parsed as a valid one.
    case .invalid(let error): return "<\(error.summary)>"
    }
  }

  /// Whether `not` is written after the key, rather than before it.
  var takesNot: Bool {
    switch self {
    case .between, .membership, .text, .holds: true
    case .constant, .comparison, .invalid: false
    }
  }
}

extension Operand<AnyExpression> {
  fileprivate var text: String {
    switch self {
    case .value(let value): value.description
    case .key(let key): key.description
    }
  }
}
