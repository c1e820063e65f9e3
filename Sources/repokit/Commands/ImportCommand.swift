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
    options: [from]
      + DelimitedArguments.options + [key, types, createOnly, append, upsert, replace, skipBad, dryRun],
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
          + "a text, as an integer would lose them. A column that is never empty may not be null."),
      .paragraph(
        "In JSON, true and false become 1 and 0, and lists and objects are kept as JSON texts. In a new table, a key that "
          + "is missing is null. A column of numbers and texts gets the type any, which keeps both. Bytes are Base64, for "
          + "columns of blobs alone: --types photo=blob."),
      .paragraph(
        "With --append and --upsert, the files' columns are matched with the table's by name, in any order. One that "
          + "a file or a JSON object does not name gets its default in new rows, and stays as it is in others. One that the "
          + "table computes is left to it. A new table needs the same columns of all its files."),
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

  private static let from = OptionDescription(
    name: "--from", value: "FORMAT",
    help: "The format, where the file's name does not tell: csv if it is left out.",
    completion: .words(InputFormat.allCases.map(\.rawValue)))
  private static let key = OptionDescription(
    name: "--key", value: "K[,K2]", help: "The columns that identify a row of the new table.",
    excluded: ["--append", "--upsert"], exclusionReason: "a table that exists keeps its key")
  private static let types = OptionDescription(
    name: "--types", value: "A=TYPE,…",
    help: "The types of some columns of the new table: integer, real, text, blob or any.",
    excluded: ["--append", "--upsert"], exclusionReason: "a table that exists keeps its types")
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
  private static let skipBad = OptionDescription(
    name: "--skip-bad", help: "Leaves out rows that can't be imported, and counts them.")
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
      types: try ColumnTypes.read(Self.types, of: arguments),
      mode: modes.first { arguments.has($0.0) }?.1 ?? .create, isDryRun: arguments.has(Self.dryRun),
      skipsBadRows: arguments.has(Self.skipBad))
    files = arguments.all(Self.file)
    format = try arguments.choice(Self.from, of: InputFormat.self)
    options = try DelimitedArguments.read(arguments)
  }

  func run(_ console: Console) async throws {
    Interruption.postpone()
    let progress = ImportProgress(ProgressBar(console))
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
      // What the library suggests is for programmers.
      throw Failure("\(database.name): the database undid the import", details: [error.reason])
    }
  }
}

/// Types of columns as an option gives them: `code=text,weight=real`.
enum ColumnTypes {
  /// Reads an option.
  static func read(
    _ option: OptionDescription, of arguments: Arguments
  ) throws(Failure) -> [(column: String, type: ValueType)] {
    guard let pairs = try arguments.names(option) else { return [] }
    var types: [(column: String, type: ValueType)] = []
    for pair in pairs {
      // A name may hold an equals sign, a type does not.
      guard let sign = pair.lastIndex(of: "="), sign != pair.startIndex else {
        throw arguments.command.usageError(
          "\(option.name): \(TerminalText.quoted(pair)) gives no column a type",
          suggestion: "write a column, = and its type: code=text")
      }
      let column = String(pair[..<sign])
      let name = String(pair[pair.index(after: sign)...])
      guard let type = ValueType(rawValue: name) else {
        throw arguments.command.usageError(
          "\(option.name): \(TerminalText.quoted(name)) is no type",
          suggestion: .among(ValueType.allCases.map(\.rawValue), nearestTo: name))
      }
      if types.contains(where: { Name($0.column) == column }) {
        throw arguments.command.usageError("\(option.name): \(column) stands there twice")
      }
      types.append((column, type))
    }
    return types
  }
}

/// Shows on the terminal how far an import is, and stops it on request.
private final class ImportProgress: ImportObserver {
  private let bar: ProgressBar

  init(_ bar: ProgressBar) {
    self.bar = bar
  }

  func beginWork(_ work: String, total: Int?) { bar.begin(work, total: total) }
  func update(rows: Int?, bytes: Int) { bar.update(rows: rows, bytes: bytes) }
  func endWork() { bar.end() }
  func skipped(_ error: ImportError) { bar.report(Failure(error).at("skipped").summary + "\n") }
  func checkCancellation() throws { try Interruption.check() }
}
