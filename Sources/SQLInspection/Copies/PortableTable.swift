import Query

/// A table as SQLite and PostgreSQL can both describe it: by its own parts or by those of the other database that have the same
/// meaning.
struct PortableTable {
  /// A part of an index.
  struct Term: Hashable {
    let column: String
    let isDescending: Bool
    /// Whether the index ignores the case of letters.
    let ignoresCase: Bool
  }

  /// An index, or a rule of uniqueness.
  struct Index: Hashable {
    let name: String
    let terms: [Term]
    let isUnique: Bool
    /// Whether it is a rule of the table.
    let isRule: Bool
    /// Whether it is that of the key, which ignores the case of letters.
    let isKey: Bool
    let condition: PortableExpression?
    let hasEqualNulls: Bool
    let isDeferrable: Bool
  }

  /// A reference to a key of another table.
  struct Reference: Hashable {
    let columns: [String]
    let table: String
    let key: [String]
    let rule: TableDefinition.Reference
  }

  /// A check, which may have a meaning in both databases.
  struct Check: Hashable {
    let source: String
    let expression: PortableExpression?
  }

  let name: String
  private(set) var columns: [PortableColumn]
  /// The names of the columns of the key.
  private(set) var key: [String]
  private(set) var indexes: [Index] = []
  /// The indexes that only their own database has, each as a text.
  private(set) var otherIndexes: [(name: String, text: String)] = []
  private(set) var references: [Reference] = []
  private(set) var checks: [Check] = []
  /// The checks that the table itself declares, those of lengths and truth values among them.
  let written: [Check]
  /// The names of the triggers.
  let triggers: [String]
  /// The names of the computed columns.
  let computed: [String]

  /// Describes a table.
  ///
  /// - Parameters:
  ///   - held: what the rows hold, where declared types do not bind.
  ///   - find: returns the key of a table by its name in whatever case, with its own name; `nil` where there is none.
  init(
    _ definition: TableDefinition, holding held: HeldValues? = nil,
    find: (String) -> (name: String, key: [String], columns: [String])?
  ) {
    name = definition.schema.name
    key = definition.declaredKey
    triggers = definition.triggers
    computed = definition.columns.filter { $0.generatedBy != nil }.map(\.schema.name)
    // Which kinds columns have depends on checks, and which checks have a meaning elsewhere on the kinds.
    let plain = definition.columns.map { PortableColumn($0, checks: []) }
    let found = definition.checks.compactMap {
      PortableExpressionParser.condition($0, columns: plain.compactMap(\.operand))
    }
    columns = definition.columns.map { PortableColumn($0, checks: found) }
    if let held { for position in columns.indices { columns[position].fit(held, definition.columns[position].schema) } }
    let operands = columns.compactMap(\.operand)
    written = definition.checks.map {
      Check(source: $0, expression: PortableExpressionParser.condition($0, columns: operands))
    }
    checks = checks(of: definition)
    addIndexes(of: definition)
    references = definition.references.compactMap { reference in
      guard reference.problem == nil else { return nil }
      let found =
        Name(reference.table).equalsFolded(name)
        ? (name: name, key: key, columns: columns.map(\.name)) : find(reference.table)
      let key = reference.key.isEmpty ? found?.key ?? [] : reference.key
      return Reference(
        columns: reference.columns.map { name in columns.first { Name($0.name).equalsFolded(name) }?.name ?? name },
        table: found?.name ?? reference.table,
        key: key.map { name in found?.columns.first { Name($0).equalsFolded(name) } ?? name }, rule: reference)
    }
  }

  private func checks(of definition: TableDefinition) -> [Check] {
    let operands = columns.compactMap(\.operand)
    var checks = written
    for column in definition.columns {
      guard let type = column.serverType else { continue }
      let name = column.schema.name
      if !type.labels.isEmpty {
        let list = type.labels.map(PortableExpression.text)
        checks.append(
          Check(
            source: "\(name) in the values of \(column.declaredType)",
            expression: .member(of: .column(name), list, isNegated: false)))
      }
      let operand = operands.first { Name($0.name) == name }
      for check in type.checks {
        let value = operand.map {
          PortableExpression.Column(name: "VALUE", kind: $0.kind, isByBytes: $0.isByBytes, typeName: $0.typeName)
        }
        let expression = PortableExpressionParser.condition(check, columns: [value].compactMap(\.self))
        checks.append(
          Check(source: "\(name) in the domain: \(check)", expression: expression?.renaming("VALUE", to: name)))
      }
    }
    // What is a part of a type is none besides.
    return checks.filter { check in
      if let (name, length) = check.expression?.greatestLength {
        return !columns.contains { Name($0.name) == name && $0.kind == .text(length: length) }
      }
      let plain = PortableExpressionParser.condition(
        check.source, columns: columns.filter { $0.kind == .boolean }.map { .init(name: $0.name, kind: .number) })
      return plain?.booleanColumn == nil
    }
  }

  private mutating func addIndexes(of definition: TableDefinition) {
    let operands = columns.compactMap(\.operand)
    let hasKeyIgnoringCase = key.contains { name in columns.contains { Name($0.name) == name && $0.ignoresCase } }
    for index in definition.indexes {
      if index.origin == .primaryKey && !hasKeyIgnoringCase { continue }
      let terms = index.terms.compactMap { portable($0) }
      let condition = index.condition.map { PortableExpressionParser.condition($0, columns: operands) }
      if terms.count < index.terms.count || condition == .some(nil) || !index.traits.isSorted {
        otherIndexes.append((index.name, index.description(terms: index.terms.map(\.wholeText))))
        continue
      }
      indexes.append(
        Index(
          name: index.name, terms: terms, isUnique: index.isUnique, isRule: index.origin == .uniqueRule,
          isKey: index.origin == .primaryKey,
          condition: condition ?? nil, hasEqualNulls: index.traits.hasEqualNulls,
          isDeferrable: index.traits.isDeferrable))
    }
  }

