import Query
import SQLInspection
import SQLStore

/// `repokit tables`: lists the tables and views.
struct TablesCommand: Command {
  static let description = CommandDescription(
    name: "tables", summary: "Lists the tables and views of a database.",
    examples: [
      .init(arguments: "tables pokedex.sqlite", meaning: "How many rows they have, and how much room they take."),
      .init(arguments: "tables pokedex.sqlite --names", meaning: "A name a line, at once, however large the file is."),
      .init(arguments: "tables pokedex.sqlite --format json", meaning: "The same for other programs, sizes in bytes."),
    ],
    positionals: [.source], options: [names, countViews, .rowFormat],
    notes: [
      .paragraph(
        "All rows of tables are counted and all pages are looked at, which takes its time in a large file. The rows of "
          + "a view are null unless they are asked for: it works them out, and some have no end. A size is that of the "
          + "table with its indexes, in whole pages. It is null for a view, and where SQLite was built without dbstat. Of "
          + "a server, the tables of its search path are listed."),
      InputArguments.note,
    ])

  private static let names = OptionDescription(
    name: "--names", help: "The names alone; nothing is counted.", excluded: ["--count-views", "--format"])
  private static let countViews = OptionDescription(
    name: "--count-views", help: "Counts the rows of views, too.", excluded: ["--names"])

  private let database: DatabaseLocation
  private let namesOnly: Bool
  private let countsViews: Bool
  private let format: FormatName?

  init(_ arguments: Arguments) throws(Failure) {
    database = try DatabaseLocation(source: arguments)
    namesOnly = arguments.has(Self.names)
    countsViews = arguments.has(Self.countViews)
    format = try arguments.choice(.rowFormat, of: FormatName.self)
  }

  func run(_ console: Console) async throws {
    let store = try database.open(.readOnly)
    if namesOnly {
      let names = try Failure.translating { try store.tableNames() }
      return try console.print(names.map { TerminalText.visible($0) + "\n" }.joined())
    }
    let tables = try Failure.translating { try store.tableOverviews(countingViews: countsViews) }
    let format = format ?? console.format
    let sizes = format.isForPeople ? ByteSize.aligned(tables.map(\.byteCount)) : tables.map { .count($0.byteCount) }
    let columns = [
      ColumnHeading("table"), ColumnHeading("kind"), ColumnHeading("rows", isNumeric: true),
      ColumnHeading("size", isNumeric: true),
    ]
    try console.printRows(
      zip(tables, sizes).map { [.text($0.name), .text($0.kind.rawValue), .count($0.rowCount), $1] }, under: columns,
      as: format)
    for table in tables {
      guard let problem = table.problem else { continue }
      console.report(TerminalText.visible("note: the rows of \(table.name) can't be counted: \(problem)") + "\n")
    }
  }
}
