import Query
import SQLiteStore

/// `repokit index add`: creates an index.
struct IndexAddCommand: Command {
  static let description = CommandDescription(
    name: "add", group: "index", summary: "Adds an index to a table.",
    examples: [
      .init(arguments: "index add pokedex.sqlite pokemon type1", meaning: "An index called pokemon.type1."),
      .init(
        arguments: "index add pokedex.sqlite pokemon name --unique --dry-run",
        meaning: "Whether there are names that more than one row has."),
    ],
    positionals: [.database, ChangeArguments.table, columns],
    options: [unique, name, ChangeConsent.dryRun, ChangeConsent.yes],
    notes: [
      .paragraph(
        "An index makes queries fast that compare or sort by its columns, or by the first of them, and takes room and "
          + "time where rows are written. Nobody else can write while it is made."),
      ChangeConsent.note,
    ])

  private static let columns = PositionalDescription(
    name: "COLUMN", help: "What to sort by: one column, or more, the most telling first.", isRepeated: true,
    completion: .column)
  private static let unique = OptionDescription(
    name: "--unique", help: "No two rows may be the same in these columns from now on.")
  private static let name = OptionDescription(
    name: "--name", value: "NAME", help: "What to call it; table.column if it is left out.")

  private let database: DatabaseFile
  private let table: String
  private let columns: [String]
  private let isUnique: Bool
  private let name: String?
  private let consent: ChangeConsent

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseFile(try arguments.required(.database))
    table = try arguments.required(ChangeArguments.table)
    columns = arguments.all(Self.columns)
    isUnique = arguments.has(Self.unique)
    name = arguments[Self.name]
    consent = ChangeConsent(arguments)
    if name?.isEmpty == true { throw arguments.command.misused("--name: the name is empty") }
    if let repeated = columns.indices.first(where: { columns[..<$0].containsExactly(columns[$0]) }) {
      throw arguments.command.misused("\(columns[repeated]) stands there twice")
    }
  }

  func run(_ console: Console) async throws {
    try consent.checkPossible(console)
    let store = try database.open(.existing)
    let index = name ?? SQLiteStore.indexName(of: columns, in: table)
    // Where nobody is asked, a look at all rows has to wait until they can't change.
    if !consent.isGiven {
      _ = try table(for: index, in: store)
      if isUnique, let failure = try duplicates(in: store) { throw failure }
    }
    let what = "\(isUnique ? "unique index" : "index") \(index) of \(table) (\(columns.joined(separator: ", ")))"
    if consent.isDryRun {
      let count = try database.translating { try store.rowCount(ofTable: table) }
      console.report(TerminalText.visible("would add the \(what) over \(count) \(count == 1 ? "row" : "rows")") + "\n")
      return
    }
    if consent.isQuestion {
      let count = try database.translating { try store.rowCount(ofTable: table) }
      try await consent.confirm(
        Confirmation(
          summary: "the \(what)", details: ["it takes in \(count) \(count == 1 ? "row" : "rows")"],
          action: "Add the index", isDestructive: false), on: console)
    }
    do {
      try store.transaction { transaction in
        // Whatever somebody has done since the question.
        let schema = try self.table(for: index, in: store)
        try transaction.createIndex(index, on: columns, of: schema, isUnique: isUnique)
      }
    } catch let error as RepositoryError where error.code == .conflict {
      throw try duplicates(in: store) ?? Failure(error)
    } catch {
      throw database.failure(translating: error)
    }
    console.report(TerminalText.visible("added the \(what)") + "\n")
  }

  /// The table of which the index is to be.
  ///
  /// - Throws: a failure where there is no room for it.
  private func table(for index: String, in store: SQLiteStore) throws(Failure) -> TableSchema {
    let schema = try database.translating { try store.schema(ofTable: table) }
    for column in columns { _ = try database.translating { try schema.position(of: column) } }
    let present = try database.translating { try store.indexes() }
    if let taken = present.first(where: { $0.name.isSameName(as: index) }) {
      throw Failure(
        "there is an index \(taken.name) already", details: ["it is one of \(taken.table) (\(taken.columnList))"])
    }
    let same = present.first { index in
      index.table.isExactly(table) && !index.isPartial && (index.isUnique || !isUnique)
        && index.columns.elementsEqual(columns) { $0?.isExactly($1) == true }
    }
    if let same {
      throw Failure(
        "\(table) has such an index already", details: ["\(same.name) sorts by the same columns"])
    }
    return schema
  }

  /// Why the columns can't be unique, if they can't.
  private func duplicates(in store: SQLiteStore) throws(Failure) -> Failure? {
    let shown = 5
    let duplicates = try database.translating {
      try store.duplicates(of: columns, in: try store.schema(ofTable: table), limit: shown + 1)
    }
    if duplicates.isEmpty { return nil }
    let lines = duplicates.prefix(shown).map { duplicate in
      let values = duplicate.values.map { String($0.description.prefix(60)) }.joined(separator: ", ")
      return "\(duplicate.count) rows: \(values)"
    }
    return Failure(
      "rows of \(table) are the same in \(columns.joined(separator: " and ")), so no index can make them unique",
      details: lines + (duplicates.count > shown ? ["and more"] : []))
  }
}
