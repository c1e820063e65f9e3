import Query
import Repository
import SQLInspection
import SQLStore

/// `repokit query`: shows rows.
struct QueryCommand: Command {
  static let description = CommandDescription(
    name: "query", summary: "Show the rows that match a query.",
    examples: [
      .init(
        arguments: "query pokedex.sqlite pokemon \"type1 = 'fire' and weight > 90\" --sort=-weight,name",
        meaning: "Heavy Pokémon, heaviest first; ties by name."),
      .init(
        arguments: "query pokedex.sqlite pokemon \"weight > :least\" --param least=90 --page 20 --columns id,name",
        meaning: "First page of twenty rows, two columns, and a cursor for the next page."),
      .init(
        arguments: "query pokedex.sqlite pokemon --columns type1,type2 --distinct",
        meaning: "Distinct pairs of types."),
      .init(
        arguments:
          "query pokedex.sqlite pokemon --top 1 --by type1 --sort=-weight --columns \"type1, name, weight * 2.2 as pounds\"",
        meaning: "The heaviest Pokémon of each type, with the weight in pounds."),
      .init(
        arguments: "query pokedex.csv \"weight > 300\" --columns id,name",
        meaning: "Query a file of rows directly."),
      .init(
        arguments:
          "query orders.csv \"customer.country = 'DE'\" --with customers.csv --reference customer=customers.id",
        meaning: "Query two files, one of which refers to the other."),
      .init(
        arguments: "query pokedex.sqlite pokemon \"habitat is null\" --format json > rare.json",
        meaning: "Export JSON for other programs, with exact values and types."),
    ],
    positionals: [.source, .table, .condition],
    options: [
      .sort, .limit, .offset, page, after, ColumnArguments.columns, .distinct, ColumnArguments.top, ColumnArguments.by,
      FullTextMatch.option, .dates, .parameter, .format, .wrap, .blobs, .engine,
    ],
    notes: [
      InputArguments.note, FullTextMatch.note, .queries, .parameters,
      .list("Formats", FormatName.allCases.map { ($0.rawValue, $0.help) }),
      .paragraph(
        "A table is as wide as the terminal; repokit cuts long text with …, but never numbers. The first 500 rows "
          + "set the column widths. In a file, repokit cuts nothing, and long text shifts the rest of its line."),
      .paragraph(
        "repokit never sends control characters to a terminal: json and sql escape them, and other formats show "
          + "symbols such as ␛. In a file, csv, tsv, json and sql are exact."),
    ])

  private static let page = OptionDescription(
    name: "--page", value: "SIZE",
    help: "Print a page of SIZE rows; the next page's cursor goes to stderr.",
    excluded: ["--limit", "--offset", "--distinct", "--top"])
  private static let after = OptionDescription(
    name: "--after", value: "CURSOR", help: "Show only the rows after the page with this cursor.",
    excluded: ["--offset", "--distinct", "--top"])

  private let rows: RowArguments
  private let shown: RequestArguments
  private let page: Int?
  private let after: Cursor?
  private let format: FormatName?
  private var options = FormatOptions()

  init(_ arguments: Arguments) throws(Failure) {
    rows = try RowArguments(arguments)
    shown = try RequestArguments(arguments, rows.parameters)
    page = try arguments.integer(Self.page)
    if let page, page < 1 {
      throw arguments.command.usageError("\(Self.page.name): the size must be at least 1")
    }
    do throws(QueryError) {
      after = try arguments[Self.after].map { text throws(QueryError) in try Cursor(parsing: text) }
    } catch {
      throw Failure(error).at(Self.after.name)
    }
    format = try arguments.choice(.format, of: FormatName.self)
    options.blobs = try arguments.choice(.blobs, of: BlobEncoding.self)
    options.wraps = arguments.has(.wrap)
    options.table = rows.table
    options.isForPostgres = rows.database.path == nil
  }

