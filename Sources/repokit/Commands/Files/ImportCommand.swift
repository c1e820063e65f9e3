import CSV
import Query
import Repository
import RowImport
import SQLiteStore

/// `repokit import`: fills a table from files.
struct ImportCommand: Command {
  static let description = CommandDescription(
    name: "import", summary: "Create a table from files, or add the rows of files to a table.",
    examples: [
      .init(
        arguments: "import pokedex.sqlite pokemon pokedex.csv --key id",
        meaning: "Create a table, and the database if needed."),
      .init(
        arguments: "import pokedex.sqlite pokemon more.csv --upsert",
        meaning: "Add rows, and replace rows with the same key."),
      .init(
        arguments: "import pokedex.sqlite pokemon more.csv --upsert --widen",
        meaning: "Same, adding missing columns and widening types."),
      .init(
        arguments: "import pokedex.sqlite caught - --from ndjson --append < caught",
        meaning: "Add rows from the standard input."),
      .init(
        arguments: "import pokedex.sqlite sales sales.txt --skip-lines 2 --comment \"#\" --pad",
        meaning: "Import a report with a title, remarks and short rows."),
      .init(
        arguments: "import pokedex.sqlite --table-per-file exports",
        meaning: "Create a table for each file of a directory."),
      .init(
        arguments: "import pokedex.sqlite seen 2024.csv 2025.csv --types code=text --dry-run",
        meaning: "Dry run of two files, with one column's type fixed."),
    ],
    positionals: [database, table, file],
    options: [InputArguments.from]
      + DelimitedArguments.options + [
        key, InputArguments.types, tablePerFile, createOnly, append, upsert, replace, by, widen, InputArguments.skipBad,
        dryRun,
      ],
    notes: [
      .list("Formats", InputFormat.allCases.map { ($0.rawValue, $0.help) }),
      .paragraph(
        "An import into a table is all or nothing: if a file has an error, or Control-C interrupts the import, the database "
          + "stays unchanged, and repokit creates no new file. With --skip-bad, repokit skips rows that can't be "
          + "imported, reports the first ten, counts all, and exits with 0. An error in the file itself, such as a "
          + "quote without an end, still stops the import."),
      .paragraph(
        "repokit detects the delimiter of CSV files among , ; | and tabs, and reports the delimiter unless it is a "
          + "comma. If a file has one column and the column's name contains a delimiter, write --delimiter."),
      .paragraph("repokit unpacks .gz files with the system's gzip."),
      .paragraph(
        "For a new table, repokit reads all lines of the files, and makes each column integer, real or text. A "
          + "number with leading zeros is text, to keep the zeros. All columns except the key accept nulls, since "
          + "a later file may have missing values."),
      .paragraph(
        "From JSON, true and false become 1 and 0; arrays and objects become JSON text. In a new table, a missing "
          + "key is null, and a column of numbers and text gets the type any. Base64 becomes bytes only in blob "
          + "columns: --types photo=blob."),
      .paragraph(
        "--append and --upsert match columns by name, in any order. If a file or a JSON object lacks a column, new "
          + "rows get the column's default, and existing rows keep the column's value. repokit never sets a "
          + "computed column. For a new table, all files need the same columns."),
      .paragraph(
        "With --upsert, an existing row keeps its primary key, and the file's columns replace the row's values. A "
          + "file may contain only some columns, including those of the key or of --by."),
      .paragraph(
        "With --widen, an integer column becomes real, and a column of numbers becomes text, if a file has such "
          + "values; repokit also adds missing columns. Everything else in the table stays."),
      .paragraph(
        "--replace drops the table with its rows and rules, and makes a new table from the files; --dry-run shows "
          + "the number of rows. Indexes, triggers, views and references to the table stay. If one of these does not fit the new table, or a row would "
          + "refer to a missing row, repokit changes nothing."),
    ])

  private static let database = PositionalDescription(
    name: "DATABASE",
    help: "An SQLite file, which repokit creates if missing, or a PostgreSQL database: postgresql://HOST/NAME.",
    completion: .file)
  private static let table = PositionalDescription(
    name: "TABLE", help: "The table (default: the name of the file, if there is one FILE).", isOptional: true,
    completion: .table)
  private static let file = PositionalDescription(
    name: "FILE", help: "The file; - for the standard input. Several files go into one table, all or none.",
    isRepeated: true, completion: .file)

