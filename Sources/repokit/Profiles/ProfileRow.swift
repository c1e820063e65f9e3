import Query
import SQLiteStore

/// A column's profile as a row.
struct ProfileRow {
  let profile: ColumnProfile

  init(_ profile: ColumnProfile) {
    self.profile = profile
  }

  var rowCount: Int { profile.rowCount }

  private static let types: [ValueType] = [.integer, .real, .text, .blob]

  // For people.

  static let shortHeadings = [
    ColumnHeading("column"), ColumnHeading("type"), ColumnHeading("nulls", isNumeric: true),
    ColumnHeading("distinct", isNumeric: true), ColumnHeading("min"), ColumnHeading("max"),
    ColumnHeading("mean", isNumeric: true), ColumnHeading("spread"),
  ]

  /// The row in short, but for the most common values.
  ///
  /// - Parameter columns: how much room there is for the least and the greatest value.
  func short(columns: Int) -> [Value] {
    [
      .text(profile.column.name), .text(type), .count(profile.nullCount), .count(profile.distinctCount),
      short(profile.min, columns), short(profile.max, columns), shortMean, .text(spread),
    ]
  }

  /// As many of the most common values as there is room for.
  func common(columns: Int) -> String {
    var text = ""
    for common in profile.common {
      let entry = (text.isEmpty ? "" : ", ") + "\(Excerpt.of(common.value, columns: 16)) \(common.count)"
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
    .text(value.isNull ? "" : Excerpt.of(value, columns: columns))
  }

  private var shortMean: Value {
    // A number, so that it stands at the right.
    if case .real(let mean) = profile.mean { .real(ShortNumber.rounded(mean)) } else { "" }
  }

  /// How the numbers are spread, or else how long the texts are.
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

  /// The row with all that is known, in one value each.
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
      .count(profile.unreadableCount), profile.min, profile.max, profile.mean, .count(lengths?.min),
      .count(lengths?.max), lengths.map { .real($0.mean) } ?? .null,
    ]
  }
}
