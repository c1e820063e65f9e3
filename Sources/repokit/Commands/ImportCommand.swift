import CSV
import Query
import Repository
import RowImport
import SQLiteStore

/// `repokit import`: fills a table from files.
struct ImportCommand: Command {
  static let description = CommandDescription(
    name: "import", summary: "Makes a table of files, or adds the rows of files to one.",
    examples: [
      .init(
        arguments: "import pokedex.sqlite pokemon pokedex.csv --key id",
        meaning: "A new table, and a new database if need be."),
      .init(
        arguments: "import pokedex.sqlite pokemon more.csv --upsert",
        meaning: "Adds rows, and replaces those with the same key."),
      .init(
        arguments: "import pokedex.sqlite pokemon more.csv --upsert --widen",
        meaning: "The same, and the table gets the columns and the types that it lacks."),
      .init(
        arguments: "import pokedex.sqlite caught - --from ndjson --append < caught",
        meaning: "Adds rows from the standard input."),
      .init(
        arguments: "import pokedex.sqlite sales sales.txt --skip-lines 2 --comment \"#\" --pad",
        meaning: "A report with a title, remarks and records that end early."),
      .init(
        arguments: "import pokedex.sqlite seen 2024.csv 2025.csv --types code=text --dry-run",
        meaning: "What would become of two files, one type of it given."),
    ],
    positionals: [database, table, file],
    options: [InputArguments.from]
      + DelimitedArguments.options + [
        key, InputArguments.types, createOnly, append, upsert, replace, by, widen, InputArguments.skipBad, dryRun,
      ],
    notes: [
      .list("Formats", InputFormat.allCases.map { ($0.rawValue, $0.help) }),
      .paragraph(
        "All or nothing: where anything is wrong with a file, the database stays as it was, and a new one is not "
          + "made. Control-C does the same. With --skip-bad, rows that can't be imported are left out, the first ten are "
          + "told, all are counted, and the exit status is 0 nevertheless; what breaks the file itself, such as a quote "
          + "that is never closed, still ends it."),
      .paragraph(
        "What separates the fields of CSV is found out among , ; | and tabs, and told unless it is a comma. A file of one "
          + "column whose name holds one of them is refused until --delimiter says which."),
      .paragraph("A file that gzip packed is unpacked by the system's gzip."),
      .paragraph(
        "A new table's columns hold integers, reals or texts, by all lines of the files. A number with leading zeros is "
          + "a text, as an integer would lose them. All columns but the key may be null, since the next file may "
          + "lack what this one has."),
      .paragraph(
        "In JSON, true and false become 1 and 0, and lists and objects are kept as JSON texts. In a new table, a key that "
          + "is missing is null. A column of numbers and texts gets the type any, which keeps both. Bytes are Base64, for "
          + "columns of blobs alone: --types photo=blob."),
      .paragraph(
        "With --append and --upsert, the files' columns are matched with the table's by name, in any order. One that "
          + "a file or a JSON object does not name gets its default in new rows, and stays as it is in others. One that the "
          + "table computes is left to it. A new table needs the same columns of all its files."),
      .paragraph(
        "With --upsert, a row that is there keeps its primary key, and gets what the file names. A file may name the columns "
          + "alone by which rows are found, and those to be set."),
      .paragraph(
        "With --widen, a column of integers becomes one of reals, and one of numbers one of texts, where a file has such; "
          + "a column that the table lacks is added. The rest of the table stays as it is."),
      .paragraph(
        "--replace drops the table with its rows and the rules of its columns, and makes a new one of the file alone; "
          + "--dry-run tells how many rows that are. Indexes, triggers, views and references to it stay, and where one of them "
          + "makes no sense with the new table, or a row would refer to none, it is named and nothing is changed."),
    ])

  private static let database = PositionalDescription(
    name: "DATABASE",
    help: "An SQLite file, made if there is none, or a PostgreSQL database as postgresql://HOST/NAME.",
    completion: .file)
  private static let table = PositionalDescription(name: "TABLE", help: "The table.", completion: .table)
  private static let file = PositionalDescription(
    name: "FILE", help: "The file; - for the standard input. The rows of several go into one table, all or none.",
    isRepeated: true, completion: .file)

