import Repository

/// The words of a command line, one after the other.
struct Words {
  private var words: ArraySlice<String>

  init(_ words: some Sequence<String>) {
    self.words = ArraySlice(Array(words))
  }

  /// The first word, if it is no option.
  mutating func nextVerb() -> String? {
    words.first?.hasPrefix("-") == false ? words.popFirst() : nil
  }

  mutating func next() -> String? { words.popFirst() }

  mutating func value(of option: String) throws(UsageError) -> String {
    guard let value = words.popFirst() else { throw UsageError("\(option) takes a value") }
    return value
  }

  mutating func number(of option: String) throws(UsageError) -> Double {
    let value = try value(of: option)
    guard let number = Double(value), !number.isNaN else { throw UsageError("\(option) takes a number, not \(value)") }
    return number
  }

  mutating func count(of option: String) throws(UsageError) -> Int {
    let value = try value(of: option)
    guard let count = Int(value), count >= 0 else { throw UsageError("\(option) takes a count, not \(value)") }
    return count
  }

  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    of option: String
  ) throws(UsageError) -> Choice {
    let value = try value(of: option)
    guard let choice = Choice(rawValue: value.lowercased()) else {
      let choices = Choice.allCases.map(\.rawValue).sorted().joined(separator: ", ")
      throw UsageError("\(option) takes no \(value), but one of \(choices)")
    }
    return choice
  }

  mutating func parsed<Parsed>(
    of option: String, _ parse: (String) throws(ParseError) -> Parsed
  ) throws(UsageError) -> Parsed {
    let value = try value(of: option)
    do {
      return try parse(value)
    } catch {
      let suggestion = error.suggestion.map { "\n\($0)" } ?? ""
      throw UsageError("\(option) can't be read: \(error.summary)\n\(error.caret)\(suggestion)")
    }
  }
}
