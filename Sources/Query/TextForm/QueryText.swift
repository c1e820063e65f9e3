extension AnyQuery {
  /// Parses the text form of a query.
  ///
  /// ```swift
  /// let query = try AnyQuery(parsing: "weight > 90 and not type in ('fire', 'water')")
  /// query == (.greaterThan(key: "weight", value: 90) && !.in(key: "type", values: ["fire", "water"]))  // true
  /// ```
  ///
  /// - `not` binds tighter than `and`, and `and` tighter than `or`. Connectives associate to the left.
  /// - A key is compared by `=`, `!=`, `<`, `<=`, `>` and `>=` with a value or with another key, by `between … and …`
  ///   with two of these, by `in (…)` with values, by `is null` and `is not null`, and by `contains`, `starts with`,
  ///   `ends with` and `like` with a text. `between`, `in` and what takes a text may have a `not` before them.
  ///   `ignoring case` may follow texts: `name = 'ann' ignoring case` is short for `folded(name) = 'ann'`.
  /// - Values are written `12`, `-1.5e3`, `'it''s'`, `x'00ff'`, `null`, `true` for 1, `false` for 0, and `now` and `today` for
  ///   the time at which the text is read, as a date's text and as that of its day in UTC. A key that is no
  ///   identifier or a reserved word is double-quoted: `"base attack" > 90`. So `type = "fire"` and `type = fire`
  ///   compare two keys.
  /// - `:name` is a parameter, whose value is passed separately: ``init(parsing:parameters:)-(_,[String:Value])``.
  /// - Words that are not keys may be in uppercase or lowercase. Keys are case-sensitive.
  ///
  /// The time is linear in the length of the text, and no stack is taken, however deep it is nested.
  ///
  /// - Parameter text: the text of one query. `true` matches every row; the empty text is an error.
  /// - Throws: ``ParseError``, which reports where the text is wrong, what was expected there, and what may help.
  public init(parsing text: String) throws(ParseError) {
    var parser = QueryParser(text)
    self = try parser.parse()
  }
}

extension AnyQuery {
  /// Parses the text form of a query, in which `:name` is a parameter whose value is passed separately.
  ///
  /// ```swift
  /// let query = try AnyQuery(parsing: "weight > :least and name = :name", parameters: ["least": 90, "name": "it's"])
  /// query == (.greaterThan(key: "weight", value: 90) && .equal(key: "name", value: "it's"))  // true
  /// ```
  ///
  /// A parameter may be used wherever a value may, and more than once. It is a value and never text of the query, so no
  /// value can change the query's structure; it can't be a key, an operator or a list of values. Its name is written as an
  /// unquoted key.
  ///
  /// - Parameters:
  ///   - text: the text of one query, as ``init(parsing:)`` reads it.
  ///   - parameters: the value of each parameter, by its name without the colon.
  /// - Throws: ``ParseError`` as ``init(parsing:)`` does; for a parameter without a value, for a value whose parameter is
  ///   not in the text, and for a parameter whose value is not a text where one is required (`contains`).
  public init(parsing text: String, parameters: [String: Value]) throws(ParseError) {
    var parser = QueryParser(text, QueryParameters(parameters))
    self = try parser.parse()
  }
}

extension Value {
  /// Parses a value from its literal in the text form of a query; `nil` if the text is not a literal.
  package init?(literal text: String) {
    var reader = TokenReader(text)
    guard let value = reader.acceptLiteral(), case .end = reader.current.kind else { return nil }
    self = value
  }
}
