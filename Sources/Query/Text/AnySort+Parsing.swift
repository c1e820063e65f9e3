extension AnySort {
  /// Reads a sort from its text form: keys between commas, the most significant first.
  ///
  /// ```swift
  /// let sort = try AnySort(parsing: "-weight, name nulls last")
  /// sort == .descending(key: "weight") + .ascending(key: "name", nulls: .last)  // true
  /// ```
  ///
  /// A key is ascending unless it stands after a `-` or before `desc`; `asc` may be written out. A `-` says the direction,
  /// so `-key desc` and `-key asc` are errors, which name what was probably meant. `nulls first` or
  /// `nulls last` after it says where rows stand whose key is null: first in ascending order and last in descending,
  /// unless you say otherwise. A key that is no identifier or a reserved word stands in double quotes.
  ///
  /// - Parameter text: the text of one sort; the empty text is the order of the primary key.
  /// - Throws: ``ParseError``, which says where the text goes wrong, what was expected there, and what may help.
  public init(parsing text: String) throws(ParseError) {
    var parser = SortParser(text)
    self = try parser.parse()
  }
}
