public import Query

// The conditions of text: `contains`, `starts with`, `ends with` and `like`.
extension PostgresDialect {
  /// `strpos`, `right` and `LIKE` work on the scalars of a text, which is equivalent to its bytes. A prefix is a range, which
  /// an index can serve whatever the value, unlike `starts_with`; so is the beginning of a pattern. No text of PostgreSQL
  /// contains U+0000.
  public func matches(
    _ column: SQLTerm, _ operation: TextOperation, _ sought: String, ignoringCase: Bool,
    bind: (@escaping TextBinding) -> String
  ) -> String {
    if column.type != .text || sought.utf8.contains(0) { return "1 = 0" }
    let name = textByBytes(column)
    let text = ignoringCase ? folded(column) : name
    switch operation {
    case .contains:
      return "strpos(\(text), \(bind { .text($0) })) > 0"
    case .hasPrefix where sought.isEmpty, .hasSuffix where sought.isEmpty:
      return "\(column.sql) IS NOT NULL"
    case .hasSuffix:
      let suffix = bind { .text($0) }
      return "right(\(text), length(\(suffix))) = \(suffix)"
    case .hasPrefix where ignoringCase:
      return "starts_with(\(text), \(bind { .text($0) }))"
    case .hasPrefix where TextRange.end(ofPrefix: sought) == nil:
      return "\(name) >= \(bind { TextRange.end(ofPrefix: $0) == nil ? .text($0) : nil })"
    case .hasPrefix:
      let start = "\(name) >= \(bind { .text($0) })"
      return "\(start) AND \(name) < \(bind { TextRange.end(ofPrefix: $0).map(Value.text) })"
    case .like where ignoringCase:
      return "\(text) LIKE \(bind { .text(PostgresPattern($0).text) })"
    case .like where PostgresPattern(sought).range == nil:
      return "\(name) LIKE \(bind { PostgresPattern($0).range == nil ? .text(PostgresPattern($0).text) : nil })"
    case .like:
      let start = "\(name) >= \(bind { (PostgresPattern($0).range?.start).map(Value.text) })"
      let end = "\(name) < \(bind { (PostgresPattern($0).range?.end).map(Value.text) })"
      return "\(start) AND \(end) AND \(name) LIKE \(bind { .text(PostgresPattern($0).text) })"
    }
  }
}

/// A pattern of `like` in the syntax of PostgreSQL's own `LIKE`, and the range of texts in which an index finds it.
///
/// `LikePattern` defines what a pattern matches, and is SQLite's function `repokit_like`.
struct PostgresPattern {
  /// The pattern: a `\` at its end, which PostgreSQL refuses, is doubled.
  private(set) var text: String
  /// The prefix of every matching text, as a range; `nil` if there is none.
  private(set) var range: (start: String, end: String)?

  init(_ pattern: String) {
    var (isEscaped, isLiteral) = (false, true)
    var start = String.UnicodeScalarView()
    for scalar in pattern.unicodeScalars {
      if scalar == "\\" && !isEscaped {
        isEscaped = true
        continue
      }
      if !isEscaped, scalar == "%" || scalar == "_" { isLiteral = false }
      if isLiteral { start.append(scalar) }
      isEscaped = false
    }
    text = isEscaped ? pattern + "\\" : pattern
    if isEscaped && isLiteral { start.append("\\") }
    range = TextRange.end(ofPrefix: String(start)).map { (String(start), $0) }
  }
}
