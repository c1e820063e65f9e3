/// A parser of queries that takes time linear in the length of the text.
///
/// Nested parentheses and `not`s are kept on an explicit stack, because a text may nest them deeper than the thread's stack
/// allows ("shunting yard").
struct QueryParser {
  /// An element that waits for the operand on its right, or for its end.
  private enum Pending {
    case not, and, or
    /// A parenthesis, with the token that opened it.
    case parenthesis(Token)
    /// The start of a query within an expression.
    case query
  }

  var reader: TokenReader
  var parameters: QueryParameters
  private var pending: [Pending] = []
  private var operands: [AnyQuery] = []
  /// The number of levels of expressions that are being parsed.
  var level = 0
  /// Whether the current expressions refer to groups, rather than to rows.
  var isOfGroups: Bool
  /// The tables whose rows the current conditions refer to, the innermost last.
  var relatedTables: [String] = []
  /// The latest `||`, which is `or` in other languages.
  var concatenation: Token?
  private var time = CurrentTime()
  /// The parts of the text, for an error that occurs when they are resolved; `nil` if no parts are recorded.
  var parts: [QueryPart]?
  /// The offsets of the parentheses that group expressions rather than conditions.
  private let groups: Set<Int>
  /// The end of the latest text match that `ignoring case` could follow.
  var endOfTextMatch: Int?

  init(_ text: String, _ parameters: QueryParameters = .none, isOfGroups: Bool = false) {
    self.isOfGroups = isOfGroups
    self.parameters = parameters
    reader = TokenReader(text)
    groups = ExpressionGroups.offsets(in: text)
  }

  /// Parses the whole text.
  mutating func parse() throws(ParseError) -> AnyQuery {
    let query = try conditions()
    if let error = unusedParameterError() { throw error }
    return query
  }

  /// Parses a query within an expression, up to the comma or parenthesis that ends it.
  mutating func query() throws(ParseError) -> AnyQuery {
    pending.append(.query)
    return try conditions()
  }

  private mutating func conditions() throws(ParseError) -> AnyQuery {
    while true {
      if reader.accept(.not) {
        pending.append(.not)
      } else if case .leftParenthesis = reader.current.kind, !groups.contains(reader.current.range.lowerBound) {
        pending.append(.parenthesis(reader.current))
        reader.advance()
      } else {
        operands.append(try operand())
        if let query = try joint() { return query }
      }
    }
  }

  private mutating func operand() throws(ParseError) -> AnyQuery {
    if reader.accept(.true) { return .true }
    if reader.accept(.false) { return .false }
    if let query = try existence() { return query }
    return try condition()
  }

  /// Parses what follows an operand, up to the next operand.
  ///
  /// - Returns: the query, if it ends here; `nil` if another operand follows.
  private mutating func joint() throws(ParseError) -> AnyQuery? {
    while true {
      reduce { if case .not = $0 { true } else { false } }
      switch reader.current.kind {
      case .word(.and):
        reduce { if case .and = $0 { true } else { false } }
        pending.append(.and)
        reader.advance()
        return nil
      case .word(.or):
        reduceToParenthesis()
        pending.append(.or)
        reader.advance()
        return nil
      case .rightParenthesis:
        reduceToParenthesis()
        guard let opened = pending.popLast() else { throw jointError(isOpen: false) }
        if case .query = opened { return operands.popLast() }
        reader.advance()
      case .comma:
        reduceToParenthesis()
        guard case .query? = pending.last else { throw jointError(isOpen: !pending.isEmpty) }
        pending.removeLast()
        return operands.popLast()
      case .end:
        reduceToParenthesis()
        guard let query = operands.popLast(), pending.isEmpty else { throw jointError(isOpen: true) }
        return query
      default:
        reduceToParenthesis()
        throw jointError(isOpen: !pending.isEmpty)
      }
    }
  }

  private mutating func reduceToParenthesis() {
    reduce { pending in
      switch pending {
      case .parenthesis, .query: false
      case .not, .and, .or: true
      }
    }
  }

  /// Joins the latest operands while the pending operators bind tightly enough.
  private mutating func reduce(while isTight: (Pending) -> Bool) {
    while let latest = pending.last, isTight(latest), let right = operands.popLast() {
      pending.removeLast()
      switch latest {
      case .not:
        operands.append(!right)
      case .and:
        if let left = operands.popLast() { operands.append(left && right) }
      case .or:
        if let left = operands.popLast() { operands.append(left || right) }
      case .parenthesis, .query:
        return
      }
    }
  }

  private func jointError(isOpen: Bool) -> ParseError {
    var reason: String?
    if case .parenthesis(let token) = pending.last, case .end = reader.current.kind {
      reason = reader.reason(unclosed: token)
    }
    if case .comparisonOperator = reader.current.kind, let concatenation {
      return ParseError(
        text: reader.text, position: reader.position(of: concatenation.range.lowerBound),
        expected: isOpen ? "`and`, `or` or `)`" : "`and`, `or` or the end of the text", found: "`||`", reason: nil,
        suggestion: "write `or`: `||` joins text")
    }
    var expected = isOpen ? "`and`, `or` or `)`" : "`and`, `or` or the end of the text"
    let afterText = endOfTextMatch != nil && endOfTextMatch == reader.previous?.range.upperBound
    if afterText { expected = "`ignoring case`, " + expected }
    return reader.error(
      expected: expected, reason: reason, suggestion: jointSuggestion(afterText: afterText))
  }
}

extension QueryParser {
  /// Parses a key and the comparison that follows it.
  mutating func condition() throws(ParseError) -> AnyQuery {
    let start = reader.current
    let query = try condition(from: start)
    note(.query(query), from: start)
    return query
  }

  private mutating func condition(from start: Token) throws(ParseError) -> AnyQuery {
    let beginning = reader
    guard let key = try expression(.any) else {
      throw reader.error(expected: "a condition", suggestion: conditionSuggestion)
    }
    let query = try condition(on: key, from: start)
    guard case .parameter = start.kind, case .value = key.form else { return query }
    // The type of a parameter on the left follows from the operand on the right, so that the left side is parsed again.
    reader = beginning
    guard let key = try expression(query.useOfKey) else { return query }
    return try condition(on: key, from: start)
  }

  private mutating func condition(on key: AnyExpression, from start: Token) throws(ParseError) -> AnyQuery {
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

extension QueryParser {
  /// Consumes the current token if it is a value, either a literal or a parameter.
  ///
  /// - Parameter use: the use of the value, for the type of a parameter.
  /// - Throws: ``ParseError`` for a parameter that has no value.
  mutating func acceptValue(_ use: ParameterUse) throws(ParseError) -> Value? {
    if let value = time.value(of: reader.current.keyword) {
      let name = reader.excerpt(of: reader.current)
      if case .leftParenthesis = reader.following.kind {
        throw reader.error(expected: "a value or a key", suggestion: "write \(name), without parentheses")
      }
      reader.advance()
      return value
    }
    guard case .parameter = reader.current.kind else { return reader.acceptLiteral() }
    // In `:a || name = 'x'`, the parameter is an operand of the operation, and not of the comparison.
    if case .operation(let function) = reader.following.kind { return try parameter(function.argumentUse) }
    return try parameter(use)
  }
}
