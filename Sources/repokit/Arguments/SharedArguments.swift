import Query

// Descriptions of arguments that several commands have.
extension PositionalDescription {
  static let database = PositionalDescription(
    name: "DATABASE", help: "An SQLite file, or a PostgreSQL database as postgresql://HOST/NAME.", completion: .file)
  /// For commands that only read.
  static let source = PositionalDescription(
    name: database.name,
    help:
      "An SQLite file, a PostgreSQL database as postgresql://HOST/NAME, or a file of rows such as sales.csv, see below.",
    completion: .file, takesFiles: true)
  /// For features that only SQLite has.
  static let databaseFile = PositionalDescription(
    name: database.name, help: "The SQLite database file.", completion: .file)
  static let table = PositionalDescription(name: "TABLE", help: "The table or view.", completion: .table)
  static let condition = PositionalDescription(
    name: "WHERE", help: "Which rows, as one argument; all of them if it is left out.", isOptional: true,
    completion: .query)
}

extension OptionDescription {
  static let parameter = OptionDescription(
    name: "--param", value: "NAME=VALUE", help: "What :NAME means in the query and in expressions.", isRepeatable: true)
  static let sort = OptionDescription(
    name: "--sort", value: "SORT",
    help: "Keys between commas; -key or key desc is descending, with nulls first or nulls last. By primary key "
      + "if it is left out, and in a table without one, in the order in which the database finds rows.",
    completion: .columns)
  static let limit = OptionDescription(name: "--limit", value: "N", help: "At most N rows of the result.")
  static let offset = OptionDescription(name: "--offset", value: "N", help: "Leaves out the first N rows.")
  static let columns = OptionDescription(
    name: "--columns", value: "A,B", help: "Only these columns, in this order.", completion: .columns)
  static let distinct = OptionDescription(
    name: "--distinct", help: "Rows that agree in all columns count as one; sorted by their columns.")
  static let dates = OptionDescription(
    name: "--dates", value: "A=FORM,…",
    help:
      "Column A holds dates as numbers: unix (seconds), milliseconds, microseconds, julian, core-data, "
      + "core-data-nanoseconds or webkit; they are compared with dates, and shown as such.")
  static let format = format("One of the formats below; table on a terminal and tsv elsewhere if it is left out.")
  static let wrap = OptionDescription(
    name: "--wrap", help: "Breaks texts of a table that are wider than their column into lines, rather than cut them.")
  static let blobs = OptionDescription(
    name: "--blobs", value: "FORM", help: "How bytes are written: hex, x'00ff', or base64. In sql, always hex.",
    completion: .words(BlobEncoding.allCases.map(\.rawValue)))
}

extension Note {
  /// The help on parameters.
  static let parameters = Note.paragraph(
    "A parameter, :name, is a placeholder for a value wherever a query may have one. It is never read as a part of the "
      + "query, whatever it holds. Compared with texts it is a text, also where it looks like a number; with anything else "
      + "it is what it would be in a query, such as 90, true, null, x'00ff' or '90' in quotes, and else a text: quotes help where a column of "
      + "dates holds texts."
  )

  /// The text form of queries, in short.
  static let queries = Note.list(
    "Queries",
    [
      ("weight > 90", "also = != < <= >=, with a value or another key"),
      ("weight between 10 and 20", "both included"),
      ("type1 in ('fire', 'water')", "one of these"),
      ("name contains 'saur'", "also starts with, ends with, and like 'Char%'"),
      ("habitat is null", "also is not null"),
      ("not legendary = 1", "the opposite, also not between, not in, …"),
      (
        "habitat != 'sea'",
        "a null differs from every value, so rows without a habitat are among these, as they are with not (habitat = 'sea')"
      ),
      ("weight < 90", "never true of a null; not (weight < 90) is"),
      (
        "name = 'ann' ignoring case",
        "for small and capital letters alike, of every language; so does --sort 'name ignoring case'"
      ),
      ("a or (b and c)", "and binds tighter than or"),
      ("'it''s', -1.5e3, x'00ff'", "a text, a number, bytes; also true, false, null"),
      ("\"base attack\"", "a name that is no plain word"),
      ("album.artist.name = 'AC/DC'", "a key of the row that a foreign key leads to, over up to 8 of them"),
      (
        "any track (length > 300)",
        "some row of track refers to this one; no track (…) none, by COLUMN where several could"
      ),
      ("count(track) > 10", "how many do; also sum, min, max and average: sum(length of track where price > 1)"),
      (
        "price * 2 > cost + 1",
        "also - / %, || joins texts; abs floor ceiling length folded coalesce(a, b) if(query, a, b) year month day hour "
          + "minute second weekday date yearMonth now today"
      ),
    ])
}

/// The options that every command takes.
enum CommonOptions {
  static let color = OptionDescription(
    name: "--color", value: "WHEN", help: "When to use colours: auto, always or never.",
    completion: .words(ColorChoice.allCases.map(\.rawValue)))
  static let noPager = OptionDescription(
    name: "--no-pager", help: "Prints long output at once, rather than through PAGER.")
  static let verbose = OptionDescription(
    name: "--verbose", help: "Tells more of what fails, the SQL included.")

  static let all = [color, noPager, verbose]
}

extension OptionDescription {
  /// The format in which a command prints rows of its own.
  static let rowFormat = format(
    "One of \(FormatName.list); table on a terminal and tsv elsewhere if it is left out.")

  /// The same where people get a description rather than rows.
  static let rowFormatForPrograms = format(
    "One of \(FormatName.list); a description for people if it is left out.")

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
    return settings
  }
}
