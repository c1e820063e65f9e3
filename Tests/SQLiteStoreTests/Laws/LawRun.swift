import Query
import Repository
import SQLiteStore
import TestSupport

/// Tries laws in one table after another, with what a seed makes.
struct LawRun {
  let seed: UInt64
  var random: SplitMix64

  init(seed: UInt64) {
    self.seed = seed
    random = SplitMix64(seed: seed)
  }

  /// Tries a law in both stores, which are asked the same.
  ///
  /// - Returns: for each store that breaks the law, a report of the first time.
  mutating func breaches(
    of law: Law, in definition: TableDefinition, _ engines: Engines = Engines()
  ) throws -> [LawSubject.Store: String] {
    let empty = try Arena(definition, rows: [])
    var writer = RandomRequests(random: random, table: try empty.store.schema(ofTable: definition.base))
    let rows = (0..<40).map { _ in writer.row() }
    random = writer.random
    let arena = try Arena(definition, rows: rows)
    if law.needsKey && arena.table.primaryKey.isEmpty { return [:] }
    // Rows that a unique column refused would be others in another order.
    let kept = try arena.store.repository(for: Schema(try arena.store.schema(ofTable: definition.base)))
      .findAll(FetchRequest()).map(\.values)
    let shuffled = try (0..<2).map { _ in
      try Arena(definition, rows: kept.shuffled(using: &random), order: { $0.shuffled(using: &random) })
    }
    let draw = RandomRequests(random: random, table: arena.table)
    _ = random.next()
    var breaches: [LawSubject.Store: String] = [:]
    for store in LawSubject.Store.allCases {
      let subject = LawSubject(arena: arena, shuffled: shuffled, store: store, engines: engines)
      var draw = draw
      for _ in 0..<law.trials where breaches[store] == nil {
        breaches[store] = report(law, definition, store) { () throws(RepositoryError) in try law.trial(&draw, subject) }
      }
    }
    return breaches
  }

  private func report(
    _ law: Law, _ definition: TableDefinition, _ store: LawSubject.Store,
    _ trial: () throws(RepositoryError) -> Law.Breach?
  ) -> String? {
    let breach: Law.Breach
    do throws(RepositoryError) {
      guard let found = try trial() else { return nil }
      breach = found
    } catch {
      // What is drawn is answerable.
      breach = Law.Breach(asked: error.sql ?? "a query", answers: "\(error)")
    }
    let report = """
      seed \(seed)
      law: \(law)
      store: \(store.rawValue)
      \(definition.sql.joined(separator: ";\n"));
      query: \(breach.asked)
      found: \(breach.answers)
      """
    // A NUL would end the report.
    return report.split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "␀")
  }
}
