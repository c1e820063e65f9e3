import Query

// Descriptions of arguments that several commands have.
extension PositionalDescription {
  static let database = PositionalDescription(
    name: "DATABASE", help: "An SQLite file, or a PostgreSQL database: postgresql://HOST/NAME.", completion: .file)
  /// For commands that only read.
  static let source = PositionalDescription(
    name: database.name,
    help:
      "An SQLite file, a PostgreSQL database (postgresql://HOST/NAME), or a file of rows such as sales.csv (see below).",
    completion: .file, takesFiles: true)
  /// For features that only SQLite has.
  static let databaseFile = PositionalDescription(
    name: database.name, help: "The SQLite database file.", completion: .file)
  static let table = PositionalDescription(name: "TABLE", help: "The table or view.", completion: .table)
  static let condition = PositionalDescription(
    name: "WHERE", help: "A condition on rows, as one argument (default: all rows).", isOptional: true,
    completion: .query)
}

extension OptionDescription {
  static let parameter = OptionDescription(
    name: "--param", value: "NAME=VALUE", help: "Give the value of :NAME in the query and in expressions.",
    isRepeatable: true)
  static let sort = OptionDescription(
    name: "--sort", value: "SORT",
    help: "Sort by these keys: -key or key desc for descending, with nulls first or nulls last. Default: the primary "
      + "key; without a key, the database's own order.",
    completion: .columns)
  static let limit = OptionDescription(name: "--limit", value: "N", help: "Show at most N rows.")
  static let offset = OptionDescription(name: "--offset", value: "N", help: "Skip the first N rows.")
  static let columns = OptionDescription(
    name: "--columns", value: "A,B", help: "Show only these columns, in this order.", completion: .columns)
  static let distinct = OptionDescription(
    name: "--distinct", help: "Keep one of several equal rows, sorted by the columns.")
  static let dates = OptionDescription(
    name: "--dates", value: "A=FORM,…",
    help:
      "Read the numbers in column A as dates: unix (seconds), milliseconds, microseconds, julian, core-data, "
      + "core-data-nanoseconds or webkit. Queries compare the column with dates.")
  static let format = format("Set the format, see below (default: table on a terminal, else tsv).")
  static let wrap = OptionDescription(
    name: "--wrap", help: "Wrap long text in tables instead of cutting the text.")
  static let blobs = OptionDescription(
    name: "--blobs", value: "FORM", help: "Set the form of bytes: hex, x'00ff', or base64. sql always uses hex.",
    completion: .words(BlobEncoding.allCases.map(\.rawValue)))
}

extension Note {
  /// The help on parameters.
  static let parameters = Note.paragraph(
    "A query can contain parameters. --param gives the value of :NAME, and repokit never reads the value as a part "
      + "of the query. Next to text, the value is text, even if it looks like a number. Anywhere else, write the "
      + "value as in a query: 90, true, null, x'00ff' or '90'. repokit reads other values as text. If a column "
      + "stores dates as text, put the value in quotes."
  )

  /// The text form of queries, in short.
  static let queries = Note.list(
    "Queries",
    [
      ("weight > 90", "also = != < <= >=, with a value or a column"),
      ("weight between 10 and 20", "including 10 and 20"),
      ("type1 in ('fire', 'water')", "one of these values"),
      ("name contains 'saur'", "also starts with, ends with, and like 'Char%'"),
      ("habitat is null", "also is not null"),
      ("not legendary = 1", "the opposite; also not between, not in, …"),
      (
        "habitat != 'sea'",
        "also rows with a null habitat: a null differs from every value, as in not (habitat = 'sea')"
      ),
      ("weight < 90", "excludes nulls; not (weight < 90) includes them"),
      (
        "name = 'ann' ignoring case",
        "ignores case, in every language; also --sort 'name ignoring case'"
      ),
      ("a or (b and c)", "and binds tighter than or"),
      ("'it''s', -1.5e3, x'00ff'", "text, a number, bytes; also true, false, null"),
      ("\"base attack\"", "a name with spaces or symbols"),
      ("album.artist.name = 'AC/DC'", "a column of the row that a foreign key refers to; up to 8 steps"),
      (
        "any track (length > 300)",
        "some row of track refers to this row; no track (…) for none; add by COLUMN if several columns refer"
      ),
      (
        "count(track) > 10",
        "the number of such rows; also sum, min, max and average: sum(length of track where price > 1)"
      ),
      (
        "price * 2 > cost + 1",
        "also - / %, || joins text, and functions such as length(name), year(born) or if(query, a, b): see repokit "
          + "help functions"
      ),
    ])
}

