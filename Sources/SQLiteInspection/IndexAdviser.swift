import Query
import Repository
import SQL
import SQLStore
import SQLiteStore

/// Indexes that would make a request cheaper, and the plan that SQLite makes with them.
package struct IndexAdvice: Hashable, Sendable {
  /// The indexes; several where they help only together.
  package let indexes: [HypotheticalIndex]
  /// The plan with them, which uses all of them.
  package let plan: QueryPlan
}

/// Finds the indexes that would help with a statement, by having SQLite plan with them.
///
/// It does so in a copy of the database without rows, so that nothing is written to the file. An index helps only if the
/// plan uses it and is a better one.
struct IndexAdviser {
  /// The number of searches for the best set beside those found, each of which plans with each of them.
  private static let mostSteps = 8

  private let copy: Connection
  private let statement: CompiledStatement

  /// Creates an adviser.
  ///
  /// - Parameters:
  ///   - copy: the copy, see ``PlanSource/copyForPlanning()``.
  ///   - statement: the statement to make cheaper.
  init(_ copy: Connection, _ statement: CompiledStatement) {
    self.copy = copy
    self.statement = statement
  }

  /// The best of some sets of indexes, and what helps beside it, as at another level of related rows; `nil` where none helps.
  func best(of candidates: IndexCandidates) throws(RepositoryError) -> IndexAdvice? {
    guard var advice = try best(ofSets: candidates) else { return nil }
    let taken = try takenNames()
    for _ in 0..<Self.mostSteps {
      guard let more = try extended(advice, by: candidates.sets, taken: taken) else { break }
      advice = more
    }
    return advice
  }

  /// Returns the same advice with the set that makes the plan cheapest beside it; `nil` where none helps.
  private func extended(
    _ advice: IndexAdvice, by sets: [[HypotheticalIndex]], taken: Set<[UInt8]>
  ) throws(RepositoryError) -> IndexAdvice? {
    var best: (advice: IndexAdvice, cost: PlanCost)?
    for set in sets {
      let indexes = Self.renamed([advice.indexes + set], taken: taken)[0]
      guard let plan = try plan(with: indexes), isUsed(indexes, in: plan) else { continue }
      let cost = PlanCost(of: plan)
      if cost < best?.cost ?? PlanCost(of: advice.plan) { best = (IndexAdvice(indexes: indexes, plan: plan), cost) }
    }
    return best?.advice
  }

  private func best(ofSets candidates: IndexCandidates) throws(RepositoryError) -> IndexAdvice? {
    let present = PlanCost(of: try PlanSource(connection: copy).plan(of: statement))
    var helpful: [(advice: IndexAdvice, cost: PlanCost)] = []
    let taken = try takenNames()
    for set in Self.renamed(candidates.sets, taken: taken) {
      guard let plan = try plan(with: set) else { continue }
      let cost = PlanCost(of: plan)
      if cost < present, isUsed(set, in: plan) { helpful.append((IndexAdvice(indexes: set, plan: plan), cost)) }
    }
    // Given all of them, SQLite uses the one that costs least by its own estimate.
    if helpful.count > 1, let plan = try plan(with: helpful.flatMap(\.advice.indexes)),
      let chosen = helpful.first(where: { isUsed($0.advice.indexes, in: plan) })
    {
      return try named(narrowest(asGoodAs: chosen, among: helpful).advice, taken: taken)
    }
    guard let cheapest = helpful.min(by: { $0.cost < $1.cost }) else { return nil }
    return try named(narrowest(asGoodAs: cheapest, among: helpful).advice, taken: taken)
  }

  /// Returns the same advice under names that only indexes of the database would take, without other candidates.
  private func named(_ advice: IndexAdvice, taken: Set<[UInt8]>) throws(RepositoryError) -> IndexAdvice? {
    let indexes = Self.renamed([advice.indexes], taken: taken)[0]
    return try plan(with: indexes).map { IndexAdvice(indexes: indexes, plan: $0) }
  }