  private static let key = OptionDescription(
    name: "--key", value: "K[,K2]", help: "The columns that identify a row of the new table.",
    excluded: ["--append", "--upsert"], exclusionReason: "a table that exists keeps its key")
  private static let createOnly = OptionDescription(
    name: "--create-only",
    help: "Makes a new table, and refuses where there is one of this name; so it is without any of these.",
    excluded: ["--append", "--replace", "--upsert"])
  private static let append = OptionDescription(
    name: "--append", help: "Adds the rows to the table; a key that exists is a conflict.",
    excluded: ["--create-only", "--replace", "--upsert"])
  private static let replace = OptionDescription(
    name: "--replace", help: "Drops the table, and makes it anew.",
    excluded: ["--create-only", "--append", "--upsert"])
  private static let upsert = OptionDescription(
    name: "--upsert", help: "Adds the rows to the table; one with the same key is replaced.",
    excluded: ["--create-only", "--append", "--replace"])
  private static let by = OptionDescription(
    name: "--by", value: "K[,K2]",
    help: "With --upsert: the unique columns by which a row is found; the primary key if it is left out.",
    completion: .columns)
  private static let widen = OptionDescription(
    name: "--widen",
    help: "With --append and --upsert: adds columns that the table lacks, and gives its columns of numbers types "
      + "that take what the files hold.", excluded: ["--create-only", "--replace"])
  private static let dryRun = OptionDescription(
    name: "--dry-run", help: "Does all of it, tells what came of it, and undoes it.")

  private let database: DatabaseLocation
  private let job: TableImport.Job
  private let files: [String]
  private let format: InputFormat?
  private let options: DelimitedOptions

  init(_ arguments: Arguments) throws(Failure) {
    let modes: [(OptionDescription, ImportMode)] = [
      (Self.append, .append), (Self.replace, .replace), (Self.upsert, .upsert),
    ]
    database = DatabaseLocation(try arguments.required(Self.database))
    job = TableImport.Job(
      table: try arguments.required(Self.table), key: try arguments.names(Self.key) ?? [],
      types: try ColumnTypes.read(InputArguments.types, of: arguments),
      mode: modes.first { arguments.has($0.0) }?.1 ?? .create, isDryRun: arguments.has(Self.dryRun),
      skipsBadRows: arguments.has(InputArguments.skipBad), uniqueColumns: try arguments.names(Self.by) ?? [],
      isWidening: arguments.has(Self.widen))
    if !job.uniqueColumns.isEmpty, job.mode != .upsert {
      throw arguments.command.usageError(
        "--by makes no sense without --upsert", suggestion: "--key names the columns that identify a row of a new table"
      )
    }
    if job.isWidening, job.mode != .upsert, job.mode != .append {
      throw arguments.command.usageError("--widen makes no sense without --append or --upsert")
    }
    files = arguments.all(Self.file)
    format = try arguments.choice(InputArguments.from, of: InputFormat.self)
    options = try DelimitedArguments.read(arguments)
  }

  func run(_ console: Console) async throws {
    Interruption.postpone("nothing was imported")
    let progress = ImportProgress(ProgressBar(console), readsStandardInput: files.contains("-"))
    let inputs = try files.map {
      try InputFile(opening: $0, format, options, skipsBadRows: job.skipsBadRows, progress)
    }
    let report = try run(inputs, progress)
    for note in report.notes { console.report("note: \(TerminalText.visible(note))\n") }
    if let skipped = report.skippedRows { console.report("\(skipped)\n") }
    console.report(TerminalText.visible(report.description) + "\n")
  }

  private func run(_ inputs: [InputFile], _ progress: ImportProgress) throws(Failure) -> ImportReport {
    let isNew = job.mode == .create || job.mode == .replace
    let file = database.path.map(NewFile.init)
    do {
      // Before the files are read, which may take long.
      let store = try database.open(isNew ? .create : .existing)
      let report = try TableImport(job, of: inputs, into: store, progress).run()
      if isNew, job.isDryRun { file?.removeIfEmpty() }
      return report
    } catch {
      if isNew { file?.removeIfEmpty() }
      // One of a row has become an error of the file.
      guard let error = error as? RepositoryError else { throw Failure(translating: error) }
      if error.code != .transactionEnded { throw database.failure(error) }
      // The library's suggestions are for programmers.
      throw Failure("\(database.name): the database undid the import", details: [error.reason])
    }
  }
}
