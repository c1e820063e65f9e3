extension AnySort: CustomStringConvertible {
  /// The text form of the sort, which ``init(parsing:)`` reads back as an equal one; empty for the empty sort.
  ///
  /// ```swift
  /// let sort = AnySort.descending(key: "weight") + .ascending(key: "name", nulls: .last)
  /// sort.description  // weight desc, name nulls last
  /// ```
  public var description: String { terms.map(\.textForm).joined(separator: ", ") }
}

extension SortTerm {
  fileprivate var textForm: String {
    var text = KeySpelling.spell(key)
    if direction == .descending { text += " desc" }
    if nulls != direction.defaultNulls { text += nulls == .first ? " nulls first" : " nulls last" }
    return text
  }
}
