import Query
import Repository
import SQL

extension Connection {
  /// Looks for what is wrong with the database.
  func integrityProblems() throws(RepositoryError) -> [IntegrityProblem] {
    var problems: [IntegrityProblem] = []
    do throws(RepositoryError) {
      problems += try damages()
      if problems.isEmpty { problems += try brokenReferences() + invalidTexts() }
    } catch {
      // What is damaged badly enough can't even be looked at.
      guard error.code == .corrupt || error.code == .notADatabase else { throw error }
      problems.append(IntegrityProblem(.damage, error.reason ?? error.summary))
    }
    return problems
  }

  /// https://www.sqlite.org/pragma.html#pragma_integrity_check
  private func damages() throws(RepositoryError) -> [IntegrityProblem] {
    var problems: [IntegrityProblem] = []
    try query(CompiledStatement(sql: "PRAGMA integrity_check", bindings: [])) { row in
      let text = row.text(0)
      if text != "ok" { problems.append(IntegrityProblem(.damage, text)) }
    }
    return problems
  }

  private func brokenReferences() throws(RepositoryError) -> [IntegrityProblem] {
    var problems: [IntegrityProblem] = []
    try query(
      CompiledStatement(
        sql: """
          SELECT "table", parent, count(*) FROM pragma_foreign_key_check GROUP BY "table", parent, fkid \
          ORDER BY "table", parent, fkid
          """,
        bindings: [])
    ) { row in
      let (table, parent, count) = (row.text(0), row.text(1), row.integer(2))
      let summary = count == 1 ? "a row refers" : "\(count) rows refer"
      problems.append(
        IntegrityProblem(.brokenReference, table: table, "\(summary) to rows of \(parent) that are not there"))
    }
    return problems
  }

  /// Another program may have written bytes as a text, which SQLite does not mind.
  private func invalidTexts() throws(RepositoryError) -> [IntegrityProblem] {
    var tables: [String] = []
    try query(
      CompiledStatement(
        sql: "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name", bindings: [])
    ) { row in
      tables.append(row.text(0))
    }
    var problems: [IntegrityProblem] = []
    for table in tables {
      var counts: [Int] = []
      var names: [String] = []
      try query(CompiledStatement(sql: "SELECT * FROM \(SQLiteDialect().quoted(table))", bindings: [])) { row in
        if names.isEmpty {
          names = row.columnNames
          counts = names.map { _ in 0 }
        }
        for position in names.indices where (try? row.value(at: position)) == nil { counts[position] += 1 }
      }
      for (name, count) in zip(names, counts) where count > 0 {
        let summary = count == 1 ? "a text in column \(name) is" : "\(count) texts in column \(name) are"
        problems.append(IntegrityProblem(.invalidText, table: table, "\(summary) not valid UTF-8"))
      }
    }
    return problems
  }
}
