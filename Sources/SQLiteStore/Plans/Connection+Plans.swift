import Query
import Repository
import SQL

extension Connection {
  /// How SQLite would go about a statement, which is not run.
  func plan(of statement: CompiledStatement) throws(RepositoryError) -> QueryPlan {
    var rows: [(id: Int64, parent: Int64, detail: String)] = []
    try query(CompiledStatement(sql: "EXPLAIN QUERY PLAN \(statement.sql)", bindings: statement.bindings)) { row in
      rows.append((row.integer(0), row.integer(1), row.text(3)))
    }
    var (tables, indexes): ([String], [String]) = ([], [])
    try query(CompiledStatement(sql: "SELECT name, type FROM sqlite_schema", bindings: [])) { row in
      switch row.text(1) {
      case "table", "view": tables.append(row.text(0))
      case "index": indexes.append(row.text(0))
      default: break
      }
    }
    return PlanReader(tables: tables, indexes: indexes).plan(rows)
  }

  /// An empty copy of the database in memory, in which SQLite plans as it does here: with the same definitions, and what
  /// `ANALYZE` knows of the tables.
  func copyForPlanning() throws(RepositoryError) -> Connection {
    let copy = try copySchemaInMemory()
    var statistics: [[Value]] = []
    let isAnalyzed = try integer(
      CompiledStatement(sql: "SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_stat1'", bindings: []))
    if isAnalyzed == 0 { return copy }
    try query(CompiledStatement(sql: "SELECT tbl, idx, stat FROM sqlite_stat1", bindings: [])) { row in
      statistics.append((0..<3).map { (try? row.value(at: $0)) ?? .null })
    }
    // It makes the table of statistics, and the second time reads it anew: https://www.sqlite.org/lang_analyze.html
    try copy.execute("ANALYZE sqlite_schema")
    for row in statistics { try copy.execute("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)", row) }
    try copy.execute("ANALYZE sqlite_schema")
    return copy
  }
}
