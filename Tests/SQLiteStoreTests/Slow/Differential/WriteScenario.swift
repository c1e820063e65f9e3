import Query
@testable import Repository
import Repository
import SQL
@testable import SQLStore
@testable import SQLiteStore
import TestSupport

/// Tables with rules, and what is written to them: in memory and in SQLite.
struct WriteScenario: Shrinkable {
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
      try StoredSchema.create(tables, on: connection)
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
        // Equal numbers may be an integer and a real, which their texts tell apart.
        // SQLite keeps no sign of a zero.
        func texts(_ rows: [[Value]]) -> [[String]] {
          rows.map { $0.map { $0.description == "-0.0" ? "0.0" : $0.description } }
        }
        if texts(rows) != texts(kept) {
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
    return await small.shrunk { try await $0.run(mutation).disagreement != nil }
  }

  /// The scenario with fewer or smaller steps, then with fewer rules.
  var smaller: [WriteScenario] {
    steps.smaller.map { WriteScenario(tables: tables, steps: $0) }
      + tables.indices.flatMap { index in
        tables[index].withFewerRules.map { table in
          var candidate = self
          candidate.tables[index] = table
          return candidate
        }
      }
  }

  /// The scenario and where both differ: what is needed to find the mistake.
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

extension WriteStep {
  /// What became of a step: rows or a count, or the error's code and summary.
  enum Outcome: Equatable, CustomStringConvertible {
    case rows([[Value]])
    case count(Int)
    case error(String)

    var description: String {
      switch self {
      case .rows(let rows): WriteStep.text(rows)
      case .count(let count): "\(count)"
      case .error(let text): text
      }
    }
  }

  /// Carries the step out.
  func run(_ tables: [TableSchema], _ repositories: [AnyRepository<Record>]) async -> Outcome {
    do throws(RepositoryError) {
      switch self {
      case .insert(let table, let rows):
        return .rows(try await repositories[table].insert(Self.records(rows, tables[table])).map(\.values))
      case .save(let table, let rows):
        try await repositories[table].save(Self.records(rows, tables[table]))
        return .count(rows.count)
      case .update(let table, let query, let assignments):
        return .count(try await repositories[table].update(where: query, set: assignments))
      case .delete(let table, let keys):
        return .count(try await repositories[table].delete(keys.map { RecordKey(values: $0) }))
      case .insertOnConflict(let table, let rows, let rule):
        return .rows(
          try await repositories[table].insert(Self.records(rows, tables[table]), onConflict: rule).map(\.values))
      case .updateReturning(let table, let query, let assignments):
        return .rows(try await repositories[table].updateReturning(where: query, set: assignments).map(\.values))
      case .deleteReturning(let table, let query):
        return .rows(try await repositories[table].deleteReturning(where: query).map(\.values))
      case .deleteWhere(let table, let query): return .count(try await repositories[table].delete(where: query))
      }
    } catch {
      return .error("\(error.code.rawValue): \(error.summary)")
    }
  }

  private static func records(_ rows: [[Value]], _ table: TableSchema) -> [Record] {
    rows.map { Record(values: $0, in: table) }
  }
}

/// A mistake that a store in memory could make, which the detector has to find.
struct WriteMutation: Sendable, CustomStringConvertible {
  let description: String
  var table: @Sendable (TableSchema) -> TableSchema = { $0 }
  var step: @Sendable (WriteStep) -> WriteStep = { $0 }

  static let all: [WriteMutation] = [
    WriteMutation(description: "checks are not looked at", table: { $0.with(checks: []) }),
    WriteMutation(
      description: "checks are looked at from the last one", table: { $0.with(checks: $0.checks.reversed()) }),
    WriteMutation(description: "columns are not unique together", table: { $0.with(unique: []) }),
    WriteMutation(
      description: "sets of unique columns are looked at from the first one",
      table: { table in
        table.with(unique: table.uniqueSets.reversed().map { set in set.map { table.columns[$0].name } })
      }),
    WriteMutation(description: "references are not looked at", table: { $0.with(references: []) }),
    WriteMutation(
      description: "references are looked at from the last one",
      table: { $0.with(references: $0.references.reversed()) }
    ),
    .rule("rows that refer to a deleted one stay and refer to nothing", .cascade, .setNull),
    .rule("rows that refer to a deleted one are deleted against the rule", .restrict, .cascade),
    .rule("rows keep others from being deleted against the rule", .setNull, .restrict),
    WriteMutation(
      description: "an element that exists is replaced by an insert",
      step: { step in
        guard case .insert(let table, let rows) = step, rows.allSatisfy({ !$0.contains(.null) }) else { return step }
        return .save(table: table, rows)
      }),
    WriteMutation(
      description: "only the first key of several is deleted",
      step: { step in
        guard case .delete(let table, let keys) = step else { return step }
        return .delete(table: table, Array(keys.prefix(1)))
      }),
    WriteMutation(
      description: "an update sets all rows",
      step: { step in
        guard case .update(let table, _, let assignments) = step else { return step }
        return .update(table: table, .true, assignments)
      }),
  ]

  private static func rule(_ description: String, _ old: DeleteRule, _ new: DeleteRule) -> WriteMutation {
    WriteMutation(
      description: description,
      table: { table in
        table.with(
          references: table.references.map {
            ReferenceRule($0.columns, to: $0.table, key: $0.key, onDelete: $0.onDelete == old ? new : $0.onDelete)
          })
      })
  }
}
