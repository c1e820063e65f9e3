// `ignoring case` after a comparison, a list or a key of a sort is a short form of `folded(…)` on both sides.

extension QueryParser {
  /// Consumes `ignoring case`, if it follows.
  mutating func acceptIgnoringCase() throws(ParseError) -> Bool {
    guard reader.accept(.ignoring) else { return false }
    guard reader.accept(.case) else {
      throw reader.error(expected: "`case`", suggestion: "write `ignoring case`")
    }
    return true
  }

  /// Returns a condition, with all of its operands folded if `ignoring case` follows it.
  ///
  /// - Parameter start: the first token of the condition.
  mutating func ignoringCase(
    _ condition: Condition<AnyExpression>, from start: Token
  ) throws(ParseError) -> AnyQuery {
    let beginning = reader
    guard try acceptIgnoringCase() else { return AnyQuery(.condition(condition)) }
    func refuse() throws(ParseError) -> Never {
      throw beginning.error(
        expected: "`and`, `or` or the end of the text", suggestion: "write `ignoring case` only after text")
    }
    func folded(_ value: Value) throws(ParseError) -> Value {
      guard let folded = value.ignoringCase else { try refuse() }
      return folded
    }
    func folded(_ expression: AnyExpression) throws(ParseError) -> AnyExpression {
      guard let folded = expression.ignoringCase else { try refuse() }
      return try check(folded, from: start)
    }
    switch condition {
    case .comparison, .between, .membership:
      return AnyQuery(.condition(try condition.mapKeys(folded).mapValues(folded)))
    default: try refuse()
    }
  }

  /// Returns an expression, folded if `ignoring case` follows it.
  ///
  /// - Parameter start: the first token of the expression.
  mutating func ignoringCase(_ expression: AnyExpression, from start: Token) throws(ParseError) -> AnyExpression {
    guard let folded = expression.ignoringCase, try acceptIgnoringCase() else { return expression }
    return try check(folded, from: start)
  }
}

extension Value {
  /// The value to compare with if case is ignored; `nil` for a value that is neither a text nor null.
  package var ignoringCase: Value? {
    switch self {
    case .text(let text): .text(CaseFolding.fold(text))
    case .null: self
    default: nil
    }
  }
}

extension AnyExpression {
  /// The expression to compare with if case is ignored; `nil` for a constant that is neither a text nor null.
  package var ignoringCase: AnyExpression? {
    if case .value(let value) = form { return value.ignoringCase.map { AnyExpression(.value($0)) } }
    return .function(.folded, of: self)
  }
}
