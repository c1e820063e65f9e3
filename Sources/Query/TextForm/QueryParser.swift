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
    if case .operation(let function) = reader.following.kind { return try parameter(function.argumentUse()) }
    return try parameter(use)
  }
}
