public import Query

extension Field where Property: TextProperty {
  /// Matches where the text has no characters; `nil` is no text.
  public var isEmpty: AnyQuery { .equal(key: key, value: "") }

  /// Matches where the text contains another; every text contains the empty one.
  public func contains(_ text: String, ignoringCase: Bool = false) -> AnyQuery {
    .contains(key: key, value: text, ignoringCase: ignoringCase)
  }

  /// Matches where the text starts with another.
  public func hasPrefix(_ text: String, ignoringCase: Bool = false) -> AnyQuery {
    .hasPrefix(key: key, value: text, ignoringCase: ignoringCase)
  }

  /// Matches where the text ends with another.
  public func hasSuffix(_ text: String, ignoringCase: Bool = false) -> AnyQuery {
    .hasSuffix(key: key, value: text, ignoringCase: ignoringCase)
  }

  /// Matches where the whole text matches a pattern: `%` is any run, `_` one Unicode scalar, and `\` escapes.
  public func like(_ pattern: String, ignoringCase: Bool = false) -> AnyQuery {
    .like(key: key, value: pattern, ignoringCase: ignoringCase)
  }
}
