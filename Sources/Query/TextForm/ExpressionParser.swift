// Expressions are parsed by recursion, which their maximum depth bounds.

extension QueryParser {
  /// Reads the whole text as an expression.
  mutating func parseExpression() throws(ParseError) -> AnyExpression {
    let start = reader.current
    guard var expression = try expression(.any) else {
      throw reader.error(expected: "an expression", suggestion: operandSuggestion)
    }
    expression = try ignoringCase(expression, from: start)
    guard case .end = reader.current.kind else {
      let isNamed = reader.current.keyword == nil && reader.spelling(of: reader.current).lowercased() == "as"
      throw reader.error(
        expected: "an operation or the end of the text",
        suggestion: isNamed ? "remove `as` and the name" : adjacentSuggestion)
    }
    if let error = unusedParameterError() { throw error }
    return expression
  }

  /// Parses an expression; `nil`, with no token consumed, if no expression begins.
  ///
  /// - Parameter use: the use of the expression's value, which determines the types of parameters.
  mutating func expression(_ use: ParameterUse) throws(ParseError) -> AnyExpression? {
    let start = parts == nil ? nil : reader.current
    guard let first = try unary(use) else { return nil }
    let expression = try operations(after: first, tighterThan: 0)
    if let start { note(.expression(expression), from: start) }
    return expression
  }

  /// Parses operations with at least a precedence, and their operands ("precedence climbing").
  private mutating func operations(
    after first: AnyExpression, tighterThan precedence: Int
  ) throws(ParseError) -> AnyExpression {
    var lhs = first
    while let function = operation, function.precedence > precedence {
      let start = reader.current
      // A sign that touches digits belongs to the number, unless an operand precedes it: `a -1`.
      if case .literal(let value) = reader.current.kind {
        // Two numbers that touch are most likely a date that lacks its quotes.
        if reader.isAdjacent, case .literal? = reader.previous?.kind { break }
        reader.advance()
        let (function, operand) = Self.unsigned(value)
        lhs = .apply(
          function, lhs,
          try operations(after: operand, tighterThan: ExpressionFunction.add.precedence))
      } else {
        if function == .concatenate { concatenation = start }
        try refuseComment()
        reader.advance()
        guard let next = try unary(function.argumentUse()) else {
          throw reader.error(expected: "a value or a key", suggestion: operandSuggestion)
        }
        lhs = .apply(function, lhs, try operations(after: next, tighterThan: function.precedence))
      }
      try check(lhs, from: start)
    }
    return lhs
  }

  /// Throws for two signs that touch: they begin a comment in SQL.
  private func refuseComment() throws(ParseError) {
    let (sign, next) = (reader.current, reader.following)
    guard case .minus = sign.kind, sign.range.upperBound == next.range.lowerBound,
      reader.spelling(of: next).hasPrefix("-")
    else { return }
    throw ParseError(
      text: reader.text, position: reader.position(of: sign.range.lowerBound), expected: "one sign", found: "`--`",
      reason: "a query can't contain comments",
      suggestion: "remove the comment, or put a space between the signs")
  }

  /// The operation that the current token is.
  private var operation: ExpressionFunction? {
    switch reader.current.kind {
    case .operation(let function): function
    case .minus: .subtract
    case .literal(.integer), .literal(.real): reader.spelling(of: reader.current).hasPrefix("-") ? .subtract : nil
    default: nil
    }
  }

  /// Splits a number with a sign into an operator and an unsigned number. The smallest integer has no opposite, and is added.
  private static func unsigned(_ value: Value) -> (ExpressionFunction, AnyExpression) {
    switch value {
    case .integer(.min): (.add, AnyExpression(.value(value)))
    case .integer(let integer): (.subtract, AnyExpression(.value(.integer(-integer))))
    case .real(let real): (.subtract, AnyExpression(.value(.real(-real))))
    default: (.subtract, AnyExpression(.value(value)))
    }
  }

  private mutating func unary(_ use: ParameterUse) throws(ParseError) -> AnyExpression? {
    guard case .minus = reader.current.kind else { return try primary(use) }
    let start = reader.current
    try refuseComment()
    try enter(at: start)
    defer { level -= 1 }
    reader.advance()
    guard let operand = try unary(.number) else {
      throw reader.error(expected: "a number or a key", suggestion: "write the sign next to the digits, such as -5")
    }
    return try check(-operand, from: start)
  }

