import Query
import Repository
import SQLiteStore
import TestSupport
import Testing

/// Tries each law with random rows, queries and sorts. `REPOKIT_SEED=n make test ONLY=LawTests` replays a run.
@Suite("Laws hold in memory and in SQLite", .tags(.slow))
struct LawTests {
  private static let seed = Environment.number("REPOKIT_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))

  @Test("in tables of every sort and in random ones", arguments: Law.all)
  func hold(law: Law) throws {
    var run = LawRun(seed: Self.seed)
    var tables = Effort.sample(TableDefinition.fixed)
    for _ in 0..<Effort.rounds(10) { tables.append(.random(using: &run.random)) }
    for table in tables {
      for (_, report) in try run.breaches(of: law, in: table) { Issue.record(Comment(rawValue: report)) }
    }
  }

  @Test("A store that makes a mistake is found out by a law", arguments: Effort.sample(LawFlaw.all))
  func broken(flaw: LawFlaw) throws {
    let seed = Environment.number("REPOKIT_SEED") ?? 2026
    let law = try #require(Law.all.first { $0.description == flaw.law })
    var run = LawRun(seed: seed)
    var found: [LawSubject.Store: String] = [:]
    // For as long as the store is not found out that has the flaw, up to an end.
    for _ in 0..<20 where !flaw.stores.isSubset(of: found.keys) {
      for table in TableDefinition.fixed {
        found.merge(try run.breaches(of: law, in: table, flaw.engines)) { first, _ in first }
      }
    }
    #expect(Set(found.keys) == flaw.stores, "seed \(seed)")
    for (store, report) in found {
      #expect(report.hasPrefix("seed \(seed)\nlaw: \(law)\nstore: \(store.rawValue)\n"), "\(report)")
      #expect(report.contains("\nquery: "), "\(report)")
    }
  }

  @Test("Every law is broken by some store")
  func everyLaw() {
    for law in Law.all { #expect(LawFlaw.all.contains { $0.law == law.description }, "\(law)") }
  }
}

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
    writer.jsonRate = 0.3
    let rows = (0..<40).map { _ in writer.row() }
    random = writer.random
    let arena = try Arena(definition, rows: rows)
    if law.needsKey && arena.table.primaryKey.isEmpty { return [:] }
    // Rows that a unique column refused would be others in another order.
    let kept = try arena.store.blocking.repository(Schema(try arena.store.schema(ofTable: definition.base)))
      .findAll(FetchRequest()).map(\.values)
    let shuffled = try (0..<2).map { _ in
      try Arena(definition, rows: kept.shuffled(using: &random), order: { $0.shuffled(using: &random) })
    }
    var draw = RandomRequests(random: random, table: arena.table)
    draw.expressionRate = 0.2
    draw.jsonRate = 0.3
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

/// One of an arena's two stores, as a law asks it.
struct LawSubject: Sendable {
  enum Store: String, CaseIterable {
    case memory
    case sqlite = "SQLite"
  }

  let arena: Arena
  /// The same rows, saved in other orders.
  let shuffled: [Arena]
  let store: Store
  let engines: Engines

  var table: TableSchema { arena.table }

  func find(_ request: FetchRequest) throws(RepositoryError) -> [[Value]] {
    try find(request, in: arena)
  }

  func find(_ request: FetchRequest, in arena: Arena) throws(RepositoryError) -> [[Value]] {
    switch store {
    case .memory: try engines.memory(arena, request)
    case .sqlite: try engines.sqlite(arena, request)
    }
  }

  func count(_ query: AnyQuery) throws(RepositoryError) -> Int {
    switch store {
    case .memory: try engines.memoryCount(arena, query)
    case .sqlite: try engines.sqliteCount(arena, query)
    }
  }

  func cursor(at row: [Value], sortedBy sort: AnySort) throws(RepositoryError) -> Cursor {
    do throws(QueryError) {
      return try Cursor(at: row, in: table, sortedBy: sort)
    } catch {
      throw RepositoryError(error)
    }
  }
}
