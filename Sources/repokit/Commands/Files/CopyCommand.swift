import Query
import Repository
import SQLInspection
import SQLStore
import SQLiteStore

/// `repokit copy`: copies tables from one database into another.
struct CopyCommand: Command {
  static let description = CommandDescription(
    name: "copy", summary: "Copy tables from one database into another.",
    examples: [
      .init(
        arguments: "copy pokedex.sqlite copy.sqlite pokemon",
        meaning: "Copy one table with rows, indexes and triggers into a new file."),
      .init(arguments: "copy pokedex.sqlite all.sqlite --dry-run", meaning: "Check whether all tables can be copied."),
    ],
    positionals: [.database, target, tables], options: [ChangeConsent.dryRun],
    notes: [
      .paragraph(
        "repokit copies all tables or none, and refuses if the target has one of the tables. Between SQLite files, "
          + "copies are exact, including rowids. Between SQLite and PostgreSQL, repokit copies names, types, keys, "
          + "unique constraints, indexes, references and constant defaults. A note lists the rest, such as checks "
          + "and triggers. An SQLite column of several types becomes text in PostgreSQL; repokit refuses a column "
          + "that mixes bytes with other types."
      ),
      .paragraph(
        "repokit skips views, virtual tables, and triggers that use them, and reports each; repokit dump writes them."
      ),
    ])

  private static let target = PositionalDescription(
    name: "TARGET", help: "The target database; repokit creates a missing file.", completion: .file)
  private static let tables = PositionalDescription(
    name: "TABLE", help: "The tables to copy (default: all).", isOptional: true, isRepeated: true,
    completion: .table)

  private let source: DatabaseLocation
  private let target: DatabaseLocation
  private let tables: [String]
  private let isDryRun: Bool

  init(_ arguments: Arguments) throws(Failure) {
    source = DatabaseLocation(try arguments.required(.database))
    target = DatabaseLocation(try arguments.required(Self.target))
    tables = arguments.all(Self.tables)
    isDryRun = arguments.has(ChangeConsent.dryRun)
    if let path = source.path, let other = target.path, path == other || FileIdentity.areSame(path, other) {
      throw arguments.command.usageError("\(path) is the source database")
    }
  }

  func run(_ console: Console) async throws {
    let from = try source.open(.readOnly)
    let isVerbatim = source.path != nil && target.path != nil
    Interruption.postpone("repokit copied nothing")
    let bar = ProgressBar(console)
    defer { bar.end() }
    // One state of the database, in the definitions as in the rows.
    let (copy, written) = try source.translating {
      try from.blocking.read { _ in
        let copy = try DatabaseCopy(of: from, tables: tables, isVerbatim: isVerbatim)
        let written = try SchemaChanger.create(in: target, isDryRun: isDryRun, .rebuilding) { to in
          let present = try to.tableNames()
          try check(copy.tables, against: present)
          return { transaction in
            try transaction.checkingReferences { try write(copy.tables, from, transaction, beside: present, bar) }
          }
        }
        return (copy, written)
      }
    }
    bar.end()
    for note in copy.leftOut { console.say("note: skipped \(note)") }
    for (table, part) in zip(copy.tables, written) {
      for note in table.notes + part.leftOut {
        console.say("note: \(table.name): \(note)")
      }
    }
    for (table, part) in zip(copy.tables, written) {
      let rows = part.count.of("row")
      console.say("\(isDryRun ? "would copy" : "copied") \(table.name) with \(rows)")
    }
  }

  private func check(_ copies: [TableCopy], against names: [String]) throws(Failure) {
    for copy in copies {
      guard let taken = names.first(foldedNamed: copy.name) else { continue }
      throw Failure(
        "\(target.name) already has a table \(taken)",
        details: [
          "rename the table with repokit table rename, or drop the table with repokit table drop",
          "name the tables to copy",
        ])
    }
  }

  /// - Returns: how many rows each table has, and what is left out of it.
  private func write(
    _ copies: [TableCopy], _ store: SQLDatabase, _ transaction: SQLTransaction, beside present: [String],
    _ bar: ProgressBar
  ) throws -> [(count: Int, leftOut: [String])] {
    for copy in copies { try copy.create(in: transaction) }
    return try copies.map { copy in
      bar.begin("copying \(copy.name)", total: nil, isSlow: false)
      let count: Int
      do {
        count = try copy.write(from: store, to: transaction) { count in
          bar.update(rows: count, bytes: 0)
          try Interruption.check()
        }
      } catch let error as CopySourceError {
        throw source.failure(translating: error.error)
      }
      return (count, try copy.finish(in: transaction, beside: present))
    }
  }
}
