import Query
import SQLInspection
import SQLStore

/// `repokit describe`: shows statistics of a table's columns.
struct DescribeCommand: Command {
  static let description = CommandDescription(
    name: "describe", summary: "Summarize the values of each column.",
    examples: [
      .init(
        arguments: "describe pokedex.sqlite pokemon",
        meaning: "Show nulls, extremes, mean, distribution and common values of all columns."),
      .init(
        arguments: "describe pokedex.sqlite pokemon \"type1 = 'fire'\" --columns weight,type2",
        meaning: "Summarize two columns of some rows."),
      .init(
        arguments: "describe pokedex.sqlite pokemon --top 20 --format json",
        meaning: "Print JSON for other programs, with the 20 most common values."),
    ],
    positionals: [.source, .table, .condition], options: [.columns, top, .dates, .parameter, .rowFormat],
    notes: [
      .paragraph(
        "All aggregates are exact, for tables of any size; describe sorts the rows by each column. For a column of "
          + "several types, describe counts the values of each type. Text lengths count Unicode scalars."
      ),
      .paragraph(
        "The distribution is a histogram with up to 12 equal ranges, of the finite numbers or of the lengths of "
          + "text. json and ndjson contain the counts and all aggregates in full; csv and tsv contain lists as JSON."),
      .queries, .parameters,
      InputArguments.note,
    ])

  private static let top = OptionDescription(
    name: "--top", value: "N", help: "Show the N most common values (default: 5).")

  private let rows: RowArguments
  private let columns: [String]?
  private let top: Int
  private let format: FormatName?

  init(_ arguments: Arguments) throws(Failure) {
    rows = try RowArguments(arguments)
    try rows.parameters.checkUsed()
    columns = try arguments.names(.columns)
    top = try arguments.integer(Self.top) ?? 5
    if !(0...1_000 ~= top) { throw arguments.command.usageError("\(Self.top.name): write a number from 0 to 1000") }
    format = try arguments.choice(.rowFormat, of: FormatName.self)
  }

  func run(_ console: Console) async throws {
    let store = try rows.database.open(.readOnly)
    var profiles: [ProfileRow] = []
    let table = try rows.queriedTable(in: store, console)
    let query = try rows.query(rows.reader(in: table, of: store))
    let names = columns ?? table.columns.map(\.name)
    let bar = ProgressBar(console)
    func tell() {
      if profiles.count < names.count {
        bar.begin("looking at \(names[profiles.count])", total: nil, isSlow: rows.database.isLarge)
      }
    }
    tell()
    defer { bar.end() }
    try Failure.translating {
      try store.profiles(ofTable: rows.table, where: query, columns: columns, commonCount: top) {
        profiles.append(ProfileRow($0, dates: rows.dates.form(of: $0.column.name)))
        tell()
      }
    }
    bar.end()
    let format = format ?? console.format
    try console.settings.rowText.check(format)
    if let json = ProfileJSON(format) { return try console.print(json.text(profiles)) }
    if format == .table {
      let count = profiles.first?.rowCount ?? 0
      try console.print("\(TerminalText.visible(rows.table)): \(count.of("row"))\n\n")
    }
    guard format.isForPeople else {
      return try console.printRows(profiles.map(\.exact), under: ProfileRow.headings, as: format)
    }
    // What goes into a pipe or a file has lines of any length.
    let isNarrow = format != .line || console.style.isTerminal
    let shown = ProfileTable(profiles, width: format == .table ? console.style.width : nil, isNarrow: isNarrow)
    try console.printRows(shown.rows, under: shown.headings, as: format)
    if shown.isCut { console.say("note: the most common values don't fit; --format line shows them too") }
  }
}

/// A column's profile as a row.
struct ProfileRow {
  let profile: ColumnProfile
  /// The form in which the column holds dates as numbers, which are shown as dates; `nil` where it does not.
  private let dates: NumericDateForm?

  init(_ profile: ColumnProfile, dates: NumericDateForm? = nil) {
    (self.profile, self.dates) = (profile, dates)
  }

  private func shown(_ value: Value) -> Value { dates?.text(of: value) ?? ColumnHeading(profile.column).shown(value) }

  /// A value for programs, in which numbers are numbers.
  private func exact(_ value: Value) -> Value { value.kind == .text ? shown(value) : dates?.text(of: value) ?? value }

