/// `repokit import`: fills a table from a CSV file.
struct ImportCommand: Command {
  static let description = CommandDescription(
    name: "import", summary: "Makes a table of a CSV file, or adds the file's rows to one.",
    examples: [
      .init(
        arguments: "import pokedex.sqlite pokemon pokedex.csv --key id",
        meaning: "A new table, and a new database if need be."),
      .init(
        arguments: "import pokedex.sqlite pokemon more.csv --upsert",
        meaning: "Adds rows, and replaces those with the same key."),
      .init(
        arguments: "import pokedex.sqlite caught - --append < caught.csv",
        meaning: "Adds rows from the standard input."),
    ],
    positionals: [database, table, file], options: [key, append, replace, upsert],
    notes: [
      .paragraph(
        "All or nothing: where anything is wrong with the file, the database stays as it was, and a new one is not "
          + "made."),
      .paragraph(
        "A new table's columns hold integers, reals or texts, by all lines of the file. A number with leading zeros is a "
          + "text, as an integer would lose them. An empty field is null, and a quoted empty one the empty text. A column "
          + "that is never empty may not be null."),
      .paragraph(
        "With --append and --upsert, the file's columns are matched with the table's by name, in any order. One that the "
          + "file lacks becomes null."),
    ])

  private static let database = PositionalDescription(
    name: "DATABASE", help: "The SQLite database file; made if there is none.")
  private static let table = PositionalDescription(name: "TABLE", help: "The table.")
  private static let file = PositionalDescription(
    name: "FILE", help: "The CSV file, whose first line names the columns; - for the standard input.")

  private static let key = OptionDescription(
    name: "--key", value: "K[,K2]", help: "The columns that identify a row of the new table.",
    excluded: ["--append", "--upsert"], exclusionReason: "a table that exists keeps its key")
  private static let append = OptionDescription(
    name: "--append", help: "Adds the rows to the table; a key that exists is a conflict.",
    excluded: ["--replace", "--upsert"])
  private static let replace = OptionDescription(
    name: "--replace", help: "Drops the table, and makes it anew.", excluded: ["--append", "--upsert"])
  private static let upsert = OptionDescription(
    name: "--upsert", help: "Adds the rows to the table; one with the same key is replaced.",
    excluded: ["--append", "--replace"])

  private let database: DatabaseFile
  private let table: String
  private let file: String
  private let key: [String]
  private let mode: ImportMode

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseFile(try arguments.required(Self.database))
    table = try arguments.required(Self.table)
    file = try arguments.required(Self.file)
    key = try arguments.names(Self.key) ?? []
    let modes: [(OptionDescription, ImportMode)] = [
      (Self.append, .append), (Self.replace, .replace), (Self.upsert, .upsert),
    ]
    mode = modes.first { arguments.has($0.0) }?.1 ?? .create
  }

  func run(_ console: Console) async throws {
    Interruption.postpone()
    let input = try CSVInput(file)
    let report = try Importer(database: database, table: table, input: input, key: key, mode: mode).run()
    console.report(TerminalText.visible(report.description) + "\n")
  }
}
