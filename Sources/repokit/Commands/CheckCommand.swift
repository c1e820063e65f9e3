import SQLiteStore

/// `repokit check`: looks for damage.
struct CheckCommand: Command {
  static let description = CommandDescription(
    name: "check", summary: "Looks for what is wrong with a database.",
    examples: [
      .init(
        arguments: "check pokedex.sqlite",
        meaning: "A line for each problem, and exit status 1; nothing where all is well.")
    ],
    positionals: [.database],
    notes: [
      .paragraph(
        "Damaged pages and indexes are found, rows that break rules of their table, foreign keys that lead nowhere and "
          + "texts that are not UTF-8. A bit that has changed within a value can't be found: SQLite keeps no checksums."
      )
    ])

  private let database: DatabaseFile

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseFile(try arguments.required(.database))
  }

  func run(_ console: Console) async throws {
    let store = try database.open(.readOnly)
    let problems = try Failure.translating { try store.integrityCheck() }
    try console.print(problems.map { TerminalText.visible("\($0)") + "\n" }.joined())
    if problems.isEmpty { return }
    let count = problems.count == 1 ? "a problem" : "\(problems.count) problems"
    throw Failure(
      "\(database.path) has \(count)", details: ["restore it from a copy, or mend it with SQLite's own shell"])
  }
}
