import Query

/// What an import did.
struct ImportReport {
  /// More columns than somebody reads.
  private static let maximumColumns = 32

  let count: Int
  let mode: ImportMode
  let table: TableSchema
}

extension ImportReport: CustomStringConvertible {
  var description: String {
    let rows = "\(count) \(count == 1 ? "row" : "rows")"
    return switch mode {
    case .create: "imported \(rows) into \(table.name) (new table: \(columns))"
    case .replace: "imported \(rows) into \(table.name) (in place of what was there: \(columns))"
    case .append: "appended \(rows) to \(table.name)"
    case .upsert: "inserted or replaced \(rows) of \(table.name) by \(key)"
    }
  }

  private var columns: String {
    let shown = table.columns.prefix(Self.maximumColumns).map { "\($0.name) \($0.type)" }
    let rest = table.columns.count - shown.count
    return (shown + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: ", ")
  }

  private var key: String { table.primaryKeyColumns.map(\.name).joined(separator: " and ") }
}
