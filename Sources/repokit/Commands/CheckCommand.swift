import SQLiteInspection
import SQLiteStore

/// `repokit check`: searches for damage.
struct CheckCommand: Command {
  static let description = CommandDescription(
    name: "check", summary: "Looks for what is wrong with a database.",
    examples: [
      .init(
        arguments: "check pokedex.sqlite",
        meaning: "A line for each problem, and exit status 1.")
    ],
    positionals: [.databaseFile],
    notes: [
      .paragraph(
        "Damaged pages and indexes are found, rows that break rules of their table, foreign keys that lead nowhere, "
          + "texts that are not UTF-8, with the first rows of a column, columns whose UUIDs or dates are written in several forms, so that they don't "
          + "compare, and views and triggers that name what is gone. A bit that has changed within a "
          + "value can't be found: SQLite keeps no checksums."),
      .paragraph(
        "Columns with UUIDs or dates in one form that Swift's `UUID` and `Date` are not read from are told of on the "
          + "standard error, with the statement that converts them in a STRICT table, as other programs may read no other form, and "
          + "so are the rows of such a column that hold something else."),
      .paragraph(
        "Collations that only the program knows which made the database are told of there, too: the order of their indexes and of the "
          + "keys of WITHOUT ROWID tables, and the CHECK constraints of the tables that declare them, are not checked, and all else is."
      ),
      .paragraph(
        "Views and triggers that can't be used here for another reason are told of there, too: they call what only the program has "
          + "which made the database, or what a file may not call, or join too many tables."),
      .paragraph(
        "Files that were left behind beside the database are told of on the standard error; they are no problem of "
          + "the database."),
    ])

  private static let refusal = ServerRefusal(
    summary: "a database on a server can't be checked", reason: "the check reads the pages of an SQLite file",
    suggestion: "pg_amcheck, which comes with PostgreSQL, checks tables and indexes")

  private let database: DatabaseLocation

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseLocation(try arguments.required(.databaseFile))
  }

  func run(_ console: Console) async throws {
    let store = try database.openFile(.readOnly, orRefuse: Self.refusal)
    let report = try console.showing("checking \(database.name)") { () throws(Failure) in
      try Failure.translating { try store.integrityReport() }
    }
    let problems = report.problems
    for note in report.notes { console.report(TerminalText.visible("note: \(note)") + "\n") }
    for file in LeftoverFile.all(beside: database.text) {
      console.report(TerminalText.visible("note: there is \(file.path): \(file.summary)") + "\n")
    }
    try console.print(problems.map { TerminalText.visible("\($0)") + "\n" }.joined())
    if problems.isEmpty {
      // A script looks at the exit status.
      if console.canShowProgress { console.report(TerminalText.visible("\(database.name) has no problems") + "\n") }
      return
    }
    let count = problems.count == 1 ? "a problem" : "\(problems.count) problems"
    throw Failure("\(database.name) has \(count)", details: Self.advice(on: problems))
  }

  /// The advice on problems, a line for each kind.
  private static func advice(on problems: [IntegrityProblem]) -> [String] {
    let kinds = Set(problems.map(\.kind))
    let advice: [(String, Set<IntegrityProblem.Kind>)] = [
      ("restore it from a copy, or recover it with SQLite's own shell", [.damage]),
      ("correct or delete the rows that break a rule of their table", [.brokenRule]),
      ("save or delete the rows whose texts are not UTF-8", [.invalidText]),
      ("run the statements that convert the columns, with SQLite's own shell", [.mixedForms]),
      (
        "make again what is gone, or drop what names it, with SQLite's own shell",
        [.brokenReference, .brokenDefinition]
      ),
    ]
    return advice.filter { !$0.1.isDisjoint(with: kinds) }.map(\.0)
  }
}
