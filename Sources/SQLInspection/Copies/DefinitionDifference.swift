package import Query
import Repository
import SQLStore

/// A difference between two tables of the same name, apart from their rows.
package struct DefinitionDifference: Hashable, Sendable {
  /// `column`, `key`, `index`, `reference`, `check`, `trigger` or `definition`.
  package let kind: String
  /// The name of a column that differs.
  package let column: String?
  /// The definition in the first table; null where it lacks it.
  package let left: Value
  /// The definition in the second table; null where it lacks it.
  package let right: Value

  private init(_ kind: String, column: String? = nil, _ left: String?, _ right: String?) {
    (self.kind, self.column) = (kind, column)
    (self.left, self.right) = (left.map(Value.text) ?? .null, right.map(Value.text) ?? .null)
  }

  /// The differences of two tables.
  ///
  /// - Parameter areAlike: whether both databases write definitions in the same language. Otherwise the parts that only SQL
  ///   tells are left out: defaults, collations, declared types, expressions, checks, triggers, and what happens when a key changes.
  static func all(
    _ left: TableDefinition, _ right: TableDefinition, areAlike: Bool
  ) -> [DefinitionDifference] {
    var differences = columns(left, right, areAlike: areAlike)
    for part in Part.allCases where areAlike || !part.isSQL {
      differences += lists(part.rawValue, part.texts(of: left, areAlike), part.texts(of: right, areAlike))
    }
    if !areAlike { return differences }
    // How a table was laid out by another statement is the rest: `AUTOINCREMENT`, the query of a view, the order of columns.
    if differences.isEmpty, left.normalForms.first.map(Name.init) != right.normalForms.first.map(Name.init) {
      differences.append(DefinitionDifference("definition", left.statements.first, right.statements.first))
    }
    return differences + triggers(left, right)
  }

  private static func columns(
    _ left: TableDefinition, _ right: TableDefinition, areAlike: Bool
  ) -> [DefinitionDifference] {
    func find(_ name: String, in table: TableDefinition) -> TableDefinition.Column? {
      table.columns.first { Name($0.schema.name) == name }
    }
    let names = left.columns.map(\.schema.name)
    let all = names + right.columns.map(\.schema.name).filter { !names.contains(named: $0) }
    return all.compactMap { name in
      let (one, two) = (find(name, in: left), find(name, in: right))
      if one?.summary != two?.summary {
        return DefinitionDifference("column", column: name, one?.summary, two?.summary)
      }
      if !areAlike || one?.details == two?.details { return nil }
      return DefinitionDifference("column", column: name, one?.details, two?.details)
    }
  }

  /// The texts that one side has more often than the other.
  private static func lists(_ kind: String, _ left: [String], _ right: [String]) -> [DefinitionDifference] {
    func surplus(_ texts: [String], over others: [String]) -> [String] {
      var others = others
      return texts.filter { text in
        guard let position = others.firstIndex(named: text) else { return true }
        others.remove(at: position)
        return false
      }
    }
    return surplus(left, over: right).map { DefinitionDifference(kind, $0, nil) }
      + surplus(right, over: left).map { DefinitionDifference(kind, nil, $0) }
  }

  /// The triggers that both have, and that do something else.
  private static func triggers(_ left: TableDefinition, _ right: TableDefinition) -> [DefinitionDifference] {
    zip(left.triggers, left.triggerStatements).compactMap { name, mine in
      guard let position = right.triggers.firstIndex(named: name), right.triggerStatements.indices.contains(position)
      else { return nil }
      let other = right.triggerStatements[position]
      return Name(mine.normalForm) == other.normalForm
        ? nil : DefinitionDifference("trigger", mine.statement, other.statement)
    }
  }

  /// The parts of a definition of which there are any number.
  private enum Part: String, CaseIterable {
    case key, index, reference, check, trigger

    /// Whether they are SQL, or bear names in it.
    var isSQL: Bool { self == .check || self == .trigger }

    /// Returns a text of each part without its name: names of indexes are often made up.
    func texts(of table: TableDefinition, _ isWhole: Bool) -> [String] {
      switch self {
      case .key:
        table.schema.primaryKey.isEmpty ? [] : [table.schema.primaryKeyColumns.map(\.name).joined(separator: ", ")]
      case .index:
        table.indexes.filter { $0.origin != .primaryKey }.map { index in
          "\(index.isUnique ? "unique " : "")(\(index.terms.map { $0.text(isWhole) }.joined(separator: ", ")))"
            + (index.condition.map { isWhole ? " where \($0)" : " of some rows" } ?? "")
        }
      case .reference where isWhole:
        table.references.map { reference in
          "(\(reference.columns.joined(separator: ", "))) to \(reference.table)"
            + (reference.key.isEmpty ? "" : " (\(reference.key.joined(separator: ", ")))")
            + (reference.onDelete == "NO ACTION" ? "" : " on delete \(reference.onDelete.lowercased())")
            + (reference.onUpdate == "NO ACTION" ? "" : " on update \(reference.onUpdate.lowercased())")
        }
      case .reference:
        table.schema.references.map { reference in
          "(\(reference.columns.joined(separator: ", "))) to \(reference.table) (\(reference.key.joined(separator: ", ")))"
            + " on delete \(reference.onDelete)"
        }
      case .check: table.checks
      case .trigger: table.triggers
      }
    }
  }
}

extension TableDefinition {
  /// The statements of the triggers, in the order of their names; none where the database does not keep them.
  fileprivate var triggerStatements: [(statement: String, normalForm: String)] {
    if statements.count < triggers.count { return [] }
    return zip(statements, normalForms).suffix(triggers.count).map { ($0, $1) }
  }
}

extension IndexDescription.Term {
  /// The term as any database can say it, or as its own database does.
  fileprivate func text(_ isWhole: Bool) -> String {
    (isWhole ? text : column ?? "an expression") + (isDescending ? " desc" : "")
      + (isWhole ? collation.map { " collate \($0)" } ?? "" : "")
  }
}

extension TableDefinition.Column {
  /// The properties that any database can describe.
  fileprivate var summary: String { "\(schema.type)\(schema.isNullable ? "" : " not null")" }

  /// All properties that its own database describes.
  fileprivate var details: String {
    [
      summary, declaredType.isEmpty ? nil : "(\(declaredType))", defaultExpression.map { "default \($0)" },
      collation.map { "collate \($0)" }, generatedBy.map { "as (\($0))" }, isStored ? "stored" : nil,
    ].compactMap(\.self).joined(separator: " ")
  }
}
