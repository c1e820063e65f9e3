extension TableSchema {
  /// The place of the first name in a query's text that is no key of this table, on two lines: the line of the text, and a
  /// `^` below the place.
  ///
  /// - Returns: `nil` where the table has them all.
  package func caretAtUnknownKey(in text: String) -> String? {
    var lexer = Lexer(text)
    while true {
      let token = lexer.next()
      let key: String
      switch token.kind {
      case .word(nil): key = String(decoding: lexer.bytes[token.range], as: UTF8.self)
      case .quotedKey(let name): key = name
      case .end, .malformed: return nil
      default: continue
      }
      if (try? position(of: key)) == nil {
        let before = String(decoding: lexer.bytes[..<token.range.lowerBound], as: UTF8.self)
        return CaretLines(text: text, position: before.unicodeScalars.count).description
      }
    }
  }
}
