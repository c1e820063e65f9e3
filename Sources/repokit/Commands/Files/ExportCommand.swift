import Query
import Repository
import SQLStore

/// `repokit export`: writes rows to a file.
struct ExportCommand: Command {
  static let description = CommandDescription(
    name: "export", summary: "Write the rows that match a query to a file.",
    examples: [
      .init(
        arguments: "export pokedex.sqlite pokemon pokemon.csv",
        meaning: "Export all rows in the format of the file's name."),
      .init(
        arguments: "export pokedex.sqlite pokemon \"type1 = 'fire'\" fire.json --columns id,name --force",
        meaning: "Export two columns of some rows, and replace the existing file."),
      .init(
        arguments: "export pokedex.sqlite pokemon - --format ndjson",
        meaning: "Write to the standard output for another program."),
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
        "repokit writes a temporary file, then renames the file. If the export fails, or Control-C interrupts the "
          + "export, no partial file remains, and an existing file stays unchanged. Replacing an existing file "
          + "requires --force. The system's gzip compresses a file whose name ends with .gz."),
      .paragraph(
        "repokit import reads csv, tsv, json and ndjson back exactly, provided that each column has one type and "
          + "the table or --types declares the type. A column that mixes bytes and text reads back as text; sql keeps "
          + "both."),
      InputArguments.note,
    ])

  private static let file = PositionalDescription(
    name: "FILE", help: "The file to create; - for the standard output.", completion: .file)
  private static let format = OptionDescription.format("Set the format, see below (default: by the file's name).")
  private static let sort = OptionDescription(
    name: "--sort", value: "SORT",
    help: "Sort by these keys, as in query (default: the primary key, else the table's order).",
    completion: .columns)

  private let rows: RowArguments
  private let file: String
  private let shown: RequestArguments
  private let format: FormatName?
  private let replaces: Bool

  init(_ arguments: Arguments) throws(Failure) {
    let arguments = Self.inOrder(arguments)
    rows = try RowArguments(arguments)
    file = try arguments.required(Self.file)
    shown = try RequestArguments(arguments, rows.parameters)
    format = try arguments.choice(Self.format, of: FormatName.self) ?? FormatName(ofPath: file)
    replaces = arguments.has(OutputFile.force)
    if format == nil, file != "-", arguments[RowTextOptions.separator] == nil {
      let name = file.lowercased().hasSuffix(".gz") ? "\(file.dropLast(3)).csv.gz" : "\(file).csv"
      throw arguments.command.usageError(
        "can't infer a format from the name \(file)", suggestion: "write --format, or a name such as \(name)")
    }
  }

  /// The call with the condition before the file, which users of the other commands write in the other order.
  private static func inOrder(_ arguments: Arguments) -> Arguments {
    guard let first = arguments[.condition], let last = arguments[file],
      first == "-" || FormatName(ofPath: first) != nil,
      last != "-", FormatName(ofPath: last) == nil
    else { return arguments }
    let parameters = (try? Parameters(arguments)) ?? nil
    func isQuery(_ text: String) -> Bool { parameters.map { (try? QueryReader($0).query(text)) != nil } ?? false }
    return !isQuery(first) && isQuery(last) ? arguments.swapping(.condition, file) : arguments
  }

  func run(_ console: Console) async throws {
    guard file != "-" else {
      let format = format ?? console.format
      let export = try export(of: rows.database.open(.readOnly), in: format, console)
      _ = try export.write(
        format, console.settings.rowText, console.style, to: console.output(), cancellable: false)
      return
    }
    Interruption.postpone("repokit exported nothing")
    let target = try OutputFile(file, replaces: replaces, from: rows.database)
    let format = format ?? .raw
    let export = try export(of: rows.database.open(.readOnly), in: format, console)
    let bar = ProgressBar(console)
    defer { bar.end() }
    bar.begin("writing \(rows.table)", total: nil, isSlow: shown.isSorted)
    let count = try target.write {
      try export.write(
        format, console.settings.rowText, target.style(), to: $0, cancellable: true, bar: bar)
    }
    bar.end()
    console.say("exported \(count.of("row")) of \(rows.table) to \(file)")
  }

  private func export(
    of store: SQLDatabase, in format: FormatName, _ console: Console
  ) throws(Failure) -> RowExport {
    let table = try rows.queriedTable(in: store, console)
    let reader = rows.reader(in: table, of: store)
    let request = try shown.request(
      try rows.query(reader), in: table,
      showing: try store.columns(shown.columns.names, of: table, in: format, console), reader)
    // To sort by all columns what has no key would take long, and give it another order than the table's.
    return try RowExport(
      table, in: store, request, isSorted: shown.isSorted || !table.primaryKey.isEmpty,
      showing: rows.dates.formatter(of: request.columns.map(\.expression.plainKey)))
  }
}

extension FormatName {
  /// The format by a file's name; `nil` where the name implies none.
  init?(ofPath path: String) {
    guard var name = path.split(separator: "/").last else { return nil }
    if name.lowercased().hasSuffix(".gz") { name = name.dropLast(3) }
    guard let point = name.lastIndex(of: ".") else { return nil }
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
