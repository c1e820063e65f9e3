import Query

/// A table's description for people: a line for each column.
struct SchemaText: CustomStringConvertible {
  private let table: TableSchema

  init(_ table: TableSchema) {
    self.table = table
  }

  var description: String {
    let names = table.columns.map { TerminalText.visible($0.name) }
    let widths = names.map(TerminalText.columns)
    let width = widths.max() ?? 0
    let lines = table.columns.indices.map { position in
      let notes = notes(on: position).joined(separator: ", ")
      let type = table.columns[position].type.rawValue
      let name = names[position] + String(repeating: " ", count: width - widths[position])
      let typeColumn = type + String(repeating: " ", count: "integer".count - type.count)
      return "  \(name)  " + (notes.isEmpty ? type : "\(typeColumn)  \(notes)") + "\n"
    }
    return TerminalText.visible(table.name) + "\n" + lines.joined()
  }

  private func notes(on position: Int) -> [String] {
    let column = table.columns[position]
    var notes: [String] = []
    if let part = table.primaryKey.firstIndex(of: position) {
      notes.append(table.primaryKey.count == 1 ? "key" : "key \(part + 1) of \(table.primaryKey.count)")
    } else if column.isUnique {
      notes.append("unique")
    } else if column.isIndexed {
      notes.append("indexed")
    }
    if column.isNullable { notes.append("may be null") }
    if let declared = column.loose {
      notes.append(declared.isEmpty ? "declared without a type" : "declared \(TerminalText.visible(declared))")
    }
    return notes
  }
}