  private mutating func primary(_ use: ParameterUse) throws(ParseError) -> AnyExpression? {
    if let value = try acceptValue(use) { return AnyExpression(.value(value)) }
    let start = reader.current
    switch start.kind {
    case .leftParenthesis:
      try enter(at: start)
      defer { level -= 1 }
      reader.advance()
      guard let inner = try expression(use) else {
        throw reader.error(expected: "a value or a key", suggestion: operandSuggestion)
      }
      try close(start)
      return inner
    case .word where isCall:
      return try call(use)
    default:
      guard let first = reader.acceptKey() else { return nil }
      var steps = [first]
      var offsets = [start.range.lowerBound]
      while let (step, offset) = try nextStep(from: start) {
        steps.append(step)
        offsets.append(offset)
      }
      if steps.count == 1 {
        note(.expression(.key(first)), from: start)
        return .key(first)
      }
      note(.path(steps, offsets: offsets), from: start)
      return try check(AnyExpression(.path(steps)), from: start)
    }
  }

  /// Parses a further step of a path, `.key` or `[0]`, and returns it with its offset; `nil` if none follows.
  ///
  /// - Parameter start: the first token of the path.
  private mutating func nextStep(from start: Token) throws(ParseError) -> (step: String, offset: Int)? {
    if case .dot = reader.current.kind {
      reader.advance()
      let offset = reader.current.range.lowerBound
      if !reader.isAdjacent {
        throw reader.error(
          expected: "a key next to the `.`",
          suggestion:
            "a path has no spaces; put text in single quotes: '\(reader.excerptOfRun(from: start))'")
      }
      guard let step = reader.acceptKey() else {
        throw reader.error(expected: "a key", suggestion: "put a key that contains a dot in double quotes")
      }
      return (step, offset)
    }
    guard case .unknown = reader.current.kind, reader.isAdjacent, reader.spelling(of: reader.current) == "[" else {
      return nil
    }
    reader.advance()
    let (step, offset) = (reader.spelling(of: reader.current), reader.current.range.lowerBound)
    guard case .literal(.integer) = reader.current.kind, JSONPointer.position(step) != nil else {
      throw reader.error(
        expected: "a position from 0 on",
        suggestion: "for an element of an array, write tags[0]; for a field, data.\"a b\"")
    }
    reader.advance()
    guard case .unknown = reader.current.kind, reader.spelling(of: reader.current) == "]" else {
      throw reader.error(expected: "`]`")
    }
    reader.advance()
    return (step, offset)
  }

  /// Whether a name and a parenthesis follow: no parenthesis follows a key.
  private var isCall: Bool {
    guard case .word(let keyword) = reader.current.kind, keyword?.isReserved != true,
      case .leftParenthesis = reader.following.kind
    else { return false }
    return true
  }

  mutating func close(_ open: Token) throws(ParseError) {
    guard case .rightParenthesis = reader.current.kind else {
      throw reader.error(
        expected: "an operation or `)`",
        reason: reader.reason(unclosed: open),
        suggestion: closeSuggestion)
    }
    reader.advance()
  }

  private var closeSuggestion: String? {
    if case .comma = reader.current.kind { return "for several values, write `in (1, 2)` or `between 1 and 2`" }
    return adjacentSuggestion
  }

  /// Counts a level of recursion.
  mutating func enter(at token: Token) throws(ParseError) {
    level += 1
    let limit = 4 * AnyExpression.maximumDepth
    if level > limit { throw tooDeep(token, "the query nests parentheses and functions deeper than \(limit) levels") }
  }

  private func tooDeep(_ token: Token, _ reason: String) -> ParseError {
    ParseError(
      text: reader.text, position: reader.position(of: token.range.lowerBound), expected: "a shorter expression",
      found: "`\(reader.excerpt(of: token))`", reason: reason,
      suggestion: "split the expression, or store a part in a column"
    )
  }

  /// Returns the expression, or throws if it is not valid.
  @discardableResult
  func check(_ expression: AnyExpression, from start: Token) throws(ParseError) -> AnyExpression {
    if case .invalid(let error) = expression.form { throw tooDeep(start, error.summary) }
    return expression
  }
}
