import Query
import Repository
import SQL
import SQLStore

// Definitions that name what is not there.
extension SQLiteCatalog {
  /// The views and triggers that can't be used, because a table or a column is gone.
  func brokenDefinitionProblems() throws(RepositoryError) -> [IntegrityProblem] {
    var problems: [IntegrityProblem] = []
    for (definition, error) in try brokenDefinitions().sorted(by: { $0.key.text < $1.key.text }) {
      guard let result = error.underlying as? ResultCode, try isMissing(result.message) else { continue }
      problems.append(IntegrityProblem(.brokenDefinition, "the \(definition.text) can't be used: \(result.message)"))
    }
    return problems
  }

  /// Whether something is gone that a database keeps. Functions, collations and modules are the program's that made it.
  private func isMissing(_ message: String) throws(RepositoryError) -> Bool {
    if message.hasPrefix("no such table: ") { return true }
    guard message.hasPrefix("no such column: ") else { return false }
    // Other programs may take "text" in double quotes for a text where there is no such column.
    // https://www.sqlite.org/quirks.html#dblquote
    let name = message.dropFirst("no such column: ".count).prefix { $0 != " " }.filter { $0 != "\"" }
    return try integer(
      "SELECT count(*) FROM sqlite_schema WHERE instr(sql, ?) > 0", [.text("\"\(name)\"")]) == 0
  }
}

extension SQLiteCatalog {
  /// The views and triggers that SQLite can't make sense of, and why.
  func brokenDefinitions() throws(RepositoryError) -> [Name: RepositoryError] {
    var views: [String] = []
    var tables: Set<Name> = []
    try query(
      "SELECT type, CASE type WHEN 'view' THEN name ELSE tbl_name END FROM sqlite_schema "
        + "WHERE type IN ('view', 'trigger') ORDER BY rowid"
    ) { row in
      if row.text(0) == "view" { views.append(row.text(1)) } else { tables.insert(Name(row.text(1))) }
    }
    var broken: [Name: RepositoryError] = [:]
    func check(_ definition: String, _ sql: SQLStatement) {
      do throws(RepositoryError) {
        try connection.check(sql.sql)
      } catch {
        broken[Name(definition)] = broken[Name(definition)] ?? error
      }
    }
    for view in views { check("view \(view)", "SELECT * FROM \(identifier: view)") }
    for table in tables.map(\.text) {
      // A trigger is compiled with the statements that fire it.
      let columns = (try? schema(ofTable: table))??.columns ?? []
      check("trigger on insert of \(table)", "INSERT INTO \(identifier: table) DEFAULT VALUES")
      check("trigger on delete of \(table)", "DELETE FROM \(identifier: table)")
      for column in columns {
        check(
          "trigger on update of \(table), column \(column.name)",
          "UPDATE \(identifier: table) SET \(identifier: column.name) = \(identifier: column.name)")
      }
    }
    return broken
  }
}

extension Connection {
  /// Checks whether a statement makes sense, as the database is now; it is not run.
  fileprivate func check(_ sql: String) throws(RepositoryError) {
    do throws(ResultCode) {
      _ = try database.prepare(sql)
    } catch {
      throw RepositoryError(error)
    }
  }
}
