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
    if let repeated = columns.indices.first(where: { columns[..<$0].contains(columns[$0]) }) {
      throw arguments.command.misused("\(columns[repeated]) stands there twice")
    }
  }

  func run(_ console: Console) async throws {
    try consent.checkPossible(console)
    let store = try database.open(.existing)
    let index = try index(in: store)
    let what = "\(isUnique ? "unique index" : "index") \(index) of \(table) (\(columns.joined(separator: ", ")))"
    if consent.isDryRun {
      let count = try Failure.translating { try store.rowCount(ofTable: table) }
      console.report(TerminalText.visible("would add the \(what) over \(count) \(count == 1 ? "row" : "rows")") + "\n")
      return
    }
    if consent.isQuestion {
      let count = try Failure.translating { try store.rowCount(ofTable: table) }
      try await consent.confirm(
        Confirmation(
          summary: "the \(what)", details: ["it takes in \(count) \(count == 1 ? "row" : "rows")"],
          action: "Add the index", isDestructive: false), on: console)
    }
    do {
      try store.transaction { transaction in
        let schema = try store.schema(ofTable: table)
        try transaction.createIndex(index, on: columns, of: schema, isUnique: isUnique)
      }
    } catch let error as RepositoryError where error.code == .conflict {
      // Somebody added such rows since the look at them.
      throw try duplicates(in: store, error) ?? Failure(error)
    } catch let error as RepositoryError {
      throw database.failure(error)
    }
    console.report(TerminalText.visible("added the \(what)") + "\n")
  }

  /// The name that the index gets.
  ///
  /// - Throws: a failure where it can't be made.
  private func index(in store: SQLiteStore) throws(Failure) -> String {
    let schema = try Failure.translating { try store.schema(ofTable: table) }
    for column in columns { _ = try Failure.translating { try schema.position(of: column) } }
    let index = name ?? SQLiteStore.indexName(of: columns, in: table)
    let present = try Failure.translating { try store.indexes() }
    if let taken = present.first(where: { $0.name.lowercased() == index.lowercased() }) {
      throw Failure(
        "there is an index \(taken.name) already", details: ["it is one of \(taken.table) (\(taken.columnList))"])
    }
    let same = present.first { index in
      index.table == table && index.columns == columns && !index.isPartial && (index.isUnique || !isUnique)
    }
    if let same {
      throw Failure(
        "\(table) has such an index already", details: ["\(same.name) sorts by the same columns"])
    }
    if isUnique, let failure = try duplicates(in: store, nil) { throw failure }
    return index
  }

  /// Why the columns can't be unique, if they can't.
  private func duplicates(in store: SQLiteStore, _ error: RepositoryError?) throws(Failure) -> Failure? {
    let shown = 5
    let duplicates = try Failure.translating {
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
