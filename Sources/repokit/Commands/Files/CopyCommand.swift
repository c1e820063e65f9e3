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
      .init(
        arguments: "copy pokedex.sqlite alone.sqlite pokemon --without-references",
        meaning: "Copy one table without its references to other tables."),
    ],
    positionals: [.database, target, tables], options: [withParents, withoutReferences, ChangeConsent.dryRun],
    notes: [
      .paragraph(
        "repokit copies all tables or none, and refuses if the target has one of the tables. Between SQLite files, "
          + "copies are exact, including rowids. Between PostgreSQL databases, repokit copies types, sequences, partitions "
          + "and values unchanged, but no functions; a note lists each trigger whose function is missing."
      ),
      .paragraph(
        "Between SQLite and PostgreSQL, repokit copies keys, constraints, indexes, references with their actions, lengths "
          + "and constant defaults. Checks are copied if both databases evaluate the check alike. Enumerations and domains "
          + "become checks. Indexes that ignore case do so for ASCII letters. A note lists the rest, such as triggers. An "
          + "SQLite column of several types becomes text in PostgreSQL; repokit refuses a column that mixes bytes with "
          + "other types."
      ),
      .paragraph(
        "repokit skips views, virtual tables, and triggers that use them, and reports each; repokit dump writes them. "
          + "SQLite gets the rows of partitions and inheriting tables once, in the parent table."
      ),
    ])

  private static let target = PositionalDescription(
    name: "TARGET", help: "The target database; repokit creates a missing file.", completion: .file)
  private static let tables = PositionalDescription(
    name: "TABLE", help: "The tables to copy (default: all).", isOptional: true, isRepeated: true,
    completion: .table)

  private static let withParents = OptionDescription(
    name: "--with-parents", help: "Also copy the tables that TABLE refers to, and the tables that these refer to.")
  private static let withoutReferences = OptionDescription(
    name: "--without-references", help: "Skip the references to tables that TARGET lacks.")

  private let source: DatabaseLocation
  private let target: DatabaseLocation
  private let tables: [String]
  private let addsParents: Bool
  private let dropsReferences: Bool
  private let isDryRun: Bool

  init(_ arguments: Arguments) throws(Failure) {
    source = DatabaseLocation(try arguments.required(.database))
    target = DatabaseLocation(try arguments.required(Self.target))
    tables = arguments.all(Self.tables)
    addsParents = arguments.has(Self.withParents)
    dropsReferences = arguments.has(Self.withoutReferences)
    isDryRun = arguments.has(ChangeConsent.dryRun)
    if addsParents, dropsReferences {
      throw arguments.command.usageError("--with-parents and --without-references contradict each other")
    }
    if addsParents, tables.isEmpty { throw arguments.command.usageError("--with-parents needs a TABLE") }
    if let path = source.path, let other = target.path, path == other || FileIdentity.areSame(path, other) {
      throw arguments.command.usageError("\(path) is the source database")
    }
  }

  func run(_ console: Console) async throws {
    let from = try source.open(.readOnly)
    let form: DatabaseCopy.Form =
      switch (source.path == nil, target.path == nil) {
      case (false, false): .verbatim
      case (true, true): .server
      default: .portable
      }
    Interruption.postpone("repokit copied nothing")
    let bar = ProgressBar(console)
    defer { bar.end() }
    // One state of the database, in the definitions as in the rows.
    let (copy, written) = try source.translating {
      try from.blocking.read { _ in
        var copied: DatabaseCopy?
        let written = try SchemaChanger.create(in: target, isDryRun: isDryRun, .rebuilding) { to in
          let present = try to.tableNames()
          let copy = try source.translating {
            try DatabaseCopy(
              of: from, tables: tables, form: form,
              parents: dropsReferences ? .leftOut(beside: present) : addsParents ? .copied : .none)
          }
          copied = copy
          try check(copy.tables, against: present, isLenient: form == .verbatim)
          return { transaction in
            try explainingReferences(of: copy, from: from, beside: present) {
              try transaction.checkingReferences { try write(copy.tables, from, transaction, beside: present, bar) }
            }
          }
        }
        guard let copied else { throw Failure("repokit copied nothing") }
        return (copied, written)
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

  /// The ways to copy a table without the tables that it refers to, or with them.
  private static let parentAdvice = [
    "copy the tables referred to, too: --with-parents", "copy without references: --without-references",
  ]

  /// The first reference to a table that neither is copied nor is there.
  private func missingParent(of copies: [TableCopy], beside present: [String]) -> (table: String, parent: String)? {
    let names = copies.map(\.name) + present
    for copy in copies {
      if let parent = copy.parents.first(where: { names.first(foldedNamed: $0) == nil }) { return (copy.name, parent) }
    }
    return nil
  }

  /// Tells how to copy tables that refer to others, where rows would refer to missing ones.
  private func explainingReferences<Result>(
    of copy: DatabaseCopy, from store: SQLDatabase, beside present: [String], _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as RepositoryError where [.foreignKeyViolation, .constraint].contains(error.code) {
      if !tables.isEmpty, missingParent(of: copy.tables, beside: present) != nil {
        throw Failure(error.summary, details: Self.parentAdvice)
      }
      let broken = (try? store.brokenReferences()) ?? []
      guard let first = broken.first(where: { copy.tables.map(\.name).contains(named: $0.table) }) else { throw error }
      throw Failure(
        "\(first.count.of("row")) of \(first.table) \(first.count == 1 ? "refers" : "refer") to missing rows of \(first.parent)",
        details: ["repokit check \(source.name) lists such rows: change or delete these rows first"])
    }
  }

  private func check(_ copies: [TableCopy], against names: [String], isLenient: Bool) throws(Failure) {
    if !isLenient, let (table, parent) = missingParent(of: copies, beside: names) {
      throw Failure(
        "\(table) refers to \(parent), which \(target.name) lacks",
        details: tables.isEmpty ? [Self.parentAdvice[1]] : Self.parentAdvice)
    }
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
    var written = try copies.map { copy in
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
      return (count: count, leftOut: try copy.finish(in: transaction, beside: present))
    }
    for (position, copy) in copies.enumerated() {
      written[position].leftOut += try copy.addReferences(in: transaction)
    }
    return written
  }
}
