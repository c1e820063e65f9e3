import Query
import SQLInspection
import SQLStore

/// `repokit tables`: lists the tables and views.
struct TablesCommand: Command {
  static let description = CommandDescription(
    name: "tables", summary: "List the tables and views of a database.",
    examples: [
      .init(arguments: "tables pokedex.sqlite", meaning: "List tables with row counts and sizes."),
      .init(arguments: "tables pokedex.sqlite --names", meaning: "Print one name a line; fast for files of any size."),
      .init(
        arguments: "tables pokedex.sqlite --format json", meaning: "Print JSON for other programs, with sizes in bytes."
      ),
    ],
    positionals: [.source], options: [names, countViews, .rowFormat],
    notes: [
      .paragraph(
        "tables counts all rows and reads all pages, which takes time in a large file. repokit counts rows of "
          + "views only on request, since a view can be slow or endless. The size covers a table and its indexes, "
          + "in whole pages; the size is null for views, and if SQLite lacks dbstat. On a server, tables lists the "
          + "tables of the search path. All commands also take a table of another schema as SCHEMA.TABLE."),
      InputArguments.note,
    ])

  private static let names = OptionDescription(
    name: "--names", help: "Print the names only, without counting.", excluded: ["--count-views", "--format"])
  private static let countViews = OptionDescription(
    name: "--count-views", help: "Count the rows of views too.", excluded: ["--names"])

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
    if tables.isEmpty, let note = try Failure.translating({ try SearchPath.note(on: store) }) { console.say(note) }
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
      console.say("note: repokit can't count the rows of \(table.name): \(problem)")
    }
  }
}