  /// The most common values, as they are shown.
  var common: [(value: Value, count: Int)] { profile.common.map { (shown($0.value), $0.count) } }

  /// The most common values for programs.
  var exactCommon: [(value: Value, count: Int)] { profile.common.map { (exact($0.value), $0.count) } }

  var rowCount: Int { profile.rowCount }

  private static let types: [ValueType] = [.integer, .real, .text, .blob]

  // For people.

  static let shortHeadings = [
    ColumnHeading("column"), ColumnHeading("type"), ColumnHeading("nulls", isNumeric: true),
    ColumnHeading("distinct", isNumeric: true), ColumnHeading("min"), ColumnHeading("max"),
    ColumnHeading("mean", isNumeric: true), ColumnHeading("spread"),
  ]

  /// The row in short, without the most common values.
  ///
  /// - Parameter columns: the width of the smallest and the largest value.
  func short(columns: Int) -> [Value] {
    [
      .text(profile.column.name), .text(type), .count(profile.nullCount), .count(profile.distinctCount),
      short(shown(profile.min), columns), short(shown(profile.max), columns), shortMean, .text(spread),
    ]
  }

  /// The most common values, as many as fit in the line.
  ///
  /// - Parameter valueColumns: the width of each of them.
  func common(columns: Int, ofEach valueColumns: Int = 16) -> String {
    var text = ""
    for common in common {
      let entry =
        (text.isEmpty ? "" : ", ") + "\(TruncatedText.of(common.value, columns: valueColumns)) \(common.count)"
      if !text.isEmpty, TerminalText.columns(of: text + entry) > columns { break }
      text += entry
    }
    return text
  }

  private var type: String {
    let present = Self.types.filter { profile.typeCounts[$0] ?? 0 > 0 }
    let unreadable = profile.unreadableCount > 0 ? ", \(profile.unreadableCount) not UTF-8" : ""
    if present.count > 1 {
      return present.map { "\($0.rawValue) \(profile.typeCounts[$0] ?? 0)" }.joined(separator: ", ") + unreadable
    }
    return (present.first ?? profile.column.type).rawValue + unreadable
  }

  private func short(_ value: Value, _ columns: Int) -> Value {
    .text(value.isNull ? "" : TruncatedText.of(value, columns: columns))
  }

  private var shortMean: Value {
    // A number, so that it is aligned right.
    guard case .real(let mean) = profile.mean else { return "" }
    return dates?.text(of: .real(mean)) ?? .real(ShortNumber.rounded(mean))
  }

  /// The distribution of the numbers, or else the lengths of the texts.
  private var spread: String {
    if let histogram = profile.histogram { return Sparkline.text(histogram.counts) }
    guard let lengths = profile.lengths else { return "" }
    return (lengths.min == lengths.max ? "\(lengths.min)" : "\(lengths.min)–\(lengths.max)") + " long"
  }

  // For programs.

  static let headings = plainHeadings + [ColumnHeading("common"), ColumnHeading("histogram")]

  static let plainHeadings =
    [ColumnHeading("column"), ColumnHeading("type")]
    + (["rows", "nulls", "distinct"] + types.map { "\($0.rawValue)s" } + ["unreadable"])
    .map { ColumnHeading($0, isNumeric: true) }
    + [ColumnHeading("min"), ColumnHeading("max"), ColumnHeading("mean", isNumeric: true)]
    + ["min_length", "max_length", "mean_length"].map { ColumnHeading($0, isNumeric: true) }

  /// The row with all statistics, in one value each.
  var exact: [Value] {
    let json = ProfileJSON.lists(of: self)
    return plain + [.text(json.common), json.histogram.map(Value.text) ?? .null]
  }

  /// The same without lists.
  var plain: [Value] {
    let lengths = profile.lengths
    let head: [Value] = [
      .text(profile.column.name), .text(profile.column.type.rawValue), .count(profile.rowCount),
      .count(profile.nullCount), .count(profile.distinctCount),
    ]
    return head + Self.types.map { .count(profile.typeCounts[$0] ?? 0) } + [
      .count(profile.unreadableCount), exact(profile.min), exact(profile.max), exact(profile.mean),
      .count(lengths?.min),
      .count(lengths?.max), lengths.map { .real($0.mean) } ?? .null,
    ]
  }
}

/// Profiles as rows for people, in the available width.
struct ProfileTable {
  private static let gap = 2
  private static let common = ColumnHeading("most common")
  /// The width at which a value is cut where lines may have any length: a text may have megabytes.
  private static let longestValue = 200

