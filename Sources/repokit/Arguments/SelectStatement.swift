import Query

/// A plain `SELECT` of SQL, and the call that asks for the same rows.
struct SelectStatement {
  private var clauses: [String: String] = [:]

  private static let keywords = ["select", "from", "where", "order by", "limit", "offset"]
  private static let unknown = ["join", "group by", "having", "union", "intersect", "except", "with"]

  /// Reads a statement; `nil` for any other text.
  init?(_ text: String) {
    let trimmed = text.trimmingBlanks(and: ";")
    guard trimmed.lowercased().hasPrefix("select ") else { return nil }
    for (keyword, content) in Self.clauses(of: trimmed) { clauses[keyword] = content }
  }

  /// The call of the tool; `nil` where the statement has what no single call asks for.
  ///
  /// - Parameter database: the database as the call names it.
  func call(of database: String) -> String? {
    guard let columns = clauses["select"], let table = clauses["from"]?.unquoted,
      !table.contains(where: " ,(".contains),
      Self.unknown.allSatisfy({ clauses[$0] == nil })
    else { return nil }
    let isCount = columns.lowercased().filter { $0 != " " } == "count(*)"
    var words = ["repokit", isCount ? "count" : "query", database, table]
    if let condition = clauses["where"] {
      let here = Self.respelled(condition)
      guard (try? AnyQuery(parsing: here)) != nil else { return nil }
      words.append(here)
    }
    if isCount { return ShellWord.line(words) }
    if columns != "*" {
      guard (try? [ProjectedColumn](parsing: columns)) != nil else { return nil }
      words += ["--columns", columns]
    }
    if let order = clauses["order by"] {
      guard (try? AnySort(parsing: order)) != nil else { return nil }
      words += ["--sort", order]
    }
    for option in ["limit", "offset"] {
      guard let number = clauses[option] else { continue }
      if Int(number) == nil { return nil }
      words += ["--\(option)", number]
    }
    return ShellWord.line(words)
  }

  /// A condition with the operators of this language, outside of quotes.
  private static func respelled(_ condition: String) -> String {
    var quote: Character?
    var result = ""
    for character in condition {
      if let open = quote {
        if character == open { quote = nil }
      } else if "'\"".contains(character) {
        quote = character
      }
      if quote == nil, result.last == "<", character == ">" {
        result.removeLast()
        result += "!="
      } else if quote != nil || result.last != "=" || character != "=" {
        result.append(character)
      }
    }
    return result
  }

  /// The clauses of a statement: the text after each keyword that is within no quotes and no parentheses.
  private static func clauses(of text: String) -> [(keyword: String, content: String)] {
    var clauses: [(keyword: String, content: String)] = []
    var (rest, depth) = (text[...], 0)
    var quote: Character?
    var isAtWord = true
    while let first = rest.first {
      if quote == nil, depth == 0, isAtWord, let keyword = keyword(at: rest) {
        clauses.append((keyword, ""))
        rest = rest.dropFirst(keyword.count)
        continue
      }
      if let open = quote { if first == open { quote = nil } } else if "'\"".contains(first) { quote = first }
      if quote == nil { depth += first == "(" ? 1 : first == ")" ? -1 : 0 }
      isAtWord = first == " " || first == "\n" || first == "\t"
      if !clauses.isEmpty { clauses[clauses.count - 1].content.append(first) }
      rest = rest.dropFirst()
    }
    return clauses.map { ($0.keyword, $0.content.trimmingBlanks(and: "")) }
  }

  private static func keyword(at text: Substring) -> String? {
    let start = text.prefix(10).lowercased()
    return (keywords + unknown).first { keyword in
      guard start.hasPrefix(keyword) else { return false }
      let next = text.dropFirst(keyword.count).first
      return next.map { $0 == " " || $0 == "\n" || $0 == "\t" } ?? true
    }
  }
}

extension String {
  /// The text without white space, and without some characters, at both ends.
  fileprivate func trimmingBlanks(and others: String) -> String {
    let isBlank = { (character: Character) in character.isWhitespace || others.contains(character) }
    var text = drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return String(text)
  }

  /// The name without double quotes around it.
  fileprivate var unquoted: String {
    count > 2 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
  }
}
