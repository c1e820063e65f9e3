import Query
import SQLiteStore

/// The rows that a change is about, for those who want to see them first.
struct ChangedRows {
  private let report: ChangeReport
  /// The columns that get another value in any row.
  private let changed: Set<Int>

  init(_ report: ChangeReport) {
    self.report = report
    var changed: Set<Int> = []
    for row in report.rows {
      guard let before = row.before, let after = row.after else { continue }
      for position in before.indices where !before[position].isIdentical(to: after[position]) {
        changed.insert(position)
      }
    }
    self.changed = changed
  }

  /// Prints the rows as they are; behind each column that changes, also what it will hold.
  func print(as name: FormatName, on console: Console) throws {
    let columns = report.table.columns
    var headings: [ColumnHeading] = []
    for position in columns.indices {
      headings.append(ColumnHeading(columns[position]))
      if changed.contains(position) {
        headings.append(
          ColumnHeading(newName(of: columns[position].name), isNumeric: headings[headings.count - 1].isNumeric))
      }
    }
    let printer = RowPrinter(console, headings, format: name)
    for row in report.rows where !printer.append(values(of: row)) { break }
    try printer.finish()
  }

  private func values(of row: ChangeReport.Row) -> [Value] {
    guard let current = row.before ?? row.after else { return [] }
    var values: [Value] = []
    for position in current.indices {
      values.append(current[position])
      if changed.contains(position) { values.append(row.after?[position] ?? .null) }
    }
    return values
  }

  /// What no other column is called.
  private func newName(of name: String) -> String {
    var candidate = "new \(name)"
    while report.table.columns.contains(where: { $0.isCalled(candidate) }) { candidate = "new \(candidate)" }
    return candidate
  }
}
