extension AnyQuery {
  /// Matches where the key's text contains another; every text contains the empty one.
  ///
  /// - Parameter ignoringCase: whether both sides are folded first, by Unicode's rules and no locale's.
  public static func contains(key: String, value: String, ignoringCase: Bool = false) -> AnyQuery {
    match(key: key, .contains, value: value, ignoringCase: ignoringCase)
  }

  /// Matches where the key's text starts with another.
  ///
  /// - Parameter ignoringCase: whether both sides are folded first, by Unicode's rules and no locale's.
  public static func hasPrefix(key: String, value: String, ignoringCase: Bool = false) -> AnyQuery {
    match(key: key, .hasPrefix, value: value, ignoringCase: ignoringCase)
  }

  /// Matches where the key's text ends with another.
  ///
  /// - Parameter ignoringCase: whether both sides are folded first, by Unicode's rules and no locale's.
  public static func hasSuffix(key: String, value: String, ignoringCase: Bool = false) -> AnyQuery {
    match(key: key, .hasSuffix, value: value, ignoringCase: ignoringCase)
  }

  /// Matches where the key's whole text matches a pattern: `%` is any run, `_` one Unicode scalar, and `\` escapes.
  ///
  /// - Parameter ignoringCase: whether both sides are folded first, by Unicode's rules and no locale's; `_` then stands
  ///   for one scalar of the folded text, of which "ß" has two.
  public static func like(key: String, value: String, ignoringCase: Bool = false) -> AnyQuery {
    match(key: key, .like, value: value, ignoringCase: ignoringCase)
  }

  /// Matches where the key's text matches another in one of the ways that there are.
  public static func match(
    key: String, _ operation: TextOperation, value: String, ignoringCase: Bool = false
  ) -> AnyQuery {
    AnyQuery(
      .condition(.text(TextMatch(key: key, operation: operation, text: value, isIgnoringCase: ignoringCase))))
  }
}
