extension QueryParser {
  /// Takes the current token if it is a value, be it a literal or a parameter.
  ///
  /// - Parameter key: the key with which the value is compared.
  /// - Throws: ``ParseError`` for a parameter that has no value.
  mutating func acceptValue(for key: String) throws(ParseError) -> Value? {
    guard case .parameter = reader.current.kind else { return reader.acceptLiteral() }
    return try parameter(for: key, isText: false)
  }

  /// Takes the current token if it is a text, be it a literal or a parameter.
  ///
  /// - Throws: ``ParseError`` for a parameter that has no value or is no text.
  mutating func acceptText(for key: String) throws(ParseError) -> String? {
    switch reader.current.kind {
    case .literal(.text(let text)):
      reader.advance()
      return text
    case .parameter:
      let token = reader
      guard case .text(let text) = try parameter(for: key, isText: true) else {
        throw token.error(expected: "a text", reason: "the parameter's value is none")
      }
      return text
    default:
      return nil
    }
  }

  /// - Returns: the error for a parameter that has a value and does not stand in the text, if there is one.
  func unusedParameterError() -> ParseError? {
    parameters.unused.map { name in
      reader.error(
        expected: "the parameter `:\(VisibleText.excerpt(of: Array(name.utf8)[...]))` in the query",
        reason: "it has a value, and stands nowhere in the text")
    }
  }

  private mutating func parameter(for key: String, isText: Bool) throws(ParseError) -> Value {
    let name = String(reader.spelling(of: reader.current).dropFirst())
    guard let value = parameters.value(of: ParameterUse(name: name, key: key, isText: isText)) else {
      throw reader.error(
        expected: isText ? "a text" : "a value", reason: "the parameter has no value",
        suggestion: parameters.suggestion(for: name))
    }
    reader.advance()
    return value
  }
}