  func run(_ console: Console) async throws {
    let table = try rows.openTable(console)
    let schema = table.schema
    let reader = rows.reader(in: schema, of: table.store)
    let query = try rows.query(reader)
    var request = try shown.request(
      query, in: schema,
      showing: try table.store.columns(shown.columns.names, of: schema, in: format ?? console.format, console), reader)
    let sort = request.rows.sort
    if let page {
      if schema.primaryKey.isEmpty { throw Self.noPages(of: schema) }
      if let term = sort.terms.first(where: { $0.key.plainKey == nil }) {
        throw Failure(
          "pages can't follow the order of \(term.key)",
          details: ["use \(OptionDescription.limit.name) and --offset"],
          status: .usageError)
      }
      // One row more shows whether there is a next page.
      request.rows.limit = page == .max ? page : page + 1
    }
    request.rows.after = after
    let headings = try Failure.translating { try table.headings(of: request) }
    let asDates = rows.dates.formatter(of: request.columns.map(\.expression.plainKey))
    if page != nil { request.columns += try sortKeys(sort, in: schema).map { .key(schema.columns[$0].name) } }

    let bar = ProgressBar(console)
    defer { bar.end() }
    // Only what sorts works before its first row.
    if !sort.terms.isEmpty { bar.begin("sorting \(rows.table)", total: nil, isSlow: rows.database.isLarge) }
    let printer = try RowPrinter(console, headings, format: format, options: options)
    var next: [Value]?
    var last: [Value] = []
    do {
      try table.forEachRow(request, isSorted: !sort.terms.isEmpty || !schema.primaryKey.isEmpty) { row in
        bar.end()
        guard let page else { return printer.append(asDates(row)) }
        if printer.count == page {
          next = last
          return false
        }
        last = row
        return printer.append(asDates(Array(row.prefix(headings.count))))
      }
    } catch {
      if printer.count > 0 { printer.abandon() }
      throw Failure(translating: error)
    }
    try printer.finish()
    if let next {
      console.reportResult(
        "next page: \(Self.after.name) \(try cursor(at: Array(next[headings.count...]), in: schema, sortedBy: sort))\n")
    }
    table.reportNotes(
      on: query, keys: sort.terms.compactMap(\.key.plainKey),
      isEmpty: printer.count == 0 && after == nil && shown.offset == 0 && shown.limit != 0, console)
  }

  /// The positions of the columns by which rows are sorted.
  private func sortKeys(_ sort: AnySort, in schema: TableSchema) throws(Failure) -> [Int] {
    try Failure.translating { try FetchRequest(sortedBy: sort).resolved(in: schema).sort.terms.map(\.column) }
  }

  /// - Parameter values: those of the columns by which rows are sorted.
  private func cursor(
    at values: [Value], in schema: TableSchema, sortedBy sort: AnySort
  ) throws(Failure) -> Cursor {
    var row = [Value](repeating: .null, count: schema.columns.count)
    for (column, value) in zip(try sortKeys(sort, in: schema), values) { row[column] = value }
    return try Failure.translating { try Cursor(at: row, in: schema, sortedBy: sort) }
  }

  private static func noPages(of schema: TableSchema) -> Failure {
    Failure(
      "\(schema.name) has no primary key, so there are no cursors",
      details: [
        "a page could end between equal rows", "use --limit and --offset",
      ], status: .usageError)
  }
}

/// `repokit count`: counts rows.
struct CountCommand: Command {
  static let description = CommandDescription(
    name: "count", summary: "Count the rows that match a query.",
    examples: [
      .init(arguments: "count pokedex.sqlite pokemon \"legendary = true\"", meaning: "Print a number only."),
      .init(
        arguments: "count pokedex.sqlite pokemon --columns type1,type2 --distinct",
        meaning: "Count the distinct pairs of types."
      ),
    ],
    positionals: [.source, .table, .condition],
    options: [.distinct, ColumnArguments.columns, FullTextMatch.option, .dates, .parameter, .engine],
    notes: [InputArguments.note, FullTextMatch.note, .queries, .parameters])

  private let rows: RowArguments
  private let counted: RequestArguments
  private let isDistinct: Bool

  init(_ arguments: Arguments) throws(Failure) {
    rows = try RowArguments(arguments)
    counted = try RequestArguments(arguments, rows.parameters)
    isDistinct = arguments.has(.distinct)
    if arguments[ColumnArguments.columns] != nil, !isDistinct {
      throw arguments.command.usageError(
        "--columns requires --distinct", reason: "columns don't change the number of rows")
    }
  }

  func run(_ console: Console) async throws {
    let table = try rows.openTable(console)
    let reader = rows.reader(in: table.schema, of: table.store)
    let query = try rows.query(reader)
    let count = try Failure.translating {
      guard isDistinct else { return try table.count(query) }
      return try table.countRows(try counted.request(query, in: table.schema, reader))
    }
    try console.print("\(count)\n")
    table.reportNotes(on: query, isEmpty: count == 0, console)
  }
}
