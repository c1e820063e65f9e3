import Query

/// The parts of a table's or an index's definition that SQLite keeps only as SQL.
struct DefinitionText {
  private let sql: String
  private let tokens: [SQLToken]

  init(_ sql: String) {
    // SQLite reads no further.
    self.sql = String(sql.prefix { $0 != "\0" })
    tokens = SQLToken.tokens(of: self.sql)
  }

  /// The single statement as SQLite parses it. SQLite ignores what follows, be it another statement or a line that its shell
  /// would carry out, which a file may contain all the same.
  var statement: String {
    let isTrigger = tokens.prefix(3).contains { $0.isKeyword("TRIGGER") }
    let end = tokens.indices.first { position in
      isTrigger
        ? tokens[position].isKeyword("END") && position > 0 && tokens[position - 1].isSymbol(";")
        : tokens[position].isSymbol(";")
    }
    return text(0, end.map { isTrigger ? $0 + 1 : $0 } ?? tokens.count)
  }

  /// The expressions of a table's checks, in order.
  var checks: [String] { expressions { $0.isKeyword("CHECK") } }

  /// The expressions of the computed columns, in order.
  var generated: [String] { expressions { $0.isKeyword("AS") } }

  /// The expressions in parentheses right after the given keywords.
  private func expressions(after isSought: (SQLToken) -> Bool) -> [String] {
    var found: [String] = []
    var position = 0
    var depth = 0
    while position + 1 < tokens.count {
      let token = tokens[position]
      if token.isSymbol("(") { depth += 1 }
      if token.isSymbol(")") { depth -= 1 }
      position += 1
      // Definitions are one level deep; anything deeper is part of an expression.
      guard depth == 1, isSought(token), tokens[position].isSymbol("("), let end = end(of: position) else { continue }
      found.append(text(position + 1, end))
      position = end + 1
    }
    return found
  }

  /// The columns of an index as they are written, without their order or collation.
  var indexTerms: [String] {
    guard let start = tokens.firstIndex(where: { $0.isSymbol("(") }), let end = end(of: start) else { return [] }
    var terms: [String] = []
    var (from, depth) = (start + 1, 0)
    for position in (start + 1)...end {
      let token = tokens[position]
      if position == end || depth == 0 && token.isSymbol(",") {
        terms.append(term(from, position))
        from = position + 1
      }
      if token.isSymbol("(") { depth += 1 }
      if token.isSymbol(")") { depth -= 1 }
    }
    return terms
  }

  /// The condition of a partial index.
  var condition: String? {
    guard let start = tokens.firstIndex(where: { $0.isSymbol("(") }), let end = end(of: start),
      let word = tokens[end...].firstIndex(where: { $0.isKeyword("WHERE") }), word + 1 < tokens.count
    else { return nil }
    return text(word + 1, tokens.count)
  }

  private func term(_ from: Int, _ end: Int) -> String {
    var end = end
    if end > from, tokens[end - 1].isKeyword("ASC") || tokens[end - 1].isKeyword("DESC") { end -= 1 }
    if end > from + 2, tokens[end - 2].isKeyword("COLLATE") { end -= 2 }
    return text(from, end)
  }

