import Query
import Repository
import SQL

// Definitions that name what is not there.
extension Connection {
  /// The views and triggers that can't be used, because a table or a column is gone.
  func brokenDefinitionProblems() throws(RepositoryError) -> [IntegrityProblem] {
    var problems: [IntegrityProblem] = []
    for (definition, error) in try brokenDefinitions().sorted(by: { $0.key < $1.key }) {
      guard let result = error.underlying as? ResultCode, try isMissing(result.message) else { continue }
      problems.append(IntegrityProblem(.brokenDefinition, "the \(definition) can't be used: \(result.message)"))
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
      CompiledStatement(
        sql: "SELECT count(*) FROM sqlite_schema WHERE instr(sql, ?) > 0", bindings: [.text("\"\(name)\"")])) == 0
  }
}
