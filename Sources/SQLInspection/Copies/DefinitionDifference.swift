package import Query
import Repository
import SQL
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

  /// A table as both databases can describe it, and as its own does.
  struct Side {
    let definition: TableDefinition
    let portable: PortableTable
  }

  /// The differences of two tables.
  ///
  /// - Parameter areAlike: whether both databases write definitions in the same language. Otherwise, expressions are compared by
  ///   their meaning, and types by the values that they take.
  static func all(_ left: Side, _ right: Side, areAlike: Bool) -> [DefinitionDifference] {
    var differences = columns(left, right, areAlike: areAlike)
    for part in Part.allCases {
      differences += lists(part.rawValue, part.texts(of: left, areAlike), part.texts(of: right, areAlike))
    }
    if !areAlike { return differences }
    let (mine, theirs) = (left.definition, right.definition)
    if mine.kind == .table, theirs.kind == .table {
      let traits = (mine.traits, theirs.traits)
      if traits.0 != traits.1 {
        differences.append(DefinitionDifference("definition", traits.0.nonEmpty, traits.1.nonEmpty))
      }
    } else if differences.isEmpty, mine.normalForms.first.map(Name.init) != theirs.normalForms.first.map(Name.init) {
      differences.append(DefinitionDifference("definition", mine.statements.first, theirs.statements.first))
    }
    return differences + triggers(mine, theirs)
  }

  private static func columns(_ left: Side, _ right: Side, areAlike: Bool) -> [DefinitionDifference] {
    let names = left.definition.columns.map(\.schema.name)
    let all = names + right.definition.columns.map(\.schema.name).filter { !names.contains(named: $0) }
    return all.compactMap { name in
      func find(_ side: Side) -> Int? { side.definition.columns.firstIndex { Name($0.schema.name) == name } }
      let (one, two) = (find(left), find(right))
      if !areAlike {
        func text(_ side: Side, _ position: Int?) -> String? {
          position.map {
            side.portable.columns[$0].summary + (side.definition.columns[$0].generatedBy == nil ? "" : " computed")
          }
        }
        let (one, two) = (text(left, one), text(right, two))
        return one == two ? nil : DefinitionDifference("column", column: name, one, two)
      }
      let columns = (one.map { left.definition.columns[$0] }, two.map { right.definition.columns[$0] })
      if columns.0?.summary != columns.1?.summary {
        return DefinitionDifference("column", column: name, columns.0?.summary, columns.1?.summary)
      }
      if columns.0?.details == columns.1?.details { return nil }
      return DefinitionDifference("column", column: name, columns.0?.details, columns.1?.details)
    }
  }

  /// The texts that one side has more often than the other.
  private static func lists(_ kind: String, _ left: [Text], _ right: [Text]) -> [DefinitionDifference] {
    func surplus(_ texts: [Text], over others: [Text]) -> [String] {
      var others = others
      return texts.compactMap { text in
        guard let position = others.firstIndex(where: { Name($0.meaning) == text.meaning }) else { return text.shown }
        others.remove(at: position)
        return nil
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

  /// A text of a part as it is shown, and one that is the same for all ways to write it.
  private struct Text {
    let shown: String
    let meaning: String

    init(_ shown: String, meaning: String? = nil) { (self.shown, self.meaning) = (shown, meaning ?? shown) }
  }

  /// The parts of a definition of which there are any number.
  private enum Part: String, CaseIterable {
    case key, index, reference, check, trigger

    /// Returns a text of each part without its name: names of indexes are often made up.
    func texts(of side: Side, _ areAlike: Bool) -> [Text] {
      let (table, portable) = (side.definition, side.portable)
      switch self {
      case .key:
        let key = table.declaredKey
        return key.isEmpty ? [] : [Text(key.joined(separator: ", "))]
      case .index where areAlike:
        return table.indexes.filter { $0.origin != .primaryKey }.map { index in
          let meaning = portable.indexes.first { Name($0.name) == index.name }?.text
          return Text(index.description(terms: index.terms.map(\.wholeText)), meaning: meaning)
        }
      case .index: return portable.indexes.map { Text($0.text) } + portable.otherIndexes.map { Text($0.text) }
      case .reference:
        return portable.references.map { reference in
          let start = "(\(reference.columns.joined(separator: ", "))) to \(reference.table)"
          let rules = reference.rule.rules.lowercased() + (reference.rule.isFullMatch ? " match full" : "")
          let key = " (\(reference.key.joined(separator: ", ")))"
          let isWritten = !areAlike || !reference.rule.key.isEmpty
          return Text("\(start)\(isWritten ? key : "")\(rules)", meaning: "\(start)\(key)\(rules)")
        }
          + table.references.filter { $0.problem != nil }.map {
            Text("(\($0.columns.joined(separator: ", "))) to \($0.table)")
          }
      case .check where areAlike:
        return table.checks.map { source in
          let check = portable.written.first { $0.source == source }
          return Text(source, meaning: check?.expression?.sql)
        }
      case .check: return portable.checks.map { Text($0.expression?.sql ?? $0.source) }
      case .trigger: return table.triggers.map { Text($0) }
      }
    }
  }
}

extension PortableTable.Index {
  /// The index without its name.
  fileprivate var text: String {
    let terms = terms.map { $0.column + ($0.isDescending ? " desc" : "") + ($0.ignoresCase ? " collate nocase" : "") }
    return "\(isUnique ? "unique " : "")(\(terms.joined(separator: ", ")))"
      + (hasEqualNulls ? " nulls not distinct" : "")
      + (isDeferrable ? " deferrable" : "") + (condition.map { " where \($0.sql)" } ?? "")
  }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

extension TableDefinition {
  /// The statements of the triggers, in the order of their names; none where the database does not keep them.
  fileprivate var triggerStatements: [(statement: String, normalForm: String)] {
    if statements.count < triggers.count { return [] }
    return zip(statements, normalForms).suffix(triggers.count).map { ($0, $1) }
  }

  /// The properties of a table that none of its parts tells: those of its statement, and the order of the columns.
  fileprivate var traits: String {
    let tokens = SQLToken.tokens(of: normalForms.first ?? "")
    var traits = language == .sqlite && isStrict ? ["strict"] : []
    if isWithoutRowid { traits.append("without rowid") }
    for (position, token) in tokens.enumerated() {
      if token.isKeyword("AUTOINCREMENT") { traits.append("autoincrement") }
      if token.isKeyword("CONFLICT"), position + 1 < tokens.count {
        traits.append("on conflict \(tokens[position + 1].text.lowercased())")
      }
    }
    return traits.joined(separator: ", ")
  }
}

extension TableDefinition.Column {
  /// The properties that any database can describe.
  fileprivate var summary: String { "\(schema.type)\(schema.isNullable ? "" : " not null")" }

  /// All properties that its own database describes.
  fileprivate var details: String {
    let labels = serverType?.labels ?? []
    let list = labels.isEmpty ? "" : " of \(labels.joined(separator: ", "))"
    return [
      summary, declaredType.isEmpty ? nil : "(\(declaredType)\(list))", defaultExpression.map { "default \($0)" },
      collation.map { "collate \($0)" }, generatedBy.map { "as (\($0))" }, isStored ? "stored" : nil,
    ].compactMap(\.self).joined(separator: " ")
  }
}
