extension Value {
  /// Reads a value from the literal that stands for it in the text form of a query; `nil` where the text is none.
  package init?(literal text: String) {
    var reader = TokenReader(text)
    guard let value = reader.acceptLiteral(), case .end = reader.current.kind else { return nil }
    self = value
  }
}
