import Query
import SQL

@testable import Repository
@testable import SQLiteStore

/// Tables with rules, and what is written to them: in memory and in SQLite.
struct WriteScenario: Sendable {
  var tables: [TableSchema]
  var steps: [WriteStep]

  /// What a step has come to in both.
  struct Disagreement {
    let step: Int
    let memory: String
    let sqlite: String
  }

  /// Writes to both, until they differ in what a step comes to or in the rows after it.
  ///
  /// - Returns: where they differ, if they do, and how many steps have been done rather than refused.
  func run(_ mutation: WriteMutation? = nil) async throws -> (disagreement: Disagreement?, done: Int) {
    let (memory, sqlite) = (MemoryStore(), try SQLiteStore.inMemory())
    let mutated = mutation.map { mutation in tables.map(mutation.table) } ?? tables
    // At once, for they may refer to each other.
    try memory.writeBlocking(in: nil) { tables throws(RepositoryError) in try tables.open(mutated) }
    _ = try sqlite.runBlocking(.write) { [tables] connection throws(RepositoryError) in
      try connection.create(tables: tables)
    }
    var (inMemory, inSQLite): ([AnyRepository<Record>], [AnyRepository<Record>]) = ([], [])
    for (table, mutated) in zip(tables, mutated) {
      inMemory.append(try memory.repository(Schema(mutated)))
      inSQLite.append(try sqlite.repository(Schema(table)))
    }
    var done = 0
    for (number, step) in steps.enumerated() {
      let found = await (mutation?.step(step) ?? step).run(tables, inMemory)
      let expected = await step.run(tables, inSQLite)
      if found != expected {
        return (Disagreement(step: number, memory: "\(found)", sqlite: "\(expected)"), done)
      }
      if case .error = expected {} else { done += 1 }
      for (index, table) in tables.enumerated() {
        let (rows, kept) = (
          try await inMemory[index].findAll().map(\.values), try await inSQLite[index].findAll().map(\.values)
        )
        if rows != kept {
          return (Disagreement(step: number, memory: "\(table.name) \(rows)", sqlite: "\(table.name) \(kept)"), done)
        }
      }
    }
    return (nil, done)
  }

  /// Makes a scenario smaller as long as both differ.
  func shrunk(_ mutation: WriteMutation? = nil) async throws -> WriteScenario {
    var small = self
    if let step = try await run(mutation).disagreement?.step { small.steps = Array(steps.prefix(step + 1)) }
    var hasShrunk = true
    while hasShrunk {
      hasShrunk = false
      for candidate in small.smaller {
        // A candidate may be no scenario at all, such as one whose checks name no column.
        if (try? await candidate.run(mutation).disagreement) == nil { continue }
        small = candidate
        hasShrunk = true
        break
      }
    }
    return small
  }

  private var smaller: [WriteScenario] {
    var candidates: [WriteScenario] = []
    for index in steps.indices {
      var candidate = self
      candidate.steps.remove(at: index)
      candidates.append(candidate)
    }
    for index in steps.indices {
      for step in steps[index].smaller {
        var candidate = self
        candidate.steps[index] = step
        candidates.append(candidate)
      }
    }
    for index in tables.indices {
      for table in tables[index].withFewerRules {
        var candidate = self
        candidate.tables[index] = table
        candidates.append(candidate)
      }
    }
    return candidates
  }

  /// The scenario as somebody needs it who looks for the mistake.
  func report(seed: UInt64, _ found: Disagreement?) -> String {
    let lines =
      ["seed \(seed)"] + tables.flatMap { Compiler(for: SQLiteDialect()).create($0) } + steps.map(\.description)
      + ["in memory: \(found?.memory ?? "alike")", "in SQLite: \(found?.sqlite ?? "alike")"]
    // A NUL would end the report.
    return lines.joined(separator: "\n").split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "␀")
  }
}

extension TableSchema {
  /// The same table with other rules.
  func with(
    unique: [[String]]? = nil, checks: [CheckRule]? = nil, references: [ReferenceRule]? = nil,
    columns: [ColumnSchema]? = nil
  ) -> TableSchema {
    let own = uniqueSets.map { set in set.map { self.columns[$0].name } }
    let changed = try? TableSchema(
      name, columns: columns ?? self.columns, primaryKey: primaryKeyColumns.map(\.name), unique: unique ?? own,
      checks: checks ?? self.checks, references: references ?? self.references)
    return changed ?? self
  }

  fileprivate var withFewerRules: [TableSchema] {
    let own = uniqueSets.map { set in set.map { self.columns[$0].name } }
    return own.indices.map { index in with(unique: own.enumerated().filter { $0.offset != index }.map(\.element)) }
      + checks.map { check in with(checks: checks.filter { $0 != check }) }
      + references.map { reference in with(references: references.filter { $0 != reference }) }
  }
}
