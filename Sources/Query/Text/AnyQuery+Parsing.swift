extension AnyQuery {
  /// Reads a query from its text form.
  ///
  /// ```swift
  /// let query = try AnyQuery(parsing: "weight > 90 and not type in ('fire', 'water')")
  /// query == (.greaterThan(key: "weight", value: 90) && !.in(key: "type", values: ["fire", "water"]))  // true
  /// ```
  ///
  /// - `not` binds tighter than `and`, and `and` tighter than `or`. Joins associate to the left.
  /// - A key is compared by `=`, `!=`, `<`, `<=`, `>` and `>=` with a value or with another key, by `between … and …`
  ///   with two of these, by `in (…)` with values, by `is null` and `is not null`, and by `contains`, `starts with`,
  ///   `ends with` and `like` with a text, after which `ignoring case` may stand. `between`, `in` and what takes a text
  ///   may have a `not` before them.
  /// - Values are written `12`, `-1.5e3`, `'it''s'`, `x'00ff'`, `null`, `true` for 1 and `false` for 0. A key that is no
  ///   identifier or a reserved word stands in double quotes: `"base attack" > 90`. So `type = "fire"` and `type = fire`
  ///   compare two keys.
  /// - `:name` stands for a value that is given beside the text: ``init(parsing:parameters:)-(_,[String:Value])``.
  /// - Words that are no keys may be in upper or lower case. Keys are as they are.
  ///
  /// The time grows with the length of the text, and however deep it is nested, no stack is taken.
  ///
  /// - Parameter text: the text of one query. `true` asks for everything; the empty text is an error.
  /// - Throws: ``ParseError``, which says where the text goes wrong, what was expected there, and what may help.
  public init(parsing text: String) throws(ParseError) {
    var parser = QueryParser(text)
    self = try parser.parse()
  }
}
