import Query

/// Profiles as rows for people, in the width that there is.
struct ProfileTable {
  private static let gap = 2
  private static let common = ColumnHeading("most common")

  let headings: [ColumnHeading]
  let rows: [[Value]]
  /// Whether there was no room for the most common values.
  let isCut: Bool

  /// Lays rows out.
  ///
  /// - Parameter width: how many columns a line has; `nil` where lines are as long as what they hold.
  init(_ profiles: [ProfileRow], width: Int?) {
    // The least and the greatest get shorter before the most common values get none.
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

  /// How much room there is for one column more.
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
