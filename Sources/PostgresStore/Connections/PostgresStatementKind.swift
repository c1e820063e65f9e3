import SQLStore

/// The kind of a statement, as far as its text shows: the server does not report it.
enum PostgresStatementKind: Hashable {
  /// A statement that changes nothing.
  case read
  /// A statement that may change something.
  case write
  /// A statement that begins or ends a transaction or a part of one.
  case control

  init(of sql: String) {
    switch StatementKeyword(of: sql).text {
    case "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE": self = .control
    case "SELECT", "VALUES", "TABLE", "SHOW", "": self = Self.names(["INTO", "FOR"], in: sql) ? .write : .read
    // A common table expression may write.
    case "WITH": self = Self.names(["INSERT", "UPDATE", "DELETE", "MERGE", "INTO"], in: sql) ? .write : .read
    default: self = .write
    }
  }

  /// Returns whether a statement creates an object that ends with its session.
  static func makesTemporary(_ sql: String) -> Bool {
    guard StatementKeyword(of: sql).text == "CREATE" else { return false }
    let words = sql.uppercased().split { !$0.isLetter && $0 != "_" }
    guard let start = words.firstIndex(of: "CREATE") else { return false }
    let kind = words[start...].dropFirst().drop { ["OR", "REPLACE", "GLOBAL", "LOCAL"].contains($0) }.first
    return kind == "TEMP" || kind == "TEMPORARY"
  }

  /// Returns whether some of the words occur in a statement, even in a text or a name.
  private static func names(_ words: Set<String>, in sql: String) -> Bool {
    sql.split { !$0.isLetter && $0 != "_" }.contains { words.contains($0.uppercased()) }
  }
}
