package import Query

/// The result of an import, or of a dry run.
package struct ImportReport: Sendable {
  /// The maximum number of columns that are listed.
  private static let maximumColumns = 32

  package let mode: ImportMode
  /// Whether the import was undone at its end.
  package let isDryRun: Bool
  /// The number of rows that were imported.
  package let count: Int
  /// The number of rows by which the table grew; `nil` unless rows replace others.
  package let newCount: Int?
  /// The number of rows that were left out.
  package let skipped: Int
  package let table: TableSchema
  /// The columns by which rows were replaced; empty for the primary key.
  package let uniqueColumns: [String]
  /// The number of rows of the table that was replaced.
  package let formerCount: Int
  /// The tables that the replaced table referred to.
  package let formerReferences: [String]
  /// The properties that were detected in the files, for people to see.
  package let notes: [String]
}

extension ImportReport: CustomStringConvertible {
  package var description: String { isDryRun ? "would have \(work); repokit changed nothing" : work }

  /// The number of rows that were left out; `nil` for none.
  package var skippedRows: String? {
    skipped == 0 ? nil : "\(isDryRun ? "would have " : "")skipped \(Self.rows(skipped, "bad "))"
  }

  private var work: String {
    switch mode {
    case .create: "imported \(rows) into \(shortName(table.name)) (new table: \(columns))"
    case .replace:
      "imported \(rows) into \(shortName(table.name)) (new table: \(columns); \(Self.rows(formerCount)) dropped\(references))"
    case .append: "appended \(rows) to \(shortName(table.name))"
    case .upsert:
      "imported \(rows) into \(shortName(table.name)) by \(key)"
        + (newCount.map { ": \($0) new, \(count - $0) replaced" } ?? "")
    }
  }

  private var references: String { formerReferences.map { ", and a reference to \($0)" }.joined() }

  private var rows: String { Self.rows(count) }

  private static func rows(_ count: Int, _ kind: String = "") -> String {
    "\(count) \(kind)\(count == 1 ? "row" : "rows")"
  }

  private var columns: String {
    let shown = table.columns.prefix(Self.maximumColumns).map { "\(shortName($0.name)) \($0.type)" }
    let rest = table.columns.count - shown.count
    return (shown + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: ", ")
  }

  private var key: String {
    (uniqueColumns.isEmpty ? table.primaryKeyColumns.map(\.name) : uniqueColumns).map(shortName).joined(
      separator: " and ")
  }
}
