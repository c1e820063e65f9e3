import Foundation
import Query
import Repository
import RowImport
import SQLStore
import SQLiteStore

/// What takes several steps, each of which is done as a whole or not at all, and can be done again.
enum WorkInSteps: String, CaseIterable {
  case migrations, upgrade, set, imports, backup

  static let rowCount = 120

  /// Makes the database that the work begins with.
  static func prepare(_ path: String) throws {
    let store = try SQLiteStore(path: path)
    let entries = try store.sqlRepository(of: Entry.self)
    for batch in 0..<rowCount / 3 {
      try entries.blocking.save(Entry.batch(batch, note: String(repeating: "x", count: 200)))
    }
    _ = try store.sqlRepository(of: Bystander.self)
  }

  /// The steps, of which each is done as far as it is not done yet.
  var steps: [@Sendable (SQLiteStore) async throws -> Void] {
    switch self {
    case .migrations:
      return Migration.ofEntries.indices.map { last in { try await $0.migrate(Array(Migration.ofEntries[...last])) } }
    case .upgrade:
      return [
        { _ = try $0.repository(of: NextEntry.self, adding: .all) },
        { try await $0.repository(of: NextEntry.self).save(NextEntry(id: 1, batch: 0, note: "", mark: "x", rank: 1)) },
      ]
    case .set:
      return [
        { store in
          let entries = try store.sqlRepository(of: Entry.self)
          try await entries.filter { $0.note != "done" }.update { $0.note = "done" }
        },
        { store in
          let entries = try store.sqlRepository(of: Entry.self)
          try await entries.filter { $0.batch < 10 }.delete()
        },
      ]
    case .imports:
      return [
        { try Self.load(.create, into: $0) }, { try Self.load(.upsert, into: $0) },
        { try Self.load(.replace, into: $0) },
      ]
    case .backup:
      return [
        { try await $0.backup(to: Self.copy(of: $0)) },
        { try await $0.sqlRepository(of: Entry.self).save(Entry.batch(1_000)) },
        { try await $0.backup(to: Self.copy(of: $0)) },
      ]
    }
  }

  private static func copy(of store: SQLiteStore) throws -> String { try path(of: store) + ".copy" }

  private static func path(of store: SQLiteStore) throws -> String {
    let paths = try store.blocking.sql.query(
      "SELECT file FROM pragma_database_list WHERE name = 'main'", as: String.self)
    return paths[0]
  }

  /// Imports 200 rows into a table `imported`.
  static func load(_ mode: ImportMode, into store: SQLiteStore) throws {
    // A table that is there was made by this step: it is made as a whole.
    if case .create = mode, try store.tableNames().contains("imported") { return }
    var isNew = false
    if case .create = mode { isNew = true }
    // Beside the database, with whose folder it goes where the process is killed before it has removed it.
    let file = try path(of: store) + ".csv"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let note = String(repeating: isNew ? "a" : "b", count: 300)
    let rows = (0..<200).map { "\($0 + (isNew ? 0 : 100)),\(note)\n" }.joined()
    try Data(("id,note\n" + rows).utf8).write(to: URL(filePath: file))
    let input = try InputFile(opening: file, .csv, skipsBadRows: false, SilentImport())
    var job = TableImport.Job(table: "imported", mode: mode)
    if case .upsert = mode {} else { job.key = ["id"] }
    _ = try TableImport(job, of: [input], into: store, SilentImport()).run()
  }

  /// What a database holds, and the copy beside it, if there is one.
  static func state(_ path: String) throws -> String {
    let copy = path + ".copy"
    let own = try contents(path)
    return own + (FileManager.default.fileExists(atPath: copy) ? "\ncopy:\n" + (try contents(copy)) : "")
  }

  private static func contents(_ path: String) throws -> String {
    let store = try SQLiteStore(path: path, mode: .existing, timeout: .seconds(30))
    let problems = try store.blocking.integrityCheck()
    if !problems.isEmpty { throw WorkError("\(problems)") }
    var lines = [try store.appliedMigrations().map(\.name).joined(separator: ",")]
    for name in try store.tableNames() where name != "bystander" {
      let table = try store.schema(ofTable: name)
      lines.append("\(name): \(table.columns.map(\.name))")
      for record in try store.blocking.repository(Schema(table)).findAll(
        FetchRequest(sortedBy: .ascending(key: "id")))
      {
        lines.append("\(record.values)")
      }
    }
    return lines.joined(separator: "\n")
  }
}

/// Why an experiment can't be made.
struct WorkError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension Migration {
  /// From what an older version of a program kept to what a newer one does.
  fileprivate static let ofEntries: [Migration] = [
    Migration("mark") { try $0.addColumn(ColumnSchema("mark", .text, isNullable: true, isIndexed: true), to: "entry") },
    Migration("fill") { try $0.execute("UPDATE entry SET mark = 'batch ' || batch, note = note || '!'") },
    Migration("rebuild") { steps throws(RepositoryError) in
      try steps.rebuild("entry", as: NextEntry.schema.table())
    },
    Migration("rename") { try $0.renameColumn("note", to: "text", in: "entry") },
  ]
}

/// An entry as the next version of a program has it.
struct NextEntry: Entity {
  let id: Int
  var batch: Int
  var note: String
  var mark: String?
  var rank: Int

  static let schema = Schema(
    "entry", NextEntry.init, Column("id", \.id), Column("batch", \.batch, .indexed), Column("note", \.note),
    Column("mark", \.mark, .indexed), Column("rank", \.rank, .default(7)))
}

/// What another process writes meanwhile.
struct Bystander: Entity {
  let id: Int

  static let schema = Schema("bystander", Bystander.init, Column("id", \.id))
}

private final class SilentImport: ImportObserver {
  func beginWork(_ work: String, total: Int?) {}
  func update(rows: Int?, bytes: Int) {}
  func endWork() {}
  func skipped(_ error: ImportError) {}
  func checkCancellation() throws {}
}
