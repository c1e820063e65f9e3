import RowImport

/// A page of the help about a subject that several commands share: `repokit help functions`.
struct HelpTopic {
  let name: String
  /// The subject in one line.
  let summary: String
  let examples: [CommandDescription.Example]
  let notes: [Note]
  /// The text before a command's name in a call; `nil` within the shell.
  var program: String? = "repokit"

  static let all = [functions, formats, dates]

  /// Returns the topic by its name in any case, also in the singular.
  static func named(_ word: String) -> HelpTopic? {
    let word = word.lowercased()
    return all.first { $0.name == word || $0.name.dropLast() == word }
  }

  /// The text that `repokit help TOPIC` prints.
  var help: String {
    let examples = "Examples\n" + examples.map { $0.help(after: program) }.joined(separator: "\n")
    return ([summary, examples] + notes.map(\.help)).joined(separator: "\n\n") + "\n"
  }

  /// The page with its calls as they are written within the shell, where the database is known.
  var inShell: HelpTopic {
    HelpTopic(
      name: name, summary: summary, examples: examples.map(\.inShell), notes: notes, program: nil)
  }
}

extension HelpTopic {
  private static let functions = HelpTopic(
    name: "functions", summary: "The functions and operators of queries.",
    examples: [
      .init(
        arguments: "query pokedex.sqlite pokemon \"length(name) > 9\" --columns \"name, weight / height as ratio\"",
        meaning: "Use functions in a condition, and an expression as a column."),
      .init(
        arguments: "group pokedex.sqlite pokemon --by \"if(legendary = 1, 'legendary', 'other')\" --avg weight",
        meaning: "Group by an expression."),
      .init(
        arguments: "group pokedex.sqlite pokemon --aggregate \"sum(weight where type1 = 'fire')\"",
        meaning: "Aggregate some of the rows."),
    ],
    notes: FunctionReference.sections.map { section in .list(section.title, section.functions.map(\.row)) } + [
      .paragraph(
        "group --aggregate takes aggregates of the rows of a group; queries take aggregates of rows that refer to a row. "
          + "With a null operand, an operation is null, except coalesce and if. A query, a sort, a group and the right side "
          + "of set accept these expressions. repokit refuses a wrong type, such as length of a number.")
    ])

  private static let formats = HelpTopic(
    name: "formats", summary: "The formats that repokit reads and writes.",
    examples: [
      .init(
        arguments: "query pokedex.csv --no-names --separator \" | \" --null-text none --columns id,type2",
        meaning: "Print raw values for a script."),
      .init(
        arguments: "export pokedex.sqlite pokemon pokemon.csv --separator \";\"",
        meaning: "Write CSV with semicolons."),
      .init(
        arguments: "import pokedex.sqlite sales sales.txt --skip-lines 2 --comment \"#\" --pad",
        meaning: "Read a report with a title, remarks and short rows."),
    ],
    notes: [
      .list("Input formats", InputFormat.allCases.map { ($0.rawValue, $0.help) }),
      .list(
        "Input options",
        ([InputArguments.from] + DelimitedArguments.options + [InputArguments.types, InputArguments.skipBad]).map {
          ($0.heading, $0.help)
        }),
      .paragraph(
        "The name of a file implies the format: .csv, .tsv, .tab, .json, .ndjson or .jsonl. repokit unpacks .gz files."),
      .list("Output formats", FormatName.allCases.map { ($0.rawValue, $0.help) }),
      .list(
        "Output options",
        ([OptionDescription.rowFormat] + RowTextOptions.all + [.blobs, .wrap]).map { ($0.heading, $0.help) }),
      .paragraph(
        "With --separator and without --format, each row is a line of raw values: repokit quotes and escapes nothing. "
          + "csv quotes a value that contains the delimiter, a quote or a line break; tsv escapes tabs and line breaks."
      ),
    ])

  private static let dates = HelpTopic(
    name: "dates", summary: "How repokit stores, reads, compares and shows dates.",
    examples: [
      .init(
        arguments: "query visits.csv \"at >= '2024-05-01' and at < today\"",
        meaning: "Compare dates."),
      .init(
        arguments: "query visits.csv \"sent = '2024-05-06'\" --dates sent=unix",
        meaning: "Compare seconds since 1970 with a date, and show the seconds as dates."),
      .init(
        arguments: "group visits.csv --by \"yearMonth(at)\" --count",
        meaning: "Count by month."),
      .init(
        arguments: "import pokedex.sqlite births births.csv --date-order dmy",
        meaning: "Read 31.12.2024, and store 2024-12-31."),
    ],
    notes: [
      .list(
        "Stored forms",
        [
          ("2024-05-06", "a day"),
          (
            "2024-05-06 07:08:09",
            "a day and a time; also with T, fractions of seconds, and Z or an offset such as +02:00"
          ),
          ("1714979289", "a number; name its unit with --dates"),
        ]),
      .paragraph(
        "SQLite has no type for dates: dates are text or numbers. Text in these forms sorts in the order of time, if "
          + "all values of the column have the same form. A PostgreSQL column of a date type has its own form."),
      .list(
        "Comparisons",
        [
          ("at = '2024-05-06'", "the whole day, if the column contains times; a note shows the query that runs"),
          ("at between '2024-05-01' and '2024-05-06'", "including the whole last day"),
          ("at >= '2024-05' and at < '2024-06'", "a month"),
          ("at > '2024-05-06T10:00:00+02:00'", "an instant, which repokit converts to UTC and to the column's form"),
          ("at < now, at < today", "the current time, and the start of the current day in UTC"),
          ("year(at) = 2024", "a part of the date; see repokit help functions"),
        ]),
      .list(
        "Date forms",
        [
          ("unix", "seconds since 1970"),
          ("milliseconds", "milliseconds since 1970"),
          ("microseconds", "microseconds since 1970"),
          ("julian", "Julian days, as SQLite's julianday() returns"),
          ("core-data", "seconds since 2001, as Core Data stores dates"),
          ("core-data-nanoseconds", "nanoseconds since 2001, as in messages on iPhones"),
          ("webkit", "microseconds since 1601, as in Chrome"),
        ]),
      .paragraph(
        "With --dates COLUMN=FORM, repokit compares numbers in these forms with dates, and shows the numbers as dates."),
      .list(
        "Date orders",
        [
          ("dmy", "31.12.2024, 31/12/24, 31 Dec 2024"), ("mdy", "12/31/2024, 12/31/24, December 31, 2024"),
          ("ymd", "2024/12/31, 20241231"),
        ]),
      .paragraph(
        "--date-order ORDER, for import and files of rows, applies to columns in which every value is such a date, with or without a time. The years 00 to "
          + "29 mean 2000 to 2029, and 30 to 99 mean 1930 to 1999."),
      .paragraph("All times are in UTC: repokit knows no other time zone."),
    ])
}
