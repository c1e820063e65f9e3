/// A text of the query language with the name of its column in a result: `sum(weight) as total`.
struct NamedText {
  let text: String
  /// The name; `nil` if the text is the name.
  let name: String?

  /// Separates `as` and a name at the end of a text; `as` in quotes or parentheses is a part of the text.
  init(_ written: String) {
    var words = QuotedWords(written)
    var (depth, position) = (0, written.startIndex)
    while let word = words.next() {
      let start =
        written.unicodeScalars.index(
          written.endIndex, offsetBy: -word.rest.count, limitedBy: position) ?? position
      position = start
      if word.quote == nil {
        if depth == 0, start != written.startIndex, word.text.lowercased() == "as", let name = words.next(),
          !name.text.isEmpty,
          words.next() == nil,
          name.quote == "\"" || name.quote == nil && name.text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
        {
          let end = written[..<start].lastIndex { $0 != " " }.map(written.index(after:)) ?? start
          self.init(text: String(written[..<end]), name: name.text)
          return
        }
        depth += word.text.count { $0 == "(" } - word.text.count { $0 == ")" }
      }
    }
    self.init(text: written, name: nil)
  }

  private init(text: String, name: String?) { (self.text, self.name) = (text, name) }
}
