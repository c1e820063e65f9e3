import Query
import Repository
import SQLInspection
import SQLStore
import SQLiteStore

/// `repokit copy`: copies tables from one database into another.
struct CopyCommand: Command {
  static let description = CommandDescription(
    name: "copy", summary: "Copies tables from one database into another.",
    examples: [
      .init(
        arguments: "copy pokedex.sqlite copy.sqlite pokemon",
        meaning: "One table with its rows, indexes and triggers, into a new file."),
      .init(arguments: "copy pokedex.sqlite all.sqlite --dry-run", meaning: "Whether all tables could be copied."),
    ],
    positionals: [.database, target, tables], options: [ChangeConsent.dryRun],
    notes: [
      .paragraph(
        "All tables are copied, or none; one that the other database has already is in the way. Between SQLite files, tables stay "
          + "exactly what they are, also the numbers (rowid) of their rows. Between SQLite and PostgreSQL, either way, names, types, keys, rules of uniqueness, indexes, "
          + "references and defaults that are values go along; what does not, such as a check or a trigger, is told. A column that "
          + "holds values of several types in SQLite becomes one of texts in PostgreSQL, and one of bytes beside others is refused."
      ),
      .paragraph(
        "Views and virtual tables are left out, and triggers that read or write them, which is told: repokit dump writes them, too."
      ),
    ])

  private static let target = PositionalDescription(
    name: "TARGET", help: "The database to copy into, made if it is a file that is not there.", completion: .file)
  private static let tables = PositionalDescription(
    name: "TABLE", help: "Which tables; all of them if they are left out.", isOptional: true, isRepeated: true,
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
      throw arguments.command.usageError("\(path) is the database itself")
    }
  }

  func run(_ console: Console) async throws {
    let from = try source.open(.readOnly)
    let isVerbatim = source.path != nil && target.path != nil
    Interruption.postpone("nothing was copied")
    let bar = ProgressBar(console)
    defer { bar.end() }
    // One state of the database, in the definitions as in the rows.
    let (copy, written) = try source.translating {
      try from.read { _ in
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
    for note in copy.leftOut { console.report(TerminalText.visible("note: \(note) is left out") + "\n") }
    for (table, part) in zip(copy.tables, written) {
      for note in table.notes + part.leftOut {
        console.report(TerminalText.visible("note: \(table.name): \(note)") + "\n")
      }
    }
    for (table, part) in zip(copy.tables, written) {
      let rows = part.count.of("row")
      console.report(TerminalText.visible("\(isDryRun ? "would copy" : "copied") \(table.name) with \(rows)") + "\n")
    }
  }

  private func check(_ copies: [TableCopy], against names: [String]) throws(Failure) {
    for copy in copies {
      guard let taken = names.first(foldedNamed: copy.name) else { continue }
      throw Failure(
        "there is a table \(taken) in \(target.name) already",
        details: ["repokit table rename or table drop makes room for it", "name the tables to copy only those"])
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
