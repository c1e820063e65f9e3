/// Reads a query, in time that grows with the length of the text alone.
///
/// Nested parentheses and `not`s go to a stack of the parser's own, because a text may nest them deeper than the
/// thread's stack allows ("shunting yard").
struct QueryParser {
  /// What waits for the operand on its right, or for its end.
  private enum Pending {
    case not, and, or
    /// Where it was opened.
    case parenthesis(Token)
  }

  var reader: TokenReader
  var parameters: QueryParameters
  private var pending: [Pending] = []
  private var operands: [AnyQuery] = []
  /// Where the latest text match ended that `ignoring case` could go on with.
  var endOfTextMatch: Int?

  init(_ text: String, _ parameters: QueryParameters = .none) {
    self.parameters = parameters
    reader = TokenReader(text)
  }

  /// Reads the whole text.
  mutating func parse() throws(ParseError) -> AnyQuery {
    while true {
      if reader.accept(.not) {
        pending.append(.not)
      } else if case .leftParenthesis = reader.current.kind {
        pending.append(.parenthesis(reader.current))
        reader.advance()
      } else {
        operands.append(try operand())
        if let query = try joint() {
          if let error = unusedParameterError() { throw error }
          return query
        }
      }
    }
  }

  private mutating func operand() throws(ParseError) -> AnyQuery {
    if reader.accept(.true) { return .true }
    if reader.accept(.false) { return .false }
    return try condition()
  }

  /// Reads what follows an operand, up to the next operand.
  ///
  /// - Returns: the query, at the end of the text.
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
        guard pending.popLast() != nil else { throw jointError(isOpen: false) }
        reader.advance()
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
    reduce { if case .parenthesis = $0 { false } else { true } }
  }

  /// Joins the latest operands while what waits for them binds tightly enough.
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
      case .parenthesis:
        return
      }
    }
  }

  private func jointError(isOpen: Bool) -> ParseError {
    var reason: String?
    if case .parenthesis(let token) = pending.last, case .end = reader.current.kind {
      reason = "the `(` at position \(reader.position(of: token.range.lowerBound)) is not closed"
    }
    var expected = isOpen ? "`and`, `or` or `)`" : "`and`, `or` or the end of the text"
    let afterText = endOfTextMatch != nil && endOfTextMatch == reader.previous?.range.upperBound
    if afterText { expected = "`ignoring case`, " + expected }
    return reader.error(
      expected: expected, reason: reason, suggestion: jointSuggestion(afterText: afterText))
  }
}