  private static let key = OptionDescription(
    name: "--key", value: "K[,K2]", help: "Set the key of the new table: the columns that identify a row.",
    excluded: ["--append", "--upsert"], exclusionReason: "an existing table keeps its key")
  private static let createOnly = OptionDescription(
    name: "--create-only",
    help: "Create the table; fail if it exists (default).",
    excluded: ["--append", "--replace", "--upsert"])
  private static let append = OptionDescription(
    name: "--append", help: "Add the rows to the table; fail if a key exists.",
    excluded: ["--create-only", "--replace", "--upsert"])
  private static let replace = OptionDescription(
    name: "--replace", help: "Drop the table, and create it again.",
    excluded: ["--create-only", "--append", "--upsert"])
  private static let upsert = OptionDescription(
    name: "--upsert", help: "Add the rows to the table, and replace rows with the same key.",
    excluded: ["--create-only", "--append", "--replace"])
  private static let by = OptionDescription(
    name: "--by", value: "K[,K2]",
    help: "With --upsert, find rows by these unique columns (default: the primary key).",
    completion: .columns)
  private static let widen = OptionDescription(
    name: "--widen",
    help: "With --append or --upsert, add missing columns, and widen types of columns of numbers to fit the files.",
    excluded: ["--create-only", "--replace"])
  private static let tablePerFile = OptionDescription(
    name: "--table-per-file",
    help: "Import each file into a table named after the file, without a TABLE; a directory means its files.",
    excluded: ["--append", "--upsert", "--by", "--key", "--types", "--widen"],
    exclusionReason: "each file makes a new table")
  private static let dryRun = OptionDescription(
    name: "--dry-run", help: "Run the import, report the result, and roll back.")

  private let database: DatabaseLocation
  private let job: TableImport.Job
  /// The tables, each with its files.
  private let tables: [(name: String, files: [String])]
  private let format: InputFormat?
  private let options: DelimitedOptions

  init(_ arguments: Arguments) throws(Failure) {
    let modes: [(OptionDescription, ImportMode)] = [
      (Self.append, .append), (Self.replace, .replace), (Self.upsert, .upsert),
    ]
    database = DatabaseLocation(try arguments.required(Self.database))
    job = TableImport.Job(
      table: "", key: try arguments.names(Self.key) ?? [],
      types: try ColumnTypes.read(InputArguments.types, of: arguments),
      mode: modes.first { arguments.has($0.0) }?.1 ?? .create, isDryRun: arguments.has(Self.dryRun),
      skipsBadRows: arguments.has(InputArguments.skipBad), uniqueColumns: try arguments.names(Self.by) ?? [],
      isWidening: arguments.has(Self.widen))
    if !job.uniqueColumns.isEmpty, job.mode != .upsert {
      throw arguments.command.usageError(
        "--by requires --upsert", suggestion: "--key sets the key of a new table"
      )
    }
    if job.isWidening, job.mode != .upsert, job.mode != .append {
      throw arguments.command.usageError("--widen requires --append or --upsert")
    }
    tables = try Self.tables(arguments)
    format = try arguments.choice(InputArguments.from, of: InputFormat.self)
    options = try DelimitedArguments.read(arguments)
  }

  /// Returns the tables to import into, each with its files.
  private static func tables(_ arguments: Arguments) throws(Failure) -> [(name: String, files: [String])] {
    let (table, files) = (arguments.all(Self.table).first, arguments.all(file))
    if arguments.has(tablePerFile) {
      var tables: [(name: String, files: [String])] = []
      for path in [table].compactMap(\.self) + files {
        let paths = try Failure.translating { () throws(ImportError) in try InputFile.paths(of: path) }
        tables += paths.map { (InputArguments.tableName(of: $0), [$0]) }
      }
      for (position, table) in tables.enumerated() {
        guard let other = tables[..<position].first(where: { Name($0.name).equalsFolded(table.name) }) else { continue }
        throw arguments.command.usageError(
          "\(other.files[0]) and \(table.files[0]) have the same table name, \(table.name)",
          suggestion: "import one of the files by itself, with a TABLE")
      }
      return tables
    }
    guard let table else {
      if files == ["-"] {
        throw arguments.command.usageError("TABLE is missing", suggestion: "name the table for the standard input")
      }
      if InputFormat(ofPath: files[0]) == nil, FileKind(ofPath: files[0]) == .missing {
        throw arguments.command.usageError("FILE is missing", suggestion: "there is no file \(files[0])")
      }
      return [(InputArguments.tableName(of: files[0]), files)]
    }
    if InputFormat(ofPath: table) != nil, FileKind(ofPath: table) != .missing {
      throw arguments.command.usageError(
        "\(table) is a file, and TABLE is missing",
        suggestion: "name the table before the files, or add \(tablePerFile.name) for a table of each file's name")
    }
    return [(table, files)]
  }

  func run(_ console: Console) async throws {
    for (table, files) in tables {
      var job = job
      job.table = table
      try importFiles(files, job, console)
    }
  }

  private func importFiles(_ files: [String], _ job: TableImport.Job, _ console: Console) throws {
    Interruption.postpone("repokit imported nothing\(tables.count > 1 ? " into \(job.table)" : "")")
    let progress = ImportProgress(ProgressBar(console), readsStandardInput: files.contains("-"))
    let inputs = try files.map {
      try InputFile(opening: $0, format, options, skipsBadRows: job.skipsBadRows, progress)
    }
    let report = try run(inputs, job, progress)
    for note in report.notes { console.say("note: \(note)") }
    if let skipped = report.skippedRows { console.say("\(skipped)") }
    console.say(report.description)
  }

  private func run(
    _ inputs: [InputFile], _ job: TableImport.Job, _ progress: ImportProgress
  ) throws(Failure) -> ImportReport {
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
      throw Failure("\(database.name): the database rolled back the import", details: [error.reason])
    }
  }
}
