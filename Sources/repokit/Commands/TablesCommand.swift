import SQLiteStore

/// `repokit tables`: lists what there is to query.
struct TablesCommand: Command {
  static let description = CommandDescription(
    name: "tables", summary: "Lists the tables and views of a database.",
    examples: [.init(arguments: "tables pokedex.sqlite", meaning: "A name a line, in alphabetical order.")],
    positionals: [.database])

  private let database: DatabaseFile

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseFile(try arguments.required(.database))
  }

  func run(_ console: Console) async throws {
    let store = try database.open(.readOnly)
    let names = try Failure.translating { try store.tableNames() }
    try console.print(names.map { TerminalText.visible($0) + "\n" }.joined())
  }
}
