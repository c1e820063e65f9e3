import Query
import Repository
import SQL

extension Connection {
  /// Looks for what is wrong with the database.
  func integrityProblems() throws(RepositoryError) -> [IntegrityProblem] {
    let damages = try damages()
    if !damages.isEmpty { return damages }
    do throws(RepositoryError) {
      return try brokenReferences() + invalidTexts() + brokenDefinitionProblems()
    } catch {
      return [try IntegrityProblem(damage: error)]
    }
  }

  /// Looks for damaged pages and indexes, and for rows that break rules of their table.
  ///
  /// https://www.sqlite.org/pragma.html#pragma_integrity_check
  func damages() throws(RepositoryError) -> [IntegrityProblem] {
    var problems: [IntegrityProblem] = []
    do throws(RepositoryError) {
      try query(CompiledStatement(sql: "PRAGMA integrity_check", bindings: [])) { row in
        let text = row.text(0)
        if text != "ok" { problems.append(IntegrityProblem(.damage, text)) }
      }
    } catch {
      problems.append(try IntegrityProblem(damage: error))
    }
    return problems
  }

  /// Looks at one table after the other, since a foreign key that can't be kept at all ends a look at it.
  private func brokenReferences() throws(RepositoryError) -> [IntegrityProblem] {
    var problems: [IntegrityProblem] = []
    for table in try referringTables() {
      do throws(RepositoryError) {
        try query(
          CompiledStatement(
            sql: "SELECT parent, count(*) FROM pragma_foreign_key_check(?) GROUP BY parent, fkid ORDER BY parent, fkid",
            bindings: [.text(table)])
        ) { row in
          let (parent, count) = (row.text(0), row.integer(1))
          let summary = count == 1 ? "a row refers" : "\(count) rows refer"
          problems.append(
            IntegrityProblem(.brokenReference, table: table, "\(summary) to rows of \(parent) that are not there"))
        }
      } catch {
        guard let result = error.underlying as? ResultCode, result.message.hasPrefix("foreign key mismatch") else {
          throw error
        }
        // https://www.sqlite.org/foreignkeys.html#fk_indexes
        problems.append(
          IntegrityProblem(
            .brokenReference, table: table, "a foreign key refers to columns that are not the key of their table"))
      }
    }
    return problems
  }

  private func referringTables() throws(RepositoryError) -> [String] {
    var tables: [String] = []
    try query(
      CompiledStatement(
        sql: """
          SELECT DISTINCT tables.name FROM sqlite_schema AS tables JOIN pragma_foreign_key_list(tables.name) \
          WHERE tables.type = 'table' ORDER BY tables.name
          """,
        bindings: [])
    ) { row in
      tables.append(row.text(0))
    }
    return tables
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

extension IntegrityProblem {
  /// What is damaged badly enough can't even be looked at.
  ///
  /// - Throws: the error, if it is of another kind.
  fileprivate init(damage error: RepositoryError) throws(RepositoryError) {
    guard error.code == .corrupt || error.code == .notADatabase else { throw error }
    self.init(.damage, error.reason ?? error.summary)
  }
}
