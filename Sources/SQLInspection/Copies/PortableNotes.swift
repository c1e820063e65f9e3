import Query
import SQLStore

/// The notes on what a copy in another kind of database lacks, or has in another way.
struct PortableNotes {
  let table: PortableTable
  let definition: TableDefinition
  /// The columns that are only shown, each with its type.
  let shown: [(column: String, type: String)]
  let held: HeldValues

  /// The notes, a line each.
  ///
  /// - Parameters:
  ///   - key: how the key is changed.
  ///   - references: the references that are left out besides, with the reason.
  func lines(key: [String], references: [String]) -> [String] {
    let skipped = skipped + references
    return (skipped.isEmpty ? [] : ["skipped \(skipped.joined(separator: ", "))"]) + types + key + rules
  }

  private var isFromServer: Bool { definition.language == .postgres }

  private var skipped: [String] {
    let defaults = table.columns.compactMap { column -> String? in
      if case .other(let sql)? = column.defaultValue, !column.isGenerated {
        "the default \(sql) of \(column.name)"
      } else {
        nil
      }
    }
    return defaults + table.computed.map { "the expression that computes \($0)" }
      + table.checks.filter { $0.expression == nil }.map { "the check (\($0.source))" }
      + table.triggers.map { "the trigger \($0)" } + table.otherIndexes.map { "the index \($0.name)" }
      + definition.references.compactMap { reference in
        reference.problem.map {
          "the reference (\(reference.columns.joined(separator: ", "))) to \(reference.table): \($0)"
        }
      }
  }

  private var types: [String] {
    var notes: [String] = []
    var changed: [(type: String, columns: [String])] = []
    for (column, source) in zip(table.columns, definition.columns) {
      let type = column.kind.valueType
      if isFromServer {
        if let own = ownType(of: source, column) {
          let name = "\(column.name) (\(own))"
          if let position = changed.firstIndex(where: { $0.type == "\(type)" }) {
            changed[position].columns.append(name)
          } else {
            changed.append(("\(type)", [name]))
          }
        }
        if case .digits = column.kind { notes.append("\(column.name) becomes text, to keep its digits") }
      } else if PortableColumn.Kind(declared: source.declaredType, source.schema) == .boolean, column.kind != .boolean {
        notes.append("\(column.name) becomes \(type), because values are neither 0 nor 1")
      } else if held.columns[Name(column.name)] != nil, held.type(of: source.schema) != source.schema.type,
        column.kind != .blob,
        column.kind == PortableColumn.Kind(type, length: nil)
      {
        notes.append("\(column.name) becomes \(type), to fit its values")
      } else if column.kind != PortableColumn.Kind(declared: source.declaredType, source.schema),
        column.kind != .boolean,
        let numbers = source.declaredType.split(separator: "(").dropFirst().first?.prefix(while: { $0 != ")" }),
        column.kind == PortableColumn.Kind(type, length: nil)
      {
        notes.append("\(column.name) keeps no limit of \(numbers), because values exceed \(source.declaredType)")
      }
    }
    return changed.map {
      "\($0.columns.joined(separator: ", ")) \($0.columns.count == 1 ? "becomes" : "become") \($0.type)"
    }
      + notes
  }

  /// The type of a server that SQLite lacks.
  private func ownType(of source: TableDefinition.Column, _ column: PortableColumn) -> String? {
    if let shown = shown.first(where: { Name($0.column) == column.name }) { return shown.type }
    switch source.schema.nativeType {
    case nil, .numeric, .decimal: return source.declaredType == source.serverType?.base ? nil : source.declaredType
    default: return source.declaredType
    }
  }

  private var rules: [String] {
    var notes: [String] = []
    for column in table.columns where column.ignoresCase {
      notes.append(
        isFromServer
          ? "\(column.name) ignores the case of ASCII letters alone"
          : "\(column.name) is compared with case; only its indexes ignore the case of ASCII letters")
    }
    if !isFromServer { return notes }
    for index in table.indexes {
      let columns = index.terms.map(\.column).joined(separator: ", ")
      if index.hasEqualNulls { notes.append("unique (\(columns)) allows several nulls") }
      if index.isDeferrable { notes.append("unique (\(columns)) is checked for each row, and can't be deferred") }
    }
    for reference in table.references where reference.rule.isFullMatch {
      notes.append(
        "the reference (\(reference.columns.joined(separator: ", "))) to \(reference.table) allows some of its columns to be null"
      )
    }
    return notes
  }
}
