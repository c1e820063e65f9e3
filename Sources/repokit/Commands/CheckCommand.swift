import SQLiteInspection
import SQLiteStore

/// `repokit check`: looks for damage.
struct CheckCommand: Command {
  static let description = CommandDescription(
    name: "check", summary: "Looks for what is wrong with a database.",
    examples: [
      .init(
        arguments: "check pokedex.sqlite",
        meaning: "A line for each problem, and exit status 1.")
    ],
    positionals: [.database],
    notes: [
      .paragraph(
        "Damaged pages and indexes are found, rows that break rules of their table, foreign keys that lead nowhere, "
          + "texts that are not UTF-8, columns whose UUIDs or dates are written in several forms, so that they don't "
          + "compare, and views and triggers that name what is gone. A bit that has changed within a "
          + "value can't be found: SQLite keeps no checksums."),
      .paragraph(
        "Columns with UUIDs or dates in one form that Swift's `UUID` and `Date` are not read from are told of on the "
          + "standard error, with the statement that converts them."),
      .paragraph(
        "Files that were left behind beside the database are told of on the standard error; they are no problem of "
          + "the database."),
    ])

  private let database: DatabaseFile

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseFile(try arguments.required(.database))
  }

  func run(_ console: Console) async throws {
    let store = try database.open(.readOnly)
    let report = try console.showing("checking \(database.path)") { () throws(Failure) in
      try Failure.translating { try store.integrityReport() }
    }
    let problems = report.problems
    for note in report.notes { console.report(TerminalText.visible("note: \(note)") + "\n") }
    for file in LeftoverFile.all(beside: database.path) {
      console.report(TerminalText.visible("note: there is \(file.path): \(file.summary)") + "\n")
    }
    try console.print(problems.map { TerminalText.visible("\($0)") + "\n" }.joined())
    if problems.isEmpty {
      // A script looks at the exit status.
      if console.canShowProgress { console.report(TerminalText.visible("\(database.path) has no problems") + "\n") }
      return
    }
    let count = problems.count == 1 ? "a problem" : "\(problems.count) problems"
    throw Failure(
      "\(database.path) has \(count)", details: ["restore it from a copy, or mend it with SQLite's own shell"])
  }
}