  private func portable(_ term: IndexDescription.Term) -> Term? {
    if let name = term.column {
      guard let column = columns.first(where: { Name($0.name) == name }) else { return nil }
      let isNoCase = term.collation.map { Name("nocase").equalsFolded($0) } ?? false
      if let collation = term.collation, !isNoCase, Name("rtrim").equalsFolded(collation) { return nil }
      return Term(column: name, isDescending: term.isDescending, ignoresCase: isNoCase || column.isCaseless)
    }
    // lower((name COLLATE "C")), as this copy makes it; other locales fold other letters, too.
    let tokens = term.text.replacing("::text", with: "").split { "() ".contains($0) }
    guard tokens.first == "lower", tokens.count == 4, tokens[2] == "COLLATE", tokens[3] == "\"C\"",
      let column = columns.first(where: { tokens[1] == $0.name || tokens[1] == SQLName.quoted($0.name) })
    else { return nil }
    return Term(column: column.name, isDescending: term.isDescending, ignoresCase: true)
  }
}

// MARK: - Changes

extension PortableTable {
  /// Makes a unique index of a key whose columns may be null.
  mutating func loseKey() {
    let terms = key.map { name in
      Term(
        column: name, isDescending: false,
        ignoresCase: columns.contains { Name($0.name) == name && $0.ignoresCase })
    }
    indexes.insert(
      Index(
        name: "", terms: terms, isUnique: true, isRule: true, isKey: false, condition: nil, hasEqualNulls: false,
        isDeferrable: false), at: 0)
    indexes.removeAll(where: \.isKey)
    key = []
  }

  mutating func dropKey() { key = [] }

  /// Has the columns of the key not be null.
  mutating func requireKey() {
    for position in columns.indices where key.contains(named: columns[position].name) {
      columns[position].isNullable = false
    }
  }

  /// Drops references to some tables.
  ///
  /// - Returns: a text of each.
  mutating func dropReferences(to isDropped: (String) -> Bool) -> [String] {
    let dropped = references.filter { Name($0.table) != name && isDropped($0.table) }
    references.removeAll(where: dropped.contains)
    return dropped.map { "the reference (\($0.columns.joined(separator: ", "))) to \($0.table)" }
  }
}

extension PortableColumn {
  /// Whether a server's type, rather than a collation, ignores the case.
  fileprivate var isCaseless: Bool { ignoresCase && !typeName.isEmpty }

  /// Gives the column the kind that takes all of its values, where its declared type does not.
  fileprivate mutating func fit(_ held: HeldValues, _ schema: ColumnSchema) {
    guard let values = held.columns[Name(name)] else { return }
    let isNumber = values.type == nil || values.type == .integer || values.type == .real
    let type = held.type(of: schema)
    switch kind {
    case .boolean where isNumber && values.areBooleans: break
    case .decimal(let precision, let scale)
    where isNumber
      && NativeColumnType(precision: precision, scale: scale) == .decimal(precision: precision, scale: scale)
      && values.fraction <= scale && values.whole <= precision - scale:
      break
    case .blob where values.type == nil || type == .blob: break
    case .text(let length) where type == .text && values.length <= length ?? .max: break
    case .boolean where isNumber: kind = Kind(values.type ?? .integer, length: nil)
    default: kind = Kind(type, length: nil)
    }
  }
}

extension PortableExpression {
  /// The expression of another column.
  fileprivate func renaming(_ old: String, to new: String) -> PortableExpression {
    switch self {
    case .column(let name): .column(name == old ? new : name)
    case .number, .text: self
    case .all(let parts): .all(parts.map { $0.renaming(old, to: new) })
    case .any(let parts): .any(parts.map { $0.renaming(old, to: new) })
    case .not(let part): .not(part.renaming(old, to: new))
    case .comparison(let one, let sign, let two):
      .comparison(one.renaming(old, to: new), sign, two.renaming(old, to: new))
    case .arithmetic(let one, let sign, let two):
      .arithmetic(one.renaming(old, to: new), sign, two.renaming(old, to: new))
    case .isNull(let part, let isNegated): .isNull(part.renaming(old, to: new), isNegated: isNegated)
    case .isTrue(let part): .isTrue(part.renaming(old, to: new))
    case .member(let part, let list, let isNegated): .member(part.renaming(old, to: new), list, isNegated: isNegated)
    case .length(let part): .length(part.renaming(old, to: new))
    }
  }
}

extension TableDefinition {
  /// The names of the columns of the key as the table declares it: its columns may be null in SQLite, and the rows of tables that
  /// inherit need not have different keys, so that it is no key for queries.
  var declaredKey: [String] {
    let key = schema.primaryKeyColumns.map(\.name)
    if !key.isEmpty { return key }
    return indexes.first { $0.origin == .primaryKey }?.columns.compactMap(\.self) ?? []
  }
}

extension IndexDescription.Term {
  /// The term as its own database says it.
  var wholeText: String { text + (isDescending ? " desc" : "") + (collation.map { " collate \($0)" } ?? "") }
}

extension IndexDescription {
  /// The index without its name.
  func description(terms: [String]) -> String {
    "\(isUnique ? "unique " : "")(\(terms.joined(separator: ", ")))"
      + (traits.hasEqualNulls ? " nulls not distinct" : "") + (traits.isDeferrable ? " deferrable" : "")
      + (condition.map { " where \($0)" } ?? "")
  }
}