  /// Returns the same index without its last columns, where they make no difference.
  private func narrowest(
    asGoodAs chosen: (advice: IndexAdvice, cost: PlanCost), among helpful: [(advice: IndexAdvice, cost: PlanCost)]
  ) -> (advice: IndexAdvice, cost: PlanCost) {
    guard let index = chosen.advice.indexes.first, chosen.advice.indexes.count == 1 else { return chosen }
    let narrower = helpful.filter { other in
      other.cost == chosen.cost && other.advice.indexes.count == 1
        && other.advice.indexes[0].table == index.table && index.columns.starts(with: other.advice.indexes[0].columns)
    }
    return narrower.min { $0.advice.indexes[0].columns.count < $1.advice.indexes[0].columns.count } ?? chosen
  }

  /// The folded names of all that the database defines.
  private func takenNames() throws(RepositoryError) -> Set<[UInt8]> {
    var names: Set<[UInt8]> = []
    try SQLiteCatalog(copy).query("SELECT name FROM sqlite_schema") { row in
      names.insert(Name(row.text(0)).folded)
    }
    return names
  }

  /// Returns the same indexes under free names, and one name for one index.
  private static func renamed(_ sets: [[HypotheticalIndex]], taken: Set<[UInt8]>) -> [[HypotheticalIndex]] {
    var taken = taken
    var names: [HypotheticalIndex: String] = [:]
    return sets.map { set in
      set.map { index in
        let unnamed = index.called("")
        if let name = names[unnamed] { return index.called(name) }
        var name = index.usualName
        var number = 1
        while !taken.insert(Name(name).folded).inserted {
          number += 1
          name = "\(index.usualName).\(number)"
        }
        names[unnamed] = name
        return index.called(name)
      }
    }
  }

  /// Returns the plan with some additional indexes; `nil` where they can't be created, as those of a view.
  private func plan(with indexes: [HypotheticalIndex]) throws(RepositoryError) -> QueryPlan? {
    try copy.begin(.trial)
    defer { copy.rollBack(to: .trial) }
    var made: Set<Name> = []
    do throws(RepositoryError) {
      for index in indexes where made.insert(Name(index.name)).inserted { try copy.execute(index.sql) }
    } catch {
      return nil
    }
    return try PlanSource(connection: copy).plan(of: statement)
  }

  private func isUsed(_ indexes: [HypotheticalIndex], in plan: QueryPlan) -> Bool {
    let used = Set(plan.indexes.map(Name.init))
    return indexes.allSatisfy { used.contains(Name($0.name)) }
  }
}

/// Asks SQLite for its plans.
struct PlanSource {
  let connection: Connection

  private var catalog: SQLiteCatalog { SQLiteCatalog(connection) }

  /// Returns SQLite's plan for a statement, which is not run.
  func plan(of statement: CompiledStatement) throws(RepositoryError) -> QueryPlan {
    var rows: [(id: Int64, parent: Int64, detail: String)] = []
    try catalog.query("EXPLAIN QUERY PLAN \(statement.sql)", statement.bindings) { row in
      rows.append((row.integer(0), row.integer(1), row.text(3)))
    }
    var (tables, indexes): ([String], [String]) = ([], [])
    try catalog.query("SELECT name, type FROM sqlite_schema") { row in
      switch row.text(1) {
      case "table", "view": tables.append(row.text(0))
      case "index": indexes.append(row.text(0))
      default: break
      }
    }
    return PlanReader(tables: tables, indexes: indexes, aliases: statement.tableAliases).plan(rows)
  }

  /// An empty copy of the database in memory, in which SQLite plans as it does here: with the same definitions, and what
  /// `ANALYZE` knows of the tables.
  func copyForPlanning() throws(RepositoryError) -> Connection {
    let copy = try connection.sqlite.copySchema(of: connection)
    var statistics: [[Value]] = []
    let isAnalyzed = try catalog.integer(
      "SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_stat1'")
    if isAnalyzed == 0 { return copy }
    try catalog.query("SELECT tbl, idx, stat FROM sqlite_stat1") { row in
      statistics.append((0..<3).map { (try? row.value(at: $0)) ?? .null })
    }
    // It makes the table of statistics, and the second time reads it anew: https://www.sqlite.org/lang_analyze.html
    try copy.execute("ANALYZE sqlite_schema")
    for row in statistics { try copy.execute("INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)", row) }
    try copy.execute("ANALYZE sqlite_schema")
    return copy
  }
}
