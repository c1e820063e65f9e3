import PostgresStore
import Query
@testable import Repository
import SQL
import SQLStore
import SQLiteStore
import TestSupport
import Testing

/// Writes the same at random to memory, SQLite and PostgreSQL. `REPOKIT_SEED=n make test-postgres ONLY=WriteDifferential` replays
/// a run.
@Suite(
  "Random writes do the same in memory, in SQLite and in PostgreSQL, or are refused alike", .tags(.slow),
  .requiresServer)
struct WriteDifferentialTests {
  private static let seed = Environment.number("REPOKIT_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))

  @Test("to tables with rules of all sorts")
  func alike() async throws {
    var writes = RandomWrites(
      random: SplitMix64(seed: Self.seed), storesNUL: false, hasAny: false, generatesKeys: false,
      restrictsFirst: false)
    var (asked, done) = (0, 0)
    for _ in 0..<Effort.rounds(200, oneIn: 20) {
      let (tables, steps) = writes.draw()
      let comparison = WriteComparison(tables: tables, steps: steps)
      let result = try await comparison.run()
      asked += steps.count
      done += result.done
      if result.disagreement != nil {
        let small = try await comparison.shrunk()
        Issue.record(Comment(rawValue: small.report(seed: Self.seed, try await small.run().disagreement)))
        return
      }
    }
    // Few or many errors would leave little to compare.
    #expect(done > asked / (Effort.isFull ? 4 : 8) && done < asked * 9 / 10, "\(done) of \(asked), seed \(Self.seed)")
  }
}

/// Tables with rules, and what is written to them in three stores.
struct WriteComparison: Shrinkable {
  var tables: [TableSchema]
  var steps: [WriteStep]

  struct Disagreement: Sendable {
    let step: Int
    /// What each store has come to.
    let results: [String]
  }

  /// Writes to all, until they differ in what a step comes to or in the rows after it.
  ///
  /// - Returns: where they differ, if they do, and how many steps have been done rather than refused.
  func run() async throws -> (disagreement: Disagreement?, done: Int) {
    try await TestServer.withStore { postgres in
      let (memory, sqlite) = (MemoryStore(), try SQLiteStore.inMemory(timeout: TestServer.timeout))
      // At once, for they may refer to each other.
      try memory.writeBlocking(in: nil) { [tables] state throws(RepositoryError) in try state.open(tables) }
      for database in [sqlite as SQLDatabase, postgres] {
        try database.runBlocking(.write) { [tables] connection throws(RepositoryError) in
          try StoredSchema.create(tables, on: connection)
        }
      }
      let opened: [(String, any Store)] = [("memory", memory), ("SQLite", sqlite), ("PostgreSQL", postgres)]
      var stores: [(name: String, repositories: [AnyRepository<Record>])] = []
      for (name, store) in opened {
        var repositories: [AnyRepository<Record>] = []
        for table in tables { repositories.append(try store.repository(Schema(table))) }
        stores.append((name, repositories))
      }
      var done = 0
      for (number, step) in steps.enumerated() {
        var answers: [Answer] = []
        for (_, repositories) in stores { answers.append(await step.run(tables, repositories)) }
        if !answers.areAlike { return (Disagreement(number, stores.map { $0.name }, answers), done) }
        if case .rows = answers[0] { done += 1 }
        for index in tables.indices {
          var kept: [Answer] = []
          for (_, repositories) in stores {
            kept.append(.rows(try await repositories[index].findAll(FetchRequest()).map(\.values)))
          }
          if !kept.areAlike {
            return (Disagreement(number, stores.map { "\(tables[index].name) in \($0.name)" }, kept), done)
          }
        }
      }
      return (nil, done)
    }
  }

  /// Leaves steps out, and parts of them, as long as the stores differ.
  func shrunk() async throws -> WriteComparison {
    var small = self
    if let step = try await run().disagreement?.step { small.steps = Array(steps.prefix(step + 1)) }
    return await small.shrunk { try await $0.run().disagreement != nil }
  }

  var smaller: [WriteComparison] { steps.smaller.map { WriteComparison(tables: tables, steps: $0) } }

  /// The tables, the steps and where the stores differ: what is needed to find the mistake.
  func report(seed: UInt64, _ found: Disagreement?) -> String {
    let lines =
      ["seed \(seed)"] + Compiler(for: PostgresDialect()).create(tables) + steps.map(\.description)
      + (found?.results ?? ["all alike"])
    // A NUL would end the report.
    return lines.joined(separator: "\n").split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "␀")
  }
}

extension WriteComparison.Disagreement {
  fileprivate init(_ step: Int, _ names: [String], _ answers: [Answer]) {
    self.step = step
    results = zip(names, answers).map { "\($0): \($1)" }
  }
}

extension WriteStep {
  /// Carries the step out.
  fileprivate func run(_ tables: [TableSchema], _ repositories: [AnyRepository<Record>]) async -> Answer {
    func records(_ rows: [[Value]], _ table: Int) -> [Record] { rows.map { Record(values: $0, in: tables[table]) } }
    func count(_ count: Int) -> Answer { .rows([[.integer(Int64(count))]]) }
    do throws(RepositoryError) {
      switch self {
      case .insert(let table, let rows):
        return .rows(try await repositories[table].insert(records(rows, table)).map(\.values))
      case .save(let table, let rows):
        try await repositories[table].save(records(rows, table))
        return count(rows.count)
      case .update(let table, let query, let assignments):
        return count(try await repositories[table].update(where: query, set: assignments))
      case .delete(let table, let keys):
        return count(try await repositories[table].delete(keys.map { RecordKey(values: $0) }))
      case .insertOnConflict(let table, let rows, let rule):
        return .rows(try await repositories[table].insert(records(rows, table), onConflict: rule).map(\.values))
      case .updateReturning(let table, let query, let assignments):
        return .rows(try await repositories[table].updateReturning(where: query, set: assignments).map(\.values))
      case .deleteReturning(let table, let query):
        return .rows(try await repositories[table].deleteReturning(where: query).map(\.values))
      case .deleteWhere(let table, let query): return count(try await repositories[table].delete(where: query))
      }
    } catch {
      return .error(error)
    }
  }
}
