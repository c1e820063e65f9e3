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

  /// The clauses of a statement: what stands behind each keyword that is within no quotes and no parentheses.
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

/// Advice for calls in which SQL, or a part of it, stands where something else belongs.
enum SQLAdvice {
  /// The advice where a text is no table: a statement or a condition stands in its place.
  ///
  /// - Parameters:
  ///   - tables: the tables of the database, of which the only one may be meant.
  ///   - command: the words that call the command.
  static func forTable(_ text: String, of database: String, tables: [String], command: String) -> String? {
    if text.lowercased().hasPrefix("select ") {
      return SelectStatement(text)?.call(of: database).map { "there is no SQL here; write \($0)" }
        ?? "there is no SQL here; write repokit query DATABASE TABLE CONDITION, and repokit group for aggregates"
    }
    guard text.contains(" "), let condition = condition(in: text) else { return nil }
    let table = tables.count == 1 ? tables[0] : "TABLE"
    let words = ["repokit"] + command.split(separator: " ").map(String.init) + [database, table, condition]
    return ShellWord.line(words).map { "the table stands before the condition: \($0)" }
  }

  /// The advice where a text is no condition.
  static func forCondition(_ text: String) -> String? {
    if text.lowercased().hasPrefix("select ") {
      return "there is no SQL here; the condition stands alone, as in weight > 90, and --columns names columns"
    }
    guard text.lowercased().hasPrefix("where "), let condition = condition(in: text) else { return nil }
    return "leave `where` out: \(ShellWord.quoted(condition) ?? condition)"
  }

  /// The condition that a text is without the word `where`.
  private static func condition(in text: String) -> String? {
    let condition = text.lowercased().hasPrefix("where ") ? String(text.dropFirst(6)) : text
    return (try? AnyQuery(parsing: condition)) == nil ? nil : condition
  }

  /// The advice where a path has a word of the query language as a step: `data.in.a`.
  static func forStep(of text: String, at position: Int) -> String? {
    let scalars = Array(text.unicodeScalars)
    guard position > 0, position < scalars.count, scalars[position - 1] == "." else { return nil }
    let isPart = { (scalar: Unicode.Scalar) in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_"
    }
    let word = scalars[position...].prefix(while: isPart)
    if word.isEmpty { return nil }
    let before = scalars[..<position].reversed().prefix { isPart($0) || $0 == "." || $0 == "\"" }.reversed()
    let after = scalars[(position + word.count)...].prefix { isPart($0) || $0 == "." || $0 == "\"" }
    func string(_ scalars: some Sequence<Unicode.Scalar>) -> String { String(String.UnicodeScalarView(scalars)) }
    return
      "a name that is a word of queries stands in double quotes: \(string(before))\"\(string(word))\"\(string(after))"
  }
}
