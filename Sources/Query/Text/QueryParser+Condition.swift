extension QueryParser {
  /// Reads a key and what is asked of it.
  mutating func condition() throws(ParseError) -> AnyQuery {
    let start = reader.current
    guard let key = reader.acceptKey() else {
      throw reader.error(expected: "a condition", suggestion: conditionSuggestion)
    }
    if case .relation(let relation) = reader.current.kind {
      reader.advance()
      let operand = try operand(of: key) { $0.operandSuggestion }
      return AnyQuery(.condition(.comparison(Comparison(key: key, relation: relation, operand: operand))))
    }
    if reader.accept(.is) {
      let relation: Relation = reader.accept(.not) ? .notEqual : .equal
      guard reader.accept(.null) else {
        let expected = relation == .equal ? "`null` or `not null`" : "`null`"
        throw reader.error(expected: expected, suggestion: nullSuggestion(key: start, relation))
      }
      return AnyQuery(.condition(.comparison(Comparison(key: key, relation: relation, operand: .value(.null)))))
    }
    let isNegated = reader.accept(.not)
    guard let condition = try negatableCondition(on: key) else {
      let expected =
        isNegated
        ? "`between`, `in`, `contains`, `starts with`, `ends with` or `like`" : "an operator, such as `=` or `in`"
      throw reader.error(expected: expected, suggestion: operatorSuggestion(key: start, isNegated: isNegated))
    }
    let query = AnyQuery(.condition(condition))
    return isNegated ? !query : query
  }

  /// Reads an operator that `not` may precede, and what follows it; `nil` where there is none.
  private mutating func negatableCondition(on key: String) throws(ParseError) -> Condition<String>? {
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
    of key: String, suggestion: (QueryParser) -> String?
  ) throws(ParseError) -> Operand<String> {
    if let value = try acceptValue(for: key) { return .value(value) }
    if let key = reader.acceptKey() { return .key(key) }
    throw reader.error(expected: "a value or a key", suggestion: suggestion(self))
  }

  private mutating func between(_ key: String) throws(ParseError) -> Between<String> {
    let bounds = reader.current
    let lower = try operand(of: key) { $0.boundSuggestion }
    guard reader.accept(.and) else {
      throw reader.error(expected: "`and`", suggestion: betweenSuggestion(lower: bounds))
    }
    return Between(key: key, lower: lower, upper: try operand(of: key) { $0.boundSuggestion })
  }

  private mutating func list(of key: String) throws(ParseError) -> [Value] {
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
      guard let value = try acceptValue(for: key) else {
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
    _ key: String, _ operation: TextOperation
  ) throws(ParseError) -> TextMatch<String> {
    endOfTextMatch = reader.current.range.upperBound
    guard let text = try acceptText(for: key) else {
      throw reader.error(expected: "a text", suggestion: textSuggestion)
    }
    let isIgnoringCase = reader.accept(.ignoring)
    if isIgnoringCase, !reader.accept(.case) {
      throw reader.error(expected: "`case`", suggestion: "write `ignoring case`")
    }
    return TextMatch(key: key, operation: operation, text: text, isIgnoringCase: isIgnoringCase)
  }
}
