import Query
import SQLiteStore

/// `repokit explain`: how SQLite finds rows.
struct ExplainCommand: Command {
  static let description = CommandDescription(
    name: "explain", summary: "Shows how the rows of a query are found, and which index would help.",
    examples: [
      .init(
        arguments: "explain pokedex.sqlite pokemon \"type1 = 'fire' and weight > 90\" --sort=-weight",
        meaning: "The SQL, its values, the plan, and an index that would improve it."),
      .init(
        arguments: "explain pokedex.sqlite pokemon \"weight > 90\" --format json",
        meaning: "The same for other programs."),
    ],
    positionals: [.database, .table, .condition],
    options: [.sort, .limit, .offset, .parameter, .rowFormatForPrograms],
    notes: [
      .paragraph(
        "Nothing is run, and nothing is written. An index is shown only if SQLite, planning in a copy of the database "
          + "without rows, uses it and has less to do. Indexes cost room, and time with each write: one that few queries "
          + "need is not worth it."),
      .queries, .parameters,
    ])

  private let rows: RowArguments
  private let arguments: Arguments
  private let format: FormatName?

  init(_ arguments: Arguments) throws(Failure) {
    rows = try RowArguments(arguments)
    self.arguments = arguments
    // What is wrong with the options is said before anything is opened.
    _ = try FetchRequest(rows.query, arguments)
    format = try arguments.choice(.rowFormat, of: FormatName.self)
  }

  func run(_ console: Console) async throws {
    let store = try rows.database.open(.readOnly)
    let schema = try Failure.translating { try store.schema(ofTable: rows.table) }
    let request = try FetchRequest(try rows.query(in: schema), arguments)
    let explanation = try Failure.translating { try store.explanation(of: request, inTable: rows.table) }
    let text = ExplanationText(explanation, of: request, in: rows)
    if let format {
      try console.printRows(text.rows, under: ExplanationText.headings, as: format)
    } else {
      try console.print(text.description(console.style))
    }
  }
}
