import Query

/// The words of an argument, between blanks; one in single or double quotes may hold blanks, and a quote that is doubled.
struct QuotedWords {
  struct Word {
    let text: String
    let quote: Unicode.Scalar?
    /// Whether no blank comes before it.
    let isJoined: Bool
    /// The argument from the word on.
    let rest: Substring.UnicodeScalarView

    /// The value that it spells.
    var value: Value? {
      switch quote {
      case "'": .text(text)
      case nil where text == "true": .integer(1)
      case nil where text == "false": .integer(0)
      case nil: Value(literal: text)
      default: nil
      }
    }
  }

  private var words: ArraySlice<Word>

  init(_ text: String) {
    var words: [Word] = []
    // Scalars, since a letter behind a quote may be an accent.
    var rest = text.unicodeScalars[...]
    var isJoined = false
    while let first = rest.first {
      let start = rest
      if first == " " {
        rest.removeFirst()
        isJoined = false
      } else if first == "\"" || first == "'" {
        words.append(Word(text: Self.content(ofQuoted: &rest).text, quote: first, isJoined: isJoined, rest: start))
        isJoined = true
      } else {
        var word = String.UnicodeScalarView()
        // A quoted name may follow a point.
        while let scalar = rest.first, scalar != " ", word.last != "." || (scalar != "\"" && scalar != "'") {
          word.append(rest.removeFirst())
        }
        words.append(Word(text: String(word), quote: nil, isJoined: isJoined, rest: start))
        isJoined = true
      }
    }
    self.words = words[...]
  }

  mutating func next() -> Word? { words.popFirst() }

  /// Takes all words that are left, and returns their text; `nil` without one.
  mutating func takeRest() -> String? {
    guard let rest = words.first?.rest else { return nil }
    words = []
    return String(Substring(rest))
  }

  /// Takes the words that come next, if they are these.
  mutating func take(_ keywords: String...) -> Bool {
    let next = words.prefix(keywords.count)
    let isSame = zip(next, keywords).allSatisfy { $0.quote == nil && $0.text.lowercased() == $1 }
    guard isSame, next.count == keywords.count else { return false }
    words.removeFirst(keywords.count)
    return true
  }

  /// The name of a table, with that of a column behind a point or without; `nil` where one of them is missing.
  ///
  /// A point in quotes is a part of the name.
  mutating func path() -> (table: String, column: String?)? {
    guard let first = words.popFirst() else { return nil }
    var (table, rest) = (first.text, first.quote == nil ? "" : nil)
    if first.quote == nil, let point = first.text.firstIndex(of: ".") {
      (table, rest) = (String(first.text[..<point]), String(first.text[point...]))
    } else if let next = words.first, next.isJoined, first.quote != nil {
      guard next.quote == nil, next.text.hasPrefix(".") else { return nil }
      rest = words.removeFirst().text
    }
    guard var column = rest, !column.isEmpty else { return table.isEmpty ? nil : (table, nil) }
    column.removeFirst()
    if column.isEmpty, let next = words.first, next.isJoined, next.quote != nil { column = words.removeFirst().text }
    return table.isEmpty || column.isEmpty ? nil : (table, column)
  }

  /// The text from a quote up to its end, with doubled quotes undone, and whether it has an end.
  static func content(ofQuoted rest: inout Substring.UnicodeScalarView) -> (text: String, isClosed: Bool) {
    guard let quote = rest.popFirst() else { return ("", false) }
    var content = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == quote {
        if rest.first != quote { return (String(content), true) }
        rest.removeFirst()
      }
      content.append(scalar)
    }
    return (String(content), false)
  }
}
