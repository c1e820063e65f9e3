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
