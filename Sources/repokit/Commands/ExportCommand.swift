import Query
import Repository
import SQLStore

/// `repokit export`: writes rows to a file.
struct ExportCommand: Command {
  static let description = CommandDescription(
    name: "export", summary: "Writes the rows of a table that match a query to a file.",
    examples: [
      .init(
        arguments: "export pokedex.sqlite pokemon pokemon.csv", meaning: "All rows; the file's name tells the format."),
      .init(
        arguments: "export pokedex.sqlite pokemon \"type1 = 'fire'\" fire.json --columns id,name --force",
        meaning: "Some of them, two columns, in the place of the file that is there."),
      .init(
        arguments: "export pokedex.sqlite pokemon - --format ndjson",
        meaning: "For other programs."),
    ],
    positionals: [.source, .table, .condition, file],
    options: [
      format, ColumnArguments.columns, .distinct, sort, .limit, FullTextMatch.option, .dates, .parameter,
      OutputFile.force,
    ],
    notes: [
      .queries, .parameters,
      .list("Formats", FormatName.allCases.map { ($0.rawValue, $0.help) }),
      .paragraph(
        "The file is written under another name beside it, and gets its own when all of it is on the disk: where "
          + "anything fails, and where you stop it by Control-C, nothing is left of it, and a file that was there stays "
          + "as it was. One that exists is not replaced without --force."),
      .paragraph(
        "csv, tsv, json and ndjson are read back by repokit import, exactly where each column holds values of one "
          + "type and that is given: a table that exists has its own, and a new one gets them by --types. Bytes among "
          + "texts are read back as texts; sql keeps them apart."),
      InputArguments.note,
    ])

  private static let file = PositionalDescription(
    name: "FILE", help: "The file to make; - for the standard output.", completion: .file)
  private static let format = OptionDescription.format("One of the formats below, where the file's name does not tell.")
  private static let sort = OptionDescription(
    name: "--sort", value: "SORT",
    help: "Keys between commas, as for query. By primary key if it is left out, or else as the table has the rows.",
    completion: .columns)

  private let rows: RowArguments
  private let file: String
  private let sort: String?
  private let limit: Int?
  private let columns: ColumnArguments
  private let isDistinct: Bool
  private let format: FormatName?
  private let replaces: Bool

  init(_ arguments: Arguments) throws(Failure) {
    rows = try RowArguments(arguments)
    file = try arguments.required(Self.file)
    let reader = QueryReader(rows.parameters)
    sort = arguments[Self.sort]
    if let sort { _ = try reader.sort(sort) }
    limit = try arguments.integer(.limit)
    columns = try ColumnArguments(arguments, reader)
    isDistinct = arguments.has(.distinct)
    try rows.parameters.checkUsed()
    format = try arguments.choice(Self.format, of: FormatName.self) ?? FormatName(ofPath: file)
    replaces = arguments.has(OutputFile.force)
    if format == nil, file != "-" {
      throw arguments.command.usageError(
        "the name of \(file) tells no format", suggestion: "--format says which, or a name such as \(file).csv")
    }
  }

  func run(_ console: Console) async throws {
    guard file != "-" else {
      let format = format ?? console.format
      let export = try export(of: rows.database.open(.readOnly), in: format, console)
      _ = try export.write(format, console.style, to: console.output(), cancellable: false)
      return
    }
    Interruption.postpone("nothing was exported")
    let target = try OutputFile(file, replaces: replaces, from: rows.database)
    defer { target.discard() }
    let format = format ?? .csv
    let export = try export(of: rows.database.open(.readOnly), in: format, console)
    let bar = ProgressBar(console)
    defer { bar.end() }
    bar.begin("writing \(rows.table)", total: nil, isSlow: sort != nil)
    let count: Int
    do {
      let buffer = OutputBuffer { bytes throws(OutputError) in
        do throws(Failure) { try target.write(bytes) } catch { throw .failure(error) }
      }
      count = try export.write(format, target.style(), to: buffer, cancellable: true, bar: bar)
    } catch OutputError.failure(let failure) {
      // The standard output is unchanged.
      throw failure
    }
    try target.finish()
    bar.end()
    console.report(TerminalText.visible("exported \(count.of("row")) of \(rows.table) to \(file)") + "\n")
  }

  private func export(
    of store: SQLDatabase, in format: FormatName, _ console: Console
  ) throws(Failure) -> RowExport {
    let table = try rows.queriedTable(in: store, console)
    let reader = rows.reader(in: table, of: store)
    let query = try rows.query(reader)
    let columns = try columns.columns(
      in: table, showing: try store.columns(columns.names, of: table, in: format, console), reader)
    let sort = try sort.map { text throws(Failure) in try reader.sort(text, of: columns) }
    let request = ProjectionRequest(
      columns, of: FetchRequest(query, sortedBy: sort ?? .primaryKey, limit: limit), isDistinct: isDistinct)
    // To sort by all columns what has no key would take long, and give it another order than the table's.
    return try RowExport(
      table, in: store, request, isSorted: sort != nil || !table.primaryKey.isEmpty,
      showing: rows.dates.formatter(of: columns.map(\.expression.plainKey)))
  }
}

extension FormatName {
  /// The format by a file's name; `nil` where the name implies none.
  init?(ofPath path: String) {
    guard let name = path.split(separator: "/").last, let point = name.lastIndex(of: ".") else { return nil }
    let suffix = name[name.index(after: point)...].lowercased()
    switch suffix {
    case "tab": self = .tsv
    case "jsonl": self = .ndjson
    case "md": self = .markdown
    case "txt": self = .table
    case "htm": self.init(rawValue: "html")
    default: self.init(rawValue: suffix)
    }
  }
}