  let headings: [ColumnHeading]
  let rows: [[Value]]
  /// Whether there was no room for the most common values.
  let isCut: Bool

  /// Lays rows out.
  ///
  /// - Parameters:
  ///   - width: the number of columns of a line; `nil` for lines of any length.
  ///   - isNarrow: whether values get little room.
  init(_ profiles: [ProfileRow], width: Int?, isNarrow: Bool) {
    guard isNarrow else {
      (headings, isCut) = (ProfileRow.shortHeadings + [Self.common], false)
      rows = profiles.map {
        $0.short(columns: Self.longestValue) + [.text($0.common(columns: .max, ofEach: Self.longestValue))]
      }
      return
    }
    // The smallest and the largest get shorter before the most common values get none.
    let columns = [16, 12, 8].first { Self.room(beside: profiles, columns: $0, in: width) >= 30 } ?? 8
    let room = Self.room(beside: profiles, columns: columns, in: width)
    isCut = room < TerminalText.columns(of: Self.common.name)
    let cells = profiles.map { $0.short(columns: columns) }
    if isCut {
      (headings, rows) = (ProfileRow.shortHeadings, cells)
    } else {
      headings = ProfileRow.shortHeadings + [Self.common]
      rows = zip(cells, profiles).map { $0 + [.text($1.common(columns: room))] }
    }
  }

  /// The room for one more column.
  private static func room(beside profiles: [ProfileRow], columns: Int, in width: Int?) -> Int {
    guard let width else { return .max }
    var widths = ProfileRow.shortHeadings.map { TerminalText.columns(of: $0.name) }
    for profile in profiles {
      for (position, value) in profile.short(columns: columns).enumerated() {
        widths[position] = max(widths[position], TerminalText.columns(of: value.visibleText(nil) ?? "null"))
      }
    }
    return width - widths.reduce(0) { $0 + $1 + gap }
  }
}

/// Profiles as JSON, in which lists are lists.
struct ProfileJSON {
  private let isOneArray: Bool

  /// - Returns: `nil` for a format other than JSON.
  init?(_ format: FormatName) {
    switch format {
    case .json: isOneArray = true
    case .ndjson: isOneArray = false
    default: return nil
    }
  }

  func text(_ profiles: [ProfileRow]) -> String {
    let plain = JSONObject(ProfileRow.plainHeadings.map(\.name))
    let objects = profiles.map { profile in
      let lists = Self.lists(of: profile)
      // Replaces the closing brace.
      return Self.text { plain.append(profile.plain, to: &$0) }.dropLast()
        + ",\"common\":\(lists.common),\"histogram\":\(lists.histogram ?? "null")}"
    }
    if !isOneArray { return objects.map { $0 + "\n" }.joined() }
    return objects.isEmpty ? "[]\n" : "[\n\(objects.joined(separator: ",\n"))\n]\n"
  }

  /// The most common values and the histogram.
  static func lists(of row: ProfileRow) -> (common: String, histogram: String?) {
    let frequency = JSONObject(["value", "count"])
    let common = row.exactCommon.map { common in
      text { frequency.append([common.value, .count(common.count)], to: &$0) }
    }
    let histogram = row.profile.histogram.map { histogram in
      let bounds = JSONObject(["from", "to", "width"])
      return text { bounds.append([.real(histogram.lower), .real(histogram.upper), .real(histogram.width)], to: &$0) }
        .dropLast()
        + ",\"counts\":[\(histogram.counts.map(String.init).joined(separator: ","))]}"
    }
    return ("[\(common.joined(separator: ","))]", histogram.map(String.init))
  }

  private static func text(_ write: (inout OutputBuffer) -> Void) -> String {
    var buffer = OutputBuffer { _ in }
    write(&buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}

/// Counts as a row of small bars.
enum Sparkline {
  private static let bars = Array("▁▂▃▄▅▆▇█")

  /// A bar for each count, as high as its share of the largest; none for 0, and at least the lowest for any other.
  static func text(_ counts: [Int]) -> String {
    let greatest = counts.max() ?? 0
    return String(
      counts.map { count -> Character in
        if count <= 0 { return " " }
        let height = (Double(count) / Double(greatest) * Double(bars.count)).rounded(.up)
        return bars[max(0, min(bars.count, Int(height)) - 1)]
      })
  }
}
