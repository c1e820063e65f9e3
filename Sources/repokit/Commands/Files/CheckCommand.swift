import SQLiteInspection
import SQLiteStore

/// `repokit check`: searches for damage.
struct CheckCommand: Command {
  static let description = CommandDescription(
    name: "check", summary: "Check a database for damage and broken rules.",
    examples: [
      .init(
        arguments: "check pokedex.sqlite",
        meaning: "Print a line for each problem; exit with 1 if there are problems.")
    ],
    positionals: [.databaseFile],
    notes: [
      .paragraph(
        "check finds damaged pages and indexes, rows that break rules of their table, and broken foreign keys. "
          + "check also finds text that is not UTF-8, and views and triggers that name missing tables or columns. "
          + "check compares the index of each full-text table with its texts. "
          + "UUIDs and dates in several forms don't compare, so check lists columns that mix forms. check can't "
          + "find a changed bit within a value: SQLite stores no checksums."),
      .paragraph(
        "Notes on stderr report the rows with other values in columns of UUIDs or dates. With --verbose, check shows the "
          + "statement that converts a column of mixed forms; other programs may need the old forms."),
      .paragraph(
        "If only the program that made the database defines a collation, a note names the collation. check then "
          + "skips the order of indexes and WITHOUT ROWID keys with this collation, and the CHECK constraints of "
          + "tables that use the collation."
      ),
      .paragraph(
        "Notes also report views and triggers that repokit can't run: they call functions that only another "
          + "program defines or that a schema may not call, or join too many tables."),
      .paragraph(
        "Notes also report leftover files beside the database, which are not problems of the database."),
    ])

  private static let refusal = ServerRefusal(
    summary: "repokit can't check a database on a server", reason: "the check reads the pages of an SQLite file",
    suggestion: "pg_amcheck, part of PostgreSQL, checks tables and indexes")

  private let database: DatabaseLocation

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseLocation(try arguments.required(.databaseFile))
  }

  func run(_ console: Console) async throws {
    let store = try database.openFile(.readOnly, orRefuse: Self.refusal)
    let report = try console.showing("checking \(database.name)") { () throws(Failure) in
      try Failure.translating { try store.integrityReport() }
    }
    let isVerbose = console.settings.isVerbose
    var problems = report.problems.map { Problem($0, isVerbose: isVerbose) }
    if !report.problems.contains(where: { $0.kind == .damage }) {
      try Failure.translating { problems += try fullTextProblems(in: store, console) }
    }
    // Forms of dates that only programs with models read in another way.
    for note in report.notes where note.kind != .otherForm { console.say("note: \(note)") }
    for file in LeftoverFile.all(beside: database.text) {
      console.say("note: found \(file.path): \(file.summary)")
    }
    try console.print(problems.map { TerminalText.visible($0.text) + "\n" }.joined())
    if problems.isEmpty {
      // A script looks at the exit status.
      if console.canShowProgress { console.say("\(database.name) has no problems") }
      return
    }
    let count = problems.count == 1 ? "a problem" : "\(problems.count) problems"
    throw Failure("\(database.name) has \(count)", details: Self.advice(on: problems, isVerbose: isVerbose))
  }

  /// A problem in one line, with its kind.
  private struct Problem {
    let text: String
    /// `nil` for a problem of a full-text table.
    let kind: IntegrityProblem.Kind?
    /// The advice on a problem of a full-text table.
    var advice: String?

    /// - Parameter isVerbose: whether the statement that converts a column is shown, which may be long.
    init(_ problem: IntegrityProblem, isVerbose: Bool) {
      let text = "\(problem)"
      let statement = problem.kind == .mixedForms && !isVerbose ? text.firstRange(of: "; convert the column: ") : nil
      self.text = statement.map { String(text[..<$0.lowerBound]) } ?? text
      kind = problem.kind
    }

    init(_ text: String, advice: String) { (self.text, kind, self.advice) = (text, nil, advice) }
  }

  /// The full-text tables that can't read their texts, or whose index differs from the texts.
  private func fullTextProblems(in store: SQLiteStore, _ console: Console) throws -> [Problem] {
    let tables = try store.fullTextTables()
    if tables.isEmpty { return [] }
    let readable = try tables.filter { try store.missingSource(of: $0) == nil }
    var problems = try tables.compactMap { table in
      try store.missingSource(of: table).map { missing in
        Problem(
          "\(table.name): the full-text table reads \(missing), which is missing",
          advice: "give \(missing) its former name again, or drop \(table.name) with repokit table drop")
      }
    }
    guard let writer = try? database.openFile(.existing, orRefuse: Self.refusal),
      let differing = try? writer.differingFullTextTables(among: readable)
    else {
      console.say(
        "note: check does not compare full-text indexes with their texts: SQLite has to lock the file for writing")
      return problems
    }
    problems += differing.map { table in
      Problem(
        "\(table.name): the full-text index differs from its texts",
        advice: "repokit index rebuild \(database.name) \(table.name) builds the index again")
    }
    return problems
  }

  /// The advice on problems, a line for each kind.
  private static func advice(on problems: [Problem], isVerbose: Bool) -> [String] {
    let kinds = Set(problems.compactMap(\.kind))
    let advice: [(String, Set<IntegrityProblem.Kind>)] = [
      ("restore a backup, or recover the database with the sqlite3 shell", [.damage]),
      ("correct or delete the rows that break a rule of their table", [.brokenRule]),
      ("correct or delete the rows whose text is not UTF-8", [.invalidText]),
      (
        isVerbose
          ? "run the statements that convert the columns in the sqlite3 shell"
          : "--verbose shows the statements that convert the columns", [.mixedForms]
      ),
      (
        "create the missing tables and columns again, or drop the views and triggers that name them in the sqlite3 shell",
        [.brokenReference, .brokenDefinition]
      ),
    ]
    return advice.filter { !$0.1.isDisjoint(with: kinds) }.map(\.0) + problems.compactMap(\.advice)
  }
}
