import Query
import SQL

/// The clauses by which a statement of SQLite declares references. https://www.sqlite.org/syntax/foreign-key-clause.html
enum ReferenceClauses {
  /// Returns a statement that creates a table without the references to some tables.
  static func removing(referencesTo tables: Set<String>, from sql: String) -> String {
    let folded = Set(tables.map { Name($0).folded })
    let tokens = SQLToken.tokens(of: sql).filter { $0.kind != .comment }
    var removed: [Range<String.Index>] = []
    var position = 0
    while position < tokens.count {
      defer { position += 1 }
      guard tokens[position].isKeyword("REFERENCES"), position + 1 < tokens.count,
        folded.contains(Name(tokens[position + 1].name).folded)
      else { continue }
      var start = position
      let end = self.end(of: position, tokens)
      if tokens[position - 1].isSymbol(")"), let open = opening(of: position - 1, tokens), open >= 2,
        tokens[open - 1].isKeyword("KEY"), tokens[open - 2].isKeyword("FOREIGN")
      {
        start = open - 2
        if start >= 2, tokens[start - 2].isKeyword("CONSTRAINT") { start -= 2 }
        // The comma before a constraint of the table, which may be missing.
        if start >= 1, tokens[start - 1].isSymbol(",") { start -= 1 }
      } else if start >= 2, tokens[start - 2].isKeyword("CONSTRAINT") {
        start -= 2
      }
      removed.append(tokens[start].text.startIndex..<tokens[end - 1].text.endIndex)
    }
    var sql = sql
    for range in removed.reversed() { sql.removeSubrange(range) }
    return sql
  }

  /// The position behind a clause.
  private static func end(of start: Int, _ tokens: [SQLToken]) -> Int {
    var position = start + 2
    if position < tokens.count, tokens[position].isSymbol("(") {
      while position < tokens.count, !tokens[position].isSymbol(")") { position += 1 }
      position += 1
    }
    func isKeyword(_ word: String, at position: Int) -> Bool {
      position < tokens.count && tokens[position].isKeyword(word)
    }
    while position < tokens.count {
      if isKeyword("ON", at: position) {
        let isSet = isKeyword("SET", at: position + 2) || isKeyword("NO", at: position + 2)
        position += isSet ? 4 : 3
      } else if isKeyword("MATCH", at: position) {
        position += 2
      } else if isKeyword("DEFERRABLE", at: position) {
        position += isKeyword("INITIALLY", at: position + 1) ? 3 : 1
      } else if isKeyword("NOT", at: position), isKeyword("DEFERRABLE", at: position + 1) {
        position += 1
      } else {
        break
      }
    }
    return min(position, tokens.count)
  }

  /// The position of the parenthesis that one closes.
  private static func opening(of end: Int, _ tokens: [SQLToken]) -> Int? {
    var depth = 0
    for position in stride(from: end, through: 0, by: -1) {
      if tokens[position].isSymbol(")") { depth += 1 }
      if tokens[position].isSymbol("(") { depth -= 1 }
      if depth == 0 { return position }
    }
    return nil
  }
}
