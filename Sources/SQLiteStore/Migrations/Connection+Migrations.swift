import Query
import Repository
import SQL

extension Connection {
  /// Does a step of a migration that is no code.
  ///
  /// - Parameter note: is told each statement that was run.
  func perform(_ work: MigrationStep.Work, note: (SQLStatement) -> Void = { _ in }) throws(RepositoryError) {
    switch work {
    case .statements(let statements):
      for statement in statements {
        try changeSchema(statement)
        note(statement)
      }
    case .drop(let table):
      try drop(table: table)
      note(SQLStatement(verbatim: SQLiteStore.compiler.drop(table: table)))
    case .rebuild(let rebuild):
      try self.rebuild(rebuild, note: note)
    case .code(let description, _):
      note(.comment("code: \(description)"))
    }
  }

  /// Runs a statement, which may change a table that another program made.
  func changeSchema(_ statement: SQLStatement) throws(RepositoryError) {
    guard FirstWord(of: statement.sql).text == "ALTER" else {
      _ = try change(statement)
      return
    }
    // SQLite looks through all definitions then, in which others may have written texts in double quotes.
    try allowingDoubleQuotedTexts { () throws(RepositoryError) in _ = try change(statement) }
  }

  /// Drops a table.
  ///
  /// - Throws: ``RepositoryError`` for a view, and for a table to which others refer: SQLite would delete its rows first,
  ///   and theirs with them where the foreign key cascades (https://www.sqlite.org/foreignkeys.html#fk_schemacommands).
  func drop(table: String) throws(RepositoryError) {
    if try isView(table) {
      throw RepositoryError(
        .unsupported, "\(table) is a view, not a table", reason: "its rows belong to the tables it reads from")
    }
    let referring = try tables(referringTo: table)
    if !referring.isEmpty {
      throw RepositoryError(
        .constraint, "other tables refer to \(table)",
        reason: "rows of \(referring.joined(separator: ", ")) could be deleted with it")
    }
    try execute(SQLiteStore.compiler.drop(table: table))
  }

  /// How many rows refer to rows that are not there, by the names of both tables.
  func brokenReferenceCounts() throws(RepositoryError) -> [[Value]: Int] {
    var counts: [[Value]: Int] = [:]
    try query(
      CompiledStatement(
        sql: """
          SELECT "table", parent, count(*) FROM pragma_foreign_key_check GROUP BY "table", parent ORDER BY "table", parent
          """,
        bindings: [])
    ) { row in
      counts[[.text(row.text(0)), .text(row.text(1))]] = Int(row.integer(2))
    }
    return counts
  }

  /// Checks that no more rows refer to rows that are not there than did before.
  func checkReferences(since before: [[Value]: Int]) throws(RepositoryError) {
    let broken = try brokenReferenceCounts().filter { $0.value > before[$0.key] ?? 0 }
    guard let (key, count) = broken.min(by: { "\($0.key)" < "\($1.key)" }), case .text(let table) = key[0],
      case .text(let parent) = key[1]
    else { return }
    throw RepositoryError(
      .constraint,
      "\(count == 1 ? "a row" : "\(count) rows") of \(table) would refer to rows of \(parent) that are not there",
      reason: "foreign keys are checked at the end of a migration that replaces a table")
  }
}
