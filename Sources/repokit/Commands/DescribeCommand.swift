import Query
import SQLiteStore

/// `repokit describe`: what the values of a table's columns are like.
struct DescribeCommand: Command {
  static let description = CommandDescription(
    name: "describe", summary: "Shows what the values of each column are like.",
    examples: [
      .init(
        arguments: "describe pokedex.sqlite pokemon",
        meaning: "Nulls, extremes, the mean, how numbers spread, and what is common."),
      .init(
        arguments: "describe pokedex.sqlite pokemon \"type1 = 'fire'\" --columns weight,type2",
        meaning: "Two columns of some rows."),
      .init(
        arguments: "describe pokedex.sqlite pokemon --top 20 --format json",
        meaning: "For other programs, with the 20 most common values."),
    ],
    positionals: [.database, .table, .condition], options: [.columns, top, .parameter, .rowFormat],
    notes: [
      .paragraph(
        "All figures are exact, whatever the size of the table; the rows are sorted by each column for that. A column "
          + "with values of several types shows how many it has of each. A text's length is its number of Unicode scalars."
      ),
      .paragraph(
        "The spread is a histogram of the finite numbers from min to max in up to 12 ranges of one width, or how long "
          + "texts are. json and ndjson have counts, and all figures in full; csv and tsv have lists as JSON."),
      .queries, .parameters,
    ])

  private static let top = OptionDescription(
    name: "--top", value: "N", help: "How many of the most common values to show; 5 if it is left out.")

  private let rows: RowArguments
  private let columns: [String]?
  private let top: Int
  private let format: FormatName?

  init(_ arguments: Arguments) throws(Failure) {
    rows = try RowArguments(arguments)
    columns = try arguments.names(.columns)
    top = try arguments.integer(Self.top) ?? 5
    if !(0...1_000 ~= top) { throw arguments.command.misused("\(Self.top.name): it has to be from 0 to 1000") }
    format = try arguments.choice(.rowFormat, of: FormatName.self)
  }

  func run(_ console: Console) async throws {
    let store = try rows.database.open(.readOnly)
    var profiles: [ProfileRow] = []
    try Failure.translating {
      let query = try rows.query(in: try store.schema(ofTable: rows.table))
      try store.profiles(ofTable: rows.table, where: query, columns: columns, commonCount: top) {
        profiles.append(ProfileRow($0))
      }
    }
    let format = format ?? console.format
    if let json = ProfileJSON(format) { return try console.print(json.text(profiles)) }
    if format == .table {
      let count = profiles.first?.rowCount ?? 0
      try console.print("\(TerminalText.visible(rows.table)): \(count == 1 ? "1 row" : "\(count) rows")\n\n")
    }
    guard format.isForPeople else {
      return try console.printRows(profiles.map(\.exact), under: ProfileRow.headings, as: format)
    }
    let table = ProfileTable(profiles, width: format == .table ? console.style.width : nil)
    try console.printRows(table.rows, under: table.headings, as: format)
    if table.isCut { console.report("note: the most common values need more room; --format line shows them too\n") }
  }
}
