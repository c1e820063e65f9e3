import Query
import SQLiteStore

/// A table's description for people: a line for each column, and what rules and indexes there are.
struct SchemaText: CustomStringConvertible {
  private enum Content {
    case table(TableDefinition)
    case unreadable(String, RepositoryError)
  }

  private let content: Content

  init(_ table: TableDefinition) {
    content = .table(table)
  }

  /// A table that can't be described, and why.
  init(unreadable name: String, _ error: RepositoryError) {
    content = .unreadable(name, error)
  }

  var description: String {
    switch content {
    case .table(let table):
      return ([heading(of: table)] + columnLines(of: table) + SchemaSections(table).lines)
        .map { TerminalText.visible($0) + "\n" }.joined()
    case .unreadable(let name, let error):
      return [name, "  can't be described: \(error.reason ?? error.summary)"]
        .map { TerminalText.visible($0) + "\n" }.joined()
    }
  }

  /// The statements that make the table.
  func sql(_ style: TextStyle) -> String {
    guard case .table(let table) = content else { return "" }
    return table.statements.map { statement in
      let lines = statement.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      return lines.map(style.raw).joined(separator: "\n") + ";\n"
    }.joined()
  }

  private func heading(of table: TableDefinition) -> String {
    var notes: [String] = []
    if table.kind != .table { notes.append(table.kind == .view ? "view" : "virtual table") }
    if table.isWithoutRowNumbers { notes.append("without row numbers") }
    return table.schema.name + (notes.isEmpty ? "" : "  (\(notes.joined(separator: ", ")))")
  }

  private func columnLines(of table: TableDefinition) -> [String] {
    let names = table.columns.map { TerminalText.visible($0.schema.name) }
    let widths = names.map(TerminalText.columns)
    let width = widths.max() ?? 0
    return table.columns.indices.map { position in
      let notes = ColumnNotes(position, of: table).texts.joined(separator: ", ")
      let type = table.columns[position].schema.type.rawValue
      let name = names[position] + String(repeating: " ", count: width - widths[position])
      let typeColumn = type + String(repeating: " ", count: "integer".count - type.count)
      return "  \(name)  " + (notes.isEmpty ? type : "\(typeColumn)  \(notes)")
    }
  }
}

extension SchemaText {
  /// The columns under which ``rows`` stand.
  static let headings = [
    ColumnHeading("table"), ColumnHeading("column"), ColumnHeading("type"), ColumnHeading("declared"),
    ColumnHeading("nullable", isNumeric: true), ColumnHeading("key", isNumeric: true),
    ColumnHeading("unique", isNumeric: true), ColumnHeading("indexed", isNumeric: true), ColumnHeading("default"),
    ColumnHeading("generated"), ColumnHeading("collation"), ColumnHeading("references"),
  ]

  /// A row for each column, for other programs. What can't be described has none.
  var rows: [[Value]] {
    guard case .table(let table) = content else { return [] }
    return table.columns.enumerated().map { position, column in
      let key = table.schema.primaryKey.firstIndex(of: position)
      let reference = table.references.first { $0.columns == [column.schema.name] }
      return [
        .text(table.schema.name), .text(column.schema.name), .text(column.schema.type.rawValue),
        .text(column.declaredType), .flag(column.schema.isNullable), .count(key.map { $0 + 1 }),
        .flag(column.schema.isUnique), .flag(column.schema.isIndexed), .optional(column.defaultExpression),
        .optional(column.generatedBy), .optional(column.collation),
        .optional(reference.map { ([$0.table] + $0.key).joined(separator: ".") }),
      ]
    }
  }
}

extension Value {
  fileprivate static func flag(_ isSet: Bool) -> Value { .integer(isSet ? 1 : 0) }

  fileprivate static func optional(_ text: String?) -> Value { text.map(Value.text) ?? .null }
}