  /// The statement that creates a table, under another name and with other types of columns; `nil` where it does not name
  /// them all, as that of a table that was made of a query.
  ///
  /// - Parameter constraint: a constraint to add.
  func table(
    named name: String, withTypes types: [(column: String, type: String)], adding constraint: String? = nil
  ) -> String? {
    guard let start = tokens.firstIndex(where: { $0.isSymbol("(") }), start > 0, let end = end(of: start) else {
      return nil
    }
    var edits: [(range: Range<String.Index>, text: String)] = [
      (tokens[start - 1].text.startIndex..<tokens[start - 1].text.endIndex, SQLToken.quoted(name))
    ]
    var (position, missing) = (start + 1, types)
    while position < end {
      if let index = missing.firstIndex(where: { tokens[position].isName($0.column) }) {
        var last = position
        while last + 1 < end, let next = endOfType(behind: last, atStart: last == position) { last = next }
        let from = tokens[position].text.endIndex
        edits.append((from..<tokens[last].text.endIndex, " " + missing.remove(at: index).type))
      }
      // The comma behind the definition.
      var depth = 0
      while position < end, depth > 0 || !tokens[position].isSymbol(",") {
        if tokens[position].isSymbol("(") { depth += 1 }
        if tokens[position].isSymbol(")") { depth -= 1 }
        position += 1
      }
      position += 1
    }
    if !missing.isEmpty { return nil }
    if let constraint {
      let closing = tokens[end].text.startIndex
      edits.append((closing..<closing, ", " + constraint))
    }
    var sql = self.sql
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      sql.replaceSubrange(edit.range, with: edit.text)
    }
    return sql
  }

  /// The last token of the next part of a type: a word, or numbers in parentheses; `nil` where the type has ended.
  private func endOfType(behind position: Int, atStart: Bool) -> Int? {
    let next = tokens[position + 1]
    if next.isSymbol("("), !atStart { return end(of: position + 1) }
    let others = [
      "CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES", "GENERATED", "AS",
      "ON", "DEFERRABLE",
    ]
    return next.kind != .symbol && !others.contains(where: next.isKeyword) ? position + 1 : nil
  }

  /// The position of the parenthesis that closes one.
  private func end(of start: Int) -> Int? {
    var depth = 0
    for position in start..<tokens.count {
      if tokens[position].isSymbol("(") { depth += 1 }
      if tokens[position].isSymbol(")") { depth -= 1 }
      if depth == 0 { return position }
    }
    return nil
  }

  /// The source text of some tokens.
  private func text(_ from: Int, _ end: Int) -> String {
    guard from < end else { return "" }
    return String(sql[tokens[from].text.startIndex..<tokens[end - 1].text.endIndex])
  }
}

/// A token of SQL, as far as definitions of tables have to be parsed.
///
/// https://www.sqlite.org/draft/tokenreq.html
struct SQLToken {
  enum Kind {
    /// A keyword, a name without quotes, or a number.
    case word
    /// A quoted name or text, in any form of quotes.
    case quoted
    /// Any other single character.
    case symbol
  }

  let kind: Kind
  /// The token's text.
  let text: Substring

  /// Whether it is a given keyword, in any case.
  func isKeyword(_ word: String) -> Bool { kind == .word && text.uppercased() == word }

  /// Whether it is a given character.
  func isSymbol(_ character: String) -> Bool { kind == .symbol && text == character }

  /// Whether it is a name, which may be in quotes.
  func isName(_ name: String) -> Bool {
    let folded = Name(name).folded
    switch kind {
    case .symbol: return false
    case .word: return Name(String(text)).folded == folded
    case .quoted:
      guard let quote = text.first else { return false }
      let inner = String(text.dropFirst().dropLast())
      return Name(quote == "[" ? inner : inner.replacing("\(quote)\(quote)", with: "\(quote)")).folded == folded
    }
  }

  /// A name in quotes.
  static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }

  /// Splits SQL into tokens; blanks and comments are left out.
  static func tokens(of sql: String) -> [SQLToken] {
    var tokens: [SQLToken] = []
    var rest = sql[...].unicodeScalars
    while let first = rest.first {
      let start = rest.startIndex
      let kind: Kind?
      switch first {
      case " ", "\t", "\n", "\r", "\u{C}":
        rest.removeFirst()
        kind = nil
      case "-" where rest.starts(with: "--".unicodeScalars):
        rest = rest.drop { $0 != "\n" }
        kind = nil
      case "/" where rest.starts(with: "/*".unicodeScalars):
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".unicodeScalars) { rest.removeFirst() }
        rest = rest.dropFirst(2)
        kind = nil
      case "'", "\"", "`", "[":
        skipQuoted(&rest, until: first == "[" ? "]" : first)
        kind = .quoted
      case _ where isWordScalar(first):
        rest = rest.drop(while: isWordScalar)
        kind = .word
      default:
        rest.removeFirst()
        kind = .symbol
      }
      if let kind { tokens.append(SQLToken(kind: kind, text: sql[start..<rest.startIndex])) }
    }
    return tokens
  }

  private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
    default: scalar.value >= 0x80
    }
  }

  /// Skips a quoted name or text. A doubled quote is an escaped one; a bracket can't be escaped.
  private static func skipQuoted(_ rest: inout Substring.UnicodeScalarView, until quote: Unicode.Scalar) {
    rest.removeFirst()
    while let scalar = rest.popFirst() {
      guard scalar == quote else { continue }
      if quote == "]" || rest.first != quote { return }
      rest.removeFirst()
    }
  }
}