/// The options that every command takes.
enum CommonOptions {
  static let color = OptionDescription(
    name: "--color", value: "WHEN", help: "Use colors: auto, always or never.",
    completion: .words(ColorChoice.allCases.map(\.rawValue)))
  static let noPager = OptionDescription(
    name: "--no-pager", help: "Print long output without a pager.")
  static let verbose = OptionDescription(
    name: "--verbose", help: "Print more details of an error, such as the SQL.")
  static let quiet = OptionDescription(
    name: "--quiet", letter: "-q", help: "Print no notes, hints, progress and counts; errors and questions remain.")

  static let all = [color, noPager, verbose, quiet]
}

/// The options that every command takes that prints rows.
enum RowTextOptions {
  static let noNames = OptionDescription(
    name: RowText.Option.noNames.rawValue, help: "Omit the names of the columns, in table, csv, tsv and html.")
  static let separator = OptionDescription(
    name: RowText.Option.separator.rawValue, value: "TEXT",
    help:
      "Print rows as lines of raw values with TEXT between them; with --format csv, set the delimiter. \\t is a tab.")
  static let nullText = OptionDescription(
    name: RowText.Option.nullText.rawValue, value: "TEXT", help: "Print TEXT for null (default: by the format).")

  static let all = [noNames, separator, nullText]
}

extension OptionDescription {
  /// The format in which a command prints rows of its own.
  static let rowFormat = format(
    "Set the format: \(FormatName.list) (default: table on a terminal, else tsv).")

  /// The same where people get a description rather than rows.
  static let rowFormatForPrograms = format(
    "Set the format: \(FormatName.list) (default: a description for people).")

  /// The option for the format of rows.
  static func format(_ help: String) -> OptionDescription {
    OptionDescription(name: "--format", value: "FORMAT", help: help, completion: .words(FormatName.names))
  }
}

extension Settings {
  /// Returns these settings, overridden by the options of a call.
  ///
  /// - Throws: ``Failure`` where an option has an unknown value.
  func overridden(by arguments: Arguments) throws(Failure) -> Settings {
    var settings = self
    if let color = try arguments.choice(CommonOptions.color, of: ColorChoice.self) { settings.color = color }
    if arguments.has(CommonOptions.noPager) { settings.pager = "" }
    if arguments.has(CommonOptions.verbose) { settings.isVerbose = true }
    if arguments.has(CommonOptions.quiet) { settings.isQuiet = true }
    settings.canChooseColumns = arguments.command.options.contains { $0.name == OptionDescription.columns.name }
    if arguments.command.printsRows { try settings.readRowText(arguments) }
    return settings
  }

  /// Reads the options for the text of rows.
  private mutating func readRowText(_ arguments: Arguments) throws(Failure) {
    rowText = RowText(
      hasNames: !arguments.has(RowTextOptions.noNames), separator: arguments[RowTextOptions.separator],
      null: arguments[RowTextOptions.nullText])
    guard !rowText.isStandard, arguments[.rowFormat] == nil else { return }
    let option = RowTextOptions.all.first { arguments[$0] != nil }?.name ?? ""
    let usual = arguments.command.options.first { $0.name == OptionDescription.rowFormat.name }
    if usual?.help == OptionDescription.rowFormatForPrograms.help {
      throw arguments.command.usageError(
        "\(option) needs --format", suggestion: "without --format, \(arguments.command.call) prints a description")
    }
    if rowText.separator != nil { format = .raw }
  }
}
