package import Repository

/// The first word of a statement in uppercase: its command.
///
/// Preceding blanks, comments and semicolons are ignored. https://www.sqlite.org/lang_comment.html
package struct StatementKeyword {
  package let text: String

  package init(of sql: String) {
    var rest = sql.utf8[...]
    while let first = rest.first {
      if [0x20, 0x09, 0x0A, 0x0C, 0x0D, UInt8(ascii: ";")].contains(first) {
        rest = rest.dropFirst()
      } else if rest.starts(with: "\u{FEFF}".utf8) {
        rest = rest.dropFirst(3)
      } else if rest.starts(with: "--".utf8) {
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      } else if rest.starts(with: "/*".utf8) {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
        rest = rest.dropFirst(2)
      } else {
        break
      }
    }
    let letters = (UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"))
    text = String(decoding: rest.prefix { letters.0.contains($0) || letters.1.contains($0) }, as: UTF8.self)
      .uppercased()
  }
}

// MARK: - Statements that are refused

extension SQLStatement {
  /// The commands that change a connection rather than a table: later users of the connection rely on its state. A word that
  /// only one database knows is an error in the others anyway.
  private static let refused: [(word: String, suggestion: String)] = [
    ("BEGIN", "use `transaction { }`"), ("COMMIT", "use `transaction { }`"), ("END", "use `transaction { }`"),
    ("ROLLBACK", "throw an error out of `transaction { }`"),
    ("SAVEPOINT", "use `transaction { }` within a transaction"),
    ("RELEASE", "use `transaction { }` within a transaction"),
    ("START", "use `transaction { }`"), ("ABORT", "throw an error out of `transaction { }`"),
    ("SET", "write the setting in the connection string, or use SET LOCAL within a transaction"),
    ("RESET", "write the setting in the connection string"),
    ("DISCARD", "the store manages statements and settings itself"),
    ("PREPARE", "the store prepares statements itself"), ("EXECUTE", "the store prepares statements itself"),
    ("DEALLOCATE", "the store prepares statements itself"), ("DECLARE", "the store streams rows itself"),
    ("LISTEN", "use `changes()`"), ("UNLISTEN", "use `changes()`"),
    ("COPY", "use `insert`, `save` or `findAll`, which copy many rows at once"),
    ("ATTACH", "open the other database as a store"), ("DETACH", "open the other database as a store"),
    ("PRAGMA", "read the setting with SELECT * FROM pragma_name"),
    ("VACUUM", "use `vacuum()` with SQLite; PostgreSQL vacuums automatically, or use psql"),
  ]

  /// - Throws: ``/Repository/RepositoryError`` if a value can't be bound, and if the statement is not allowed here.
  package func checked() throws(RepositoryError) -> SQLStatement {
    try checkValues()
    let word = StatementKeyword(of: sql).text
    guard let refused = Self.refused.first(where: { $0.word == word }), !isForTransactionAlone else { return self }
    throw RepositoryError(
      .invalidStatement, "the store can't run \(word) as a statement",
      reason: "the statement would change state that the store relies on",
      suggestion: refused.suggestion, sql: sql)
  }

  /// Whether the statement changes a setting that ends with its transaction: `SET LOCAL`, `SET CONSTRAINTS`, and
  /// `PRAGMA defer_foreign_keys`, by which keys and the rows that refer to them can be changed one after the other:
  /// https://www.sqlite.org/pragma.html#pragma_defer_foreign_keys
  private var isForTransactionAlone: Bool {
    let words = sql.split(whereSeparator: { !$0.isLetter && $0 != "_" }).map { $0.lowercased() }
    if words.first == "set" { return words.dropFirst().first == "local" || words.dropFirst().first == "constraints" }
    return words.prefix(2) == ["pragma", "defer_foreign_keys"] && words.count <= 3
  }

  /// - Throws: ``/Repository/RepositoryError`` if a value can't be bound.
  func checkValues() throws(RepositoryError) {
    guard let fault else { return }
    throw RepositoryError(
      .invalidValue, "can't bind a value", reason: fault.summary, suggestion: fault.suggestion, sql: sql,
      underlying: fault)
  }
}
