import Query
import Repository

/// `repokit query`: shows rows.
struct QueryCommand: Command {
  static let description = CommandDescription(
    name: "query", summary: "Shows the rows of a table that a query means.",
    examples: [
      .init(
        arguments: "query pokedex.sqlite pokemon \"type1 = 'fire' and weight > 90\" --sort=-weight,name",
        meaning: "The heavy ones, the heaviest first, and by name where two weigh the same."),
      .init(
        arguments: "query pokedex.sqlite pokemon --limit 10 --offset 20 --columns id,name",
        meaning: "The third page of ten, two columns of it."),
      .init(
        arguments: "query pokedex.sqlite pokemon \"habitat is null\" --format json > rare.json",
        meaning: "For other programs: exact, and with types."),
    ],
    positionals: [.database, .table, .condition],
    options: [sort, limit, offset, columns, format, .engine],
    notes: [
      .queries,
      .list("Formats", FormatName.allCases.map { ($0.rawValue, $0.help) }),
      .paragraph(
        "Control characters never reach a terminal: json escapes them, the other formats show pictures such as ␛. In a "
          + "file, csv, tsv and json are exact."),
    ])

  private static let sort = OptionDescription(
    name: "--sort", value: "SORT",
    help: "Keys between commas; -key or key desc from great to small, with nulls first or nulls last. By primary key "
      + "if it is left out.")
  private static let limit = OptionDescription(name: "--limit", value: "N", help: "At most N rows.")
  private static let offset = OptionDescription(name: "--offset", value: "N", help: "Leaves out the first N rows.")
  private static let columns = OptionDescription(
    name: "--columns", value: "A,B", help: "Only these columns, in this order.")
  private static let format = OptionDescription(
    name: "--format", value: "FORMAT",
    help: "One of the formats below; table on a terminal and tsv elsewhere if it is left out.")

  private let rows: RowArguments
  private let request: FetchRequest
  private let columns: [String]?
  private let format: FormatName?

  init(_ arguments: Arguments) throws(Failure) {
    rows = try RowArguments(arguments)
    let sort: AnySort
    do throws(ParseError) {
      sort = try arguments[Self.sort].map { text throws(ParseError) in try AnySort(parsing: text) } ?? .primaryKey
    } catch {
      throw Failure(error).at(Self.sort.name)
    }
    request = FetchRequest(
      rows.query, sortedBy: sort, limit: try arguments.integer(Self.limit),
      offset: try arguments.integer(Self.offset) ?? 0)
    columns = try arguments.names(Self.columns)
    format = try arguments.choice(Self.format, of: FormatName.self)
  }

  func run(_ console: Console) async throws {
    let table = try rows.openTable()
    let positions = try Failure.translating {
      try columns?.map { try table.schema.position(of: $0) } ?? Array(table.schema.columns.indices)
    }
    let records = try Failure.translating { try table.findAll(request) }

    let style = console.style
    var output = console.output()
    var format = (format ?? console.format)
      .makeFormat(positions.map { ColumnHeading(table.schema.columns[$0]) }, style)
    format.begin(&output)
    for record in records {
      format.append(columns == nil ? record.values : positions.map { record.values[$0] }, to: &output)
      try output.flushIfFull()
    }
    try format.end(&output)
    try output.flush()
  }
}
