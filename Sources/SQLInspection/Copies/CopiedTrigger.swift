import Query
import SQL

/// A trigger of a table of SQLite that is copied, with what it needs besides.
struct CopiedTrigger {
  let name: String
  let statement: String
  /// The tables and views that it reads or writes, and that are not copied.
  let needed: [String]

  /// The triggers of a table, whose statements are the last ones of its definition.
  ///
  /// - Parameter others: the tables and views that are not copied.
  static func all(of definition: TableDefinition, others: [String]) -> [CopiedTrigger] {
    let count = definition.triggers.count
    guard definition.statements.count >= count else { return [] }
    return zip(definition.triggers, definition.statements.suffix(count)).map { name, statement in
      let named = tables(in: SQLToken.tokens(of: statement).filter { $0.kind != .comment })
      return CopiedTrigger(name: name, statement: statement, needed: others.filter { named.contains(Name($0).folded) })
    }
  }

  /// The keywords after which a comma is not followed by a table.
  private static let clauses: Set<String> = [
    "BEGIN", "EXCEPT", "GROUP", "HAVING", "INTERSECT", "LIMIT", "ORDER", "RETURNING", "SELECT", "SET", "UNION",
    "VALUES",
    "WHEN", "WHERE", "WINDOW",
  ]

  /// The keywords between `UPDATE` and its table, as in `UPDATE OR IGNORE`. https://www.sqlite.org/lang_update.html
  private static let resolutions: Set<String> = ["OR", "ABORT", "FAIL", "IGNORE", "REPLACE", "ROLLBACK"]

  /// The folded names of the tables and views that a trigger reads or writes.
  ///
  /// The name of a column may be that of a table, so only names in the places of tables count.
  /// https://www.sqlite.org/syntax/table-or-subquery.html
  private static func tables(in tokens: [SQLToken]) -> Set<[UInt8]> {
    var names: Set<[UInt8]> = []
    // Whether commas separate tables, for each pair of parentheses around a token.
    var isList = [false]
    var isTableNext = false
    for (position, token) in tokens.enumerated() {
      let isTable = isTableNext
      isTableNext = false
      let previous = position > 0 ? tokens[position - 1] : nil
      let depth = isList.count - 1
      let keyword = token.kind == .word ? token.text.uppercased() : ""
      if keyword == "FROM" || keyword == "JOIN" {
        // `IS DISTINCT FROM` compares.
        isTableNext = previous?.isKeyword("DISTINCT") != true
        isList[depth] = isList[depth] || isTableNext
      } else if keyword == "INTO" || keyword == "UPDATE" || keyword == "IN" {
        isTableNext = true
      } else if clauses.contains(keyword) {
        isList[depth] = false
      } else if resolutions.contains(keyword) {
        isTableNext = isTable
      } else if token.isSymbol("(") {
        isTableNext = isTable && previous?.isKeyword("IN") != true
        isList.append(isTableNext)
      } else if token.isSymbol(")") {
        if depth > 0 { isList.removeLast() }
      } else if token.isSymbol(",") {
        isTableNext = isList[depth]
      } else if token.isSymbol(";") {
        isList = [false]
      } else if isTable {
        // The table may follow its schema, as in `main.log`.
        let hasPart = position + 1 < tokens.count && tokens[position + 1].isSymbol(".")
        isTableNext = hasPart || token.isSymbol(".")
        if !isTableNext { names.insert(Name(token.name).folded) }
      }
    }
    return names
  }
}
