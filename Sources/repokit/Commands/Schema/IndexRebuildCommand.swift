import ErrorDetails
import Repository
import SQLInspection
import SQLStore
import SQLiteInspection
import SQLiteStore

/// `repokit index rebuild`: builds the indexes of a table again.
struct IndexRebuildCommand: Command {
  static let description = CommandDescription(
    name: "rebuild", group: "index", summary: "Build the indexes of a table again from its rows.",
    examples: [
      .init(
        arguments: "index rebuild pokedex.sqlite pokemon", meaning: "Build all indexes of a table again.")
    ],
    positionals: [.database, ChangeArguments.table], options: [],
    notes: [
      .paragraph(
        "A full-text table that reads another table differs from that table after a change without triggers. rebuild "
          + "reads all rows again. The rows don't change. Meanwhile, no other program can write to the table, or to the "
          + "SQLite file.")
    ])

  private let database: DatabaseLocation
  private let table: String

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseLocation(try arguments.required(.database))
    table = try arguments.required(ChangeArguments.table)
  }

  func run(_ console: Console) async throws {
    let store = try database.open(.existing)
    let fullText = try database.translating {
      try (store as? SQLiteStore)?.fullTextTables().first { Name($0.name) == Name(table) }
    }
    Interruption.postpone()
    let bar = ProgressBar(console)
    bar.begin("building indexes of \(table)", total: nil, isSlow: database.isLarge)
    defer { bar.end() }
    if let fullText {
      if fullText.isContentless {
        throw Failure(
          "can't rebuild \(fullText.name)",
          details: ["the full-text table stores no texts", "add the texts again with the program that made the table"])
      }
      try database.translating {
        try store.blocking.transaction(.writing) { try $0.rebuild(fullText) }
      }
      bar.end()
      return console.say("rebuilt the full-text index of \(fullText.name)")
    }
    let definition = try database.translating { try store.definition(ofTable: table) }
    try definition.checkIsTable()
    let indexes = definition.indexes.map(\.name)
    if indexes.isEmpty { return console.say("\(definition.schema.name) has no index to rebuild") }
    try database.translating {
      try store.blocking.transaction(.writing) {
        try $0.reindex(definition.schema.name, isServer: database.path == nil)
      }
    }
    bar.end()
    console.say(
      "rebuilt \(indexes.count == 1 ? "an index" : "\(indexes.count) indexes") of \(definition.schema.name): \(indexes.joined(separator: ", "))"
    )
  }
}
