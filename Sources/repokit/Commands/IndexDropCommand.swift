import Query
import SQLiteStore

/// `repokit index drop`: drops an index.
struct IndexDropCommand: Command {
  static let description = CommandDescription(
    name: "drop", group: "index", summary: "Drops an index; the rows stay.",
    examples: [
      .init(arguments: "index drop pokedex.sqlite pokemon.type1", meaning: "By the name that index list shows.")
    ],
    positionals: [.database, name], options: [ChangeConsent.dryRun, ChangeConsent.yes],
    notes: [
      .paragraph(
        "Queries by its columns are slow from then on, and what a unique index kept out is let in. The index of a "
          + "primary key, or of a rule of uniqueness, goes with its table alone."),
      ChangeConsent.note,
    ])

  private static let name = PositionalDescription(name: "NAME", help: "The index.")

  private let database: DatabaseFile
  private let name: String
  private let consent: ChangeConsent

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseFile(try arguments.required(.database))
    name = try arguments.required(Self.name)
    consent = ChangeConsent(arguments)
  }

  func run(_ console: Console) async throws {
    try consent.checkPossible(console)
    let store = try database.open(.existing)
    let index = try index(in: store)
    let what = "\(index.isUnique ? "unique index" : "index") \(index.name) of \(index.table) (\(index.columnList))"
    if consent.isDryRun {
      console.report(TerminalText.visible("would drop the \(what)") + "\n")
      return
    }
    let details = index.isUnique ? ["rows that are the same in these columns can be added then"] : []
    try await consent.confirm(
      Confirmation(summary: "the \(what)", details: details, action: "Drop the index", isDestructive: true),
      on: console)
    try database.translating {
      try store.transaction { transaction in
        guard try self.index(in: store).isSame(as: index) else {
          throw Failure(
            "\(index.name) was changed by somebody else meanwhile, so nothing was done",
            details: ["what you agreed to is no longer what would happen", "run the command again to see what is"])
        }
        try transaction.dropIndex(index.name)
      }
    }
    console.report(TerminalText.visible("dropped the \(what)") + "\n")
  }

  private func index(in store: SQLiteStore) throws(Failure) -> IndexDescription {
    let indexes = try database.translating { try store.indexes() }
    guard let index = indexes.first(where: { $0.name.isExactly(name) }) else {
      let names = indexes.filter(\.isDroppable).map(\.name)
      throw Failure(
        "there is no index \(name)",
        details: [names.isEmpty ? "there is none that can be dropped" : .among(names, nearestTo: name)],
        status: .misused)
    }
    guard index.isDroppable else {
      let maker = index.origin == .primaryKey ? "its primary key" : "a rule of uniqueness"
      throw Failure("\(name) can't be dropped", details: ["\(index.table) has it for \(maker)"])
    }
    return index
  }
}
