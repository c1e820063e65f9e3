import Query
import Repository
import SQL

extension Connection {
  /// Runs a statement.
  ///
  /// - Parameter mayWrite: whether it may change something.
  /// - Returns: `nil` where it would change something and may not; nothing was run then.
  func result(of statement: SQLStatement, mayWrite: Bool) throws(RepositoryError) -> StatementResult? {
    try use(StatementText(statement.sql)) { prepared throws(RepositoryError) in
      try check(prepared, statement)
      if !mayWrite, !prepared.isReadOnly { return nil }
      let columns = prepared.columnNames
      var rows: [FetchedRow] = []
      try run(prepared, statement.bindings) { row in rows.append(FetchedRow(row, columnCount: columns.count)) }
      return StatementResult(columns: columns, rows: rows, sql: statement.sql)
    }
  }

  /// Runs a statement that changes something.
  ///
  /// - Returns: how many rows it changed.
  func change(_ statement: SQLStatement) throws(RepositoryError) -> Int {
    try use(StatementText(statement.sql)) { prepared throws(RepositoryError) in
      try check(prepared, statement)
      return try changes { () throws(RepositoryError) in try run(prepared, statement.bindings) { _ in } }
    }
  }

  private func check(_ prepared: RawStatement, _ statement: SQLStatement) throws(RepositoryError) {
    let count = prepared.parameterCount
    if count == statement.bindings.count { return }
    throw RepositoryError(
      .invalidStatement, "the statement has \(count) placeholders and \(statement.bindings.count) values",
      reason: "each value that is interpolated makes one placeholder",
      suggestion: "interpolate values, without quotes around them, instead of writing ? or :name", sql: statement.sql)
  }
}

extension SQLStatement {
  /// What SQLite does for a connection rather than for a table, so that it would change what others rely on.
  private static let refused: [(word: String, suggestion: String)] = [
    ("BEGIN", "use `transaction { }`"), ("COMMIT", "use `transaction { }`"), ("END", "use `transaction { }`"),
    ("ROLLBACK", "throw an error out of `transaction { }`"),
    ("SAVEPOINT", "use `transaction { }` within a transaction"),
    ("RELEASE", "use `transaction { }` within a transaction"),
    ("ATTACH", "open the other database as a store"), ("DETACH", "open the other database as a store"),
    ("PRAGMA", "read it with SELECT * FROM pragma_name"), ("VACUUM", "use `vacuum()`"),
  ]

  /// - Throws: ``RepositoryError`` where a value can't be bound, and where the statement is none for here.
  func checked() throws(RepositoryError) -> SQLStatement {
    if let fault {
      throw RepositoryError(
        .invalidValue, "a value can't be bound", reason: fault.summary, suggestion: fault.suggestion, sql: sql,
        underlying: fault)
    }
    let word = FirstWord(of: sql).text
    guard let refused = Self.refused.first(where: { $0.word == word }) else { return self }
    throw RepositoryError(
      .invalidStatement, "\(word) can't be run as a statement",
      reason: "it would change what the whole store relies on",
      suggestion: refused.suggestion, sql: sql)
  }
}
