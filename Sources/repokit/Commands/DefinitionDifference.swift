import Query
import SQLInspection
import SQLStore

/// What one of two tables has beside its columns, and the other has not.
struct DefinitionDifference {
  /// `index`, `reference`, `check` or `trigger`.
  let kind: String
  /// What it is, at the side that has it; null at the other.
  let left: Value
  let right: Value

  /// The differences of a table that both databases have.
  ///
  /// - Parameter areAlike: whether both databases write definitions in the same language.
  static func all(
    of name: String, _ left: SQLDatabase, _ right: SQLDatabase, areAlike: Bool
  ) throws -> [DefinitionDifference] {
    let definitions = try Failure.translating {
      (try left.definition(ofTable: name), try right.definition(ofTable: name))
    }
    let (one, two) = (parts(of: definitions.0), parts(of: definitions.1))
    var differences: [DefinitionDifference] = []
    for kind in ["key", "index", "reference", "check", "trigger"] {
      if !areAlike, kind == "check" || kind == "trigger" { continue }
      let (mine, others) = (one[kind] ?? [], two[kind] ?? [])
      differences += mine.filter { !others.contains(named: $0) }
        .map { DefinitionDifference(kind: kind, left: .text($0), right: .null) }
      differences += others.filter { !mine.contains(named: $0) }
        .map { DefinitionDifference(kind: kind, left: .null, right: .text($0)) }
    }
    return differences
  }

  /// What each part is, whatever it is called: names of indexes are often made up.
  private static func parts(of table: TableDefinition) -> [String: [String]] {
    [
      "key": table.schema.primaryKey.isEmpty
        ? [] : [table.schema.primaryKeyColumns.map(\.name).joined(separator: ", ")],
      "index": table.indexes.filter { $0.origin != .primaryKey }.map { index in
        "\(index.isUnique ? "unique " : "")(\(index.columnList))" + (index.condition.map { " where \($0)" } ?? "")
      },
      "reference": table.references.map { reference in
        "(\(reference.columns.joined(separator: ", "))) to \(reference.table)"
      },
      "check": table.checks, "trigger": table.triggers,
    ]
  }
}
