import Query
import Repository
import SQL

/// Finds the indexes that would help with a statement, by having SQLite plan with them.
///
/// It does so in a copy of the database without rows, so that nothing is written to the file. An index counts as help only
/// if the plan uses it, and is a better one.
struct IndexAdviser {
  private let copy: Connection
  private let statement: CompiledStatement

  /// Makes an adviser.
  ///
  /// - Parameters:
  ///   - copy: the copy, see ``Connection/copyForPlanning()``.
  ///   - statement: the statement that is to become cheaper.
  init(_ copy: Connection, _ statement: CompiledStatement) {
    self.copy = copy
    self.statement = statement
  }

  /// The best of some sets of indexes; `nil` where none helps.
  func best(of candidates: IndexCandidates) throws(RepositoryError) -> IndexAdvice? {
    let present = PlanCost(of: try copy.plan(of: statement))
    var helpful: [(advice: IndexAdvice, cost: PlanCost)] = []
    let taken = try indexNames()
    for set in Self.renamed(candidates.sets, taken: taken) {
      guard let plan = try plan(with: set) else { continue }
      let cost = PlanCost(of: plan)
      if cost < present, isUsed(set, in: plan) { helpful.append((IndexAdvice(indexes: set, plan: plan), cost)) }
    }
    // Where it has all of them, SQLite takes the one that costs least by its own reckoning.
    if helpful.count > 1, let plan = try plan(with: helpful.flatMap(\.advice.indexes)),
      let chosen = helpful.first(where: { isUsed($0.advice.indexes, in: plan) })
    {
      return try named(narrowest(asGoodAs: chosen, among: helpful).advice, taken: taken)
    }
    guard let cheapest = helpful.min(by: { $0.cost < $1.cost }) else { return nil }
    return try named(narrowest(asGoodAs: cheapest, among: helpful).advice, taken: taken)
  }

  /// The same advice with names that only indexes of the database take, and no other candidates.
  private func named(_ advice: IndexAdvice, taken: Set<Value>) throws(RepositoryError) -> IndexAdvice? {
    let indexes = Self.renamed([advice.indexes], taken: taken)[0]
    return try plan(with: indexes).map { IndexAdvice(indexes: indexes, plan: $0) }
  }

  /// The same index without its last columns, where they make no difference.
  private func narrowest(
    asGoodAs chosen: (advice: IndexAdvice, cost: PlanCost), among helpful: [(advice: IndexAdvice, cost: PlanCost)]
  ) -> (advice: IndexAdvice, cost: PlanCost) {
    guard let index = chosen.advice.indexes.first, chosen.advice.indexes.count == 1 else { return chosen }
    let narrower = helpful.filter { other in
      other.cost == chosen.cost && other.advice.indexes.count == 1
        && index.columns.starts(with: other.advice.indexes[0].columns)
    }
    return narrower.min { $0.advice.indexes[0].columns.count < $1.advice.indexes[0].columns.count } ?? chosen
  }

  private func indexNames() throws(RepositoryError) -> Set<Value> {
    var names: Set<Value> = []
    try copy.query(CompiledStatement(sql: "SELECT lower(name) FROM sqlite_schema", bindings: [])) { row in
      names.insert(.text(row.text(0)))
    }
    return names
  }

  /// The same indexes under names that are free, and one name for one index.
  private static func renamed(_ sets: [[IndexDefinition]], taken: Set<Value>) -> [[IndexDefinition]] {
    var taken = taken
    var names: [[IndexDefinition.Column]: String] = [:]
    return sets.map { set in
      set.map { index in
        if let name = names[index.columns] { return index.called(name) }
        var name = index.usualName
        var number = 1
        while !taken.insert(.text(name.lowercased())).inserted {
          number += 1
          name = "\(index.usualName).\(number)"
        }
        names[index.columns] = name
        return index.called(name)
      }
    }
  }

  /// The plan where there are some indexes more; `nil` where they can't be made, as of a view.
  private func plan(with indexes: [IndexDefinition]) throws(RepositoryError) -> QueryPlan? {
    let level = Connection.Level.savepoint(0)
    try copy.begin(level)
    defer { copy.rollBack(level) }
    var made: Set<Value> = []
    do throws(RepositoryError) {
      for index in indexes where made.insert(.text(index.name)).inserted { try copy.execute(index.sql) }
    } catch {
      return nil
    }
    return try copy.plan(of: statement)
  }

  private func isUsed(_ indexes: [IndexDefinition], in plan: QueryPlan) -> Bool {
    let used = Set(plan.indexes.map(Value.text))
    return indexes.allSatisfy { used.contains(.text($0.name)) }
  }
}
