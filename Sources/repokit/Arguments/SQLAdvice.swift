import Query

/// Advice for calls in which SQL, or a part of it, is written where something else belongs.
enum SQLAdvice {
  /// The advice where a text is no table: a statement or a condition is in its position.
  ///
  /// - Parameters:
  ///   - tables: the tables of the database, of which the only one may be meant.
  ///   - command: the words that call the command.
  static func forTable(_ text: String, of database: String, tables: [String], command: String) -> String? {
    if text.lowercased().hasPrefix("select ") {
      return SelectStatement(text)?.call(of: database).map { "repokit has no SQL; write \($0)" }
        ?? "repokit has no SQL; write repokit query DATABASE TABLE CONDITION, or repokit group for aggregates"
    }
    guard text.contains(" "), let condition = condition(in: text) else { return nil }
    let table = tables.count == 1 ? tables[0] : "TABLE"
    let words = ["repokit"] + command.split(separator: " ").map(String.init) + [database, table, condition]
    return ShellWord.line(words).map { "write the table before the condition: \($0)" }
  }

  /// The advice where a text is no condition.
  static func forCondition(_ text: String) -> String? {
    if text.lowercased().hasPrefix("select ") {
      return "repokit has no SQL; write the condition alone, such as weight > 90, and name columns with --columns"
    }
    guard text.lowercased().hasPrefix("where "), let condition = condition(in: text) else { return nil }
    return "omit `where`: \(ShellWord.quoted(condition) ?? condition)"
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
      "put a name that is a keyword in double quotes: \(string(before))\"\(string(word))\"\(string(after))"
  }
}
