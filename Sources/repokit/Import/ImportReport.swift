import Query

/// What an import did, or would do.
struct ImportReport {
  /// More columns than somebody reads.
  private static let maximumColumns = 32

  let job: Importer.Job
  let count: Int
  /// How many rows were left out.
  let skipped: Int
  let table: TableSchema
  /// How many rows the table had in whose place the new one is.
  var formerCount = 0
}

extension ImportReport: CustomStringConvertible {
  var description: String { job.isRehearsal ? "would have \(work); nothing was changed" : work }

  /// How many rows were left out; `nil` for none.
  var skippedRows: String? {
    skipped == 0 ? nil : "\(job.isRehearsal ? "would have " : "")skipped \(Self.rows(skipped, "bad "))"
  }

  private var work: String {
    switch job.mode {
    case .create: "imported \(rows) into \(table.name) (new table: \(columns))"
    case .replace: "imported \(rows) into \(table.name) (new table: \(columns); \(Self.rows(formerCount)) dropped)"
    case .append: "appended \(rows) to \(table.name)"
    case .upsert: "inserted or replaced \(rows) of \(table.name) by \(key)"
    }
  }

  private var rows: String { Self.rows(count) }

  private static func rows(_ count: Int, _ kind: String = "") -> String {
    "\(count) \(kind)\(count == 1 ? "row" : "rows")"
  }

  private var columns: String {
    let shown = table.columns.prefix(Self.maximumColumns).map { "\($0.name) \($0.type)" }
    let rest = table.columns.count - shown.count
    return (shown + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: ", ")
  }

  private var key: String { table.primaryKeyColumns.map(\.name).joined(separator: " and ") }
}
