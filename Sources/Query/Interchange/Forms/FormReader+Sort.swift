extension FormReader {
  /// Reads the terms of a sort.
  func sort(at index: Int) throws(InterchangeError) -> AnySort {
    guard case .array = tokens[index] else { throw mismatch(at: index, expected: "a list of keys to sort by") }
    var terms: [SortTerm] = []
    var place = index + 1
    while place < end(of: index) {
      terms.append(try term(at: place))
      place = end(of: place)
    }
    return AnySort(terms)
  }

  private func term(at index: Int) throws(InterchangeError) -> SortTerm {
    let fields = try fields(at: index, of: "a term of a sort", known: [.key, .direction, .nulls])
    var key: String?
    var direction = SortTerm.Direction.ascending
    var nulls: NullPlacement?
    for field in fields {
      switch field.name {
      case .key: key = try text(at: field.value)
      case .direction:
        direction = try choice(at: field.value, [("ascending", .ascending), ("descending", .descending)])
      default: nulls = try choice(at: field.value, [("first", .first), ("last", .last)])
      }
    }
    guard let key else { throw missing(.key, of: "the term", at: index) }
    return SortTerm(key: key, direction: direction, nulls: nulls ?? direction.defaultNulls)
  }

  private func choice<Choice>(at index: Int, _ choices: [(String, Choice)]) throws(InterchangeError) -> Choice {
    let names = choices.map { "\"\($0.0)\"" }.joined(separator: " or ")
    let name = try text(at: index, names)
    if let choice = choices.first(where: { $0.0 == name }) { return choice.1 }
    throw error(
      .invalidValue, "expected \(names)", at: index,
      suggestion: NearestName.nearest(to: name, in: choices.map(\.0)).map { "did you mean \"\($0)\"?" })
  }
}
