import Query
import SQL

/// SQLite's plan for a statement, step by step. https://www.sqlite.org/eqp.html
package struct QueryPlan: Hashable, Sendable {
  /// A step, and its nesting depth.
  package struct Step: Hashable, Sendable {
    /// The operation.
    package let action: PlanAction
    /// The number of steps that contain this one.
    package let depth: Int
    /// The step in SQLite's own words.
    package let detail: String
  }

  /// The steps, each before those that it consists of.
  package let steps: [Step]

  init(steps: [Step]) {
    self.steps = steps
  }

  /// The names of the indexes that are used, in the order of the steps, without duplicates.
  package var indexes: [String] {
    var names: [String] = []
    for case .index(let name, _)? in steps.map(\.action.path) where !names.contains(named: name) { names.append(name) }
    return names
  }
}

/// The operation of a plan's step.
///
/// SQLite's wording is not an interface and may change (https://www.sqlite.org/eqp.html): an unknown one is ``other``.
package enum PlanAction: Hashable, Sendable {
  /// All rows are read.
  case scan(table: String, by: AccessPath)
  /// Only the rows that an index or the key leads to are read.
  case search(table: String, by: AccessPath, conditions: String)
  /// The rows found are put into a temporary tree, to be sorted, grouped or deduplicated.
  case sort(SortPurpose)
  /// The branches of an `or` are looked up one by one.
  case multipleIndexes
  /// Any other operation.
  case other

  /// The access to a table's rows, where the step reads some.
  package var path: AccessPath? {
    switch self {
    case .scan(_, let path), .search(_, let path, _): path
    case .sort, .multipleIndexes, .other: nil
    }
  }
}

/// The way in which a table's rows are accessed.
package enum AccessPath: Hashable, Sendable {
  /// In storage order.
  case rows
  /// By the primary key, or by the row's number.
  case primaryKey
  /// By an index.
  ///
  /// - Parameter isCovering: whether the index contains all requested columns, so that the rows are not read.
  case index(name: String, isCovering: Bool)
  /// By an index that is created for this statement, and dropped after it.
  case automaticIndex
  /// As the virtual table decides.
  case virtualTable
}

/// The purpose of a temporary tree.
package enum SortPurpose: Hashable, Sendable {
  case order
  /// The rows are already in the order of the first keys, and only those with equal ones are sorted.
  case restOfOrder
  case group
  case distinct
}

extension CompiledStatement {
  /// The tables that the statement gives other names: `"track" AS "r0"`.
  var tableAliases: [String: String] {
    var aliases: [String: String] = [:]
    var latest = ""
    var rest = sql.utf8[...]
    while let start = rest.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }) {
      let quote = rest[start]
      let isAlias = rest[..<start].elementsEqual(" AS ".utf8)
      var name: [UInt8] = []
      rest = rest[start...].dropFirst()
      while let end = rest.firstIndex(of: quote) {
        name += rest[..<end]
        rest = rest[end...].dropFirst()
        // A doubled quote is a quote within the name.
        guard rest.first == quote else { break }
        name.append(quote)
        rest = rest.dropFirst()
      }
      let text = String(decoding: name, as: UTF8.self)
      if isAlias { aliases[text] = latest }
      latest = text
    }
    return aliases
  }
}

/// Parses the steps of a plan from SQLite's wording.
///
/// Names are not quoted there, so that a table called `a USING INDEX b` is ambiguous: a name that the database knows is
/// taken before one that could be cut out of the text.
struct PlanReader {
  private let tables: [String]
  private let indexes: [String]
  private let aliases: [String: String]

  /// Creates a reader for a database.
  ///
  /// - Parameters:
  ///   - tables: the names of its tables and views.
  ///   - indexes: the names of its indexes.
  ///   - aliases: the tables to which a statement gives other names.
  init(tables: [String], indexes: [String], aliases: [String: String] = [:]) {
    self.aliases = aliases
    // The longest that fits wins.
    self.tables = tables.sorted { $0.utf8.count > $1.utf8.count }
    self.indexes = indexes.sorted { $0.utf8.count > $1.utf8.count }
  }

  /// Makes a plan of SQLite's rows: the number of each step, that of the step it belongs to, and what it does.
  func plan(_ rows: [(id: Int64, parent: Int64, detail: String)]) -> QueryPlan {
    var depths: [Int64: Int] = [:]
    return QueryPlan(
      steps: rows.map { row in
        let depth = depths[row.parent].map { $0 + 1 } ?? 0
        depths[row.id] = depth
        return QueryPlan.Step(action: action(row.detail), depth: depth, detail: row.detail)
      })
  }

  /// The operation of a step.
  func action(_ detail: String) -> PlanAction {
    // The version before 3.36 said TABLE before each name.
    if let rest = detail.without("SCAN TABLE ") ?? detail.without("SCAN ") {
      let (table, path) = split(rest)
      return .scan(table: table, by: self.path(path).path)
    }
    if let rest = detail.without("SEARCH TABLE ") ?? detail.without("SEARCH ") {
      let (table, path) = split(rest)
      let (access, conditions) = self.path(path)
      return .search(table: table, by: access, conditions: conditions)
    }
    if detail == "MULTI-INDEX OR" { return .multipleIndexes }
    if detail.hasPrefix("USE TEMP B-TREE FOR") {
      if detail.hasSuffix("GROUP BY") { return .sort(.group) }
      if detail.hasSuffix("DISTINCT") { return .sort(.distinct) }
      return .sort(detail.hasSuffix("FOR ORDER BY") ? .order : .restOfOrder)
    }
    return .other
  }

  /// Removes the table's name.
  private func split(_ text: Substring) -> (table: String, path: Substring) {
    let (name, path) = nameAndPath(text)
    return (aliases[name] ?? name, path)
  }

  private func nameAndPath(_ text: Substring) -> (table: String, path: Substring) {
    let words = ["USING ", "VIRTUAL TABLE"]
    for table in tables {
      if Name(table) == text { return (table, "") }
      if let rest = text.without(table + " "), words.contains(where: { rest.hasPrefix($0) }) { return (table, rest) }
    }
    for word in words {
      if let start = text.start(of: " " + word) { return (String(text[..<start]), text[start...].dropFirst()) }
    }
    return (String(text), "")
  }

  private func path(_ text: Substring) -> (path: AccessPath, conditions: String) {
    if text.hasPrefix("VIRTUAL TABLE") { return (.virtualTable, "") }
    guard let rest = text.without("USING ") else { return (.rows, "") }
    if let conditions = rest.without("INTEGER PRIMARY KEY") ?? rest.without("PRIMARY KEY") {
      return (.primaryKey, inner(conditions))
    }
    if rest.hasPrefix("AUTOMATIC") {
      return (.automaticIndex, rest.start(of: "(").map { inner(rest[$0...]) } ?? "")
    }
    let isCovering = rest.hasPrefix("COVERING ")
    guard let name = rest.without("COVERING INDEX ") ?? rest.without("INDEX ") else { return (.rows, "") }
    for index in indexes {
      if Name(index) == name { return (.index(name: index, isCovering: isCovering), "") }
      if let conditions = name.without(index + " ("), conditions.hasSuffix(")") {
        return (.index(name: index, isCovering: isCovering), String(conditions.dropLast()))
      }
    }
    guard let start = name.start(of: " (") else {
      return (.index(name: String(name), isCovering: isCovering), "")
    }
    return (.index(name: String(name[..<start]), isCovering: isCovering), inner(name[start...]))
  }

  /// The text between parentheses.
  private func inner(_ text: Substring) -> String {
    let text = text.drop { $0 == " " }
    guard text.hasPrefix("("), text.hasSuffix(")") else { return "" }
    return String(text.dropFirst().dropLast())
  }
}

// By bytes, as all names.
extension StringProtocol {
  /// Returns the text after a prefix; `nil` where the text does not start with it.
  fileprivate func without(_ prefix: String) -> Substring? {
    guard utf8.starts(with: prefix.utf8) else { return nil }
    return Substring(self[utf8.index(startIndex, offsetBy: prefix.utf8.count)...])
  }

  /// The start of the first occurrence of an ASCII text.
  fileprivate func start(of text: String) -> Index? {
    utf8.indices.first { utf8[$0...].starts(with: text.utf8) }
  }
}

/// The cost of a plan, as far as its text shows: less is better, earlier components count most.
struct PlanCost: Comparable {
  private let parts: [Int]

  init(of plan: QueryPlan) {
    var (scans, sorts, partialSorts, equalities, ranges) = (0, 0, 0, 0, 0)
    for step in plan.steps {
      switch step.action {
      // The cost of a list of values that is read as a table is negligible.
      case .scan(_, .virtualTable), .search(_, .virtualTable, _): break
      case .scan: scans += 1
      case .search(_, .automaticIndex, _): scans += 1
      case .search(_, _, let conditions):
        equalities += conditions.count(of: "=?") - conditions.count(of: ">=?") - conditions.count(of: "<=?")
        ranges += conditions.count(of: ">") + conditions.count(of: "<")
      case .sort(.restOfOrder): partialSorts += 1
      case .sort: sorts += 1
      case .multipleIndexes, .other: break
      }
    }
    parts = [scans, sorts, partialSorts, -equalities, -ranges]
  }

  static func < (lhs: PlanCost, rhs: PlanCost) -> Bool { lhs.parts.lexicographicallyPrecedes(rhs.parts) }
}

extension String {
  /// Returns the number of occurrences of an ASCII text in this one.
  fileprivate func count(of text: String) -> Int {
    utf8.indices.count { utf8[$0...].starts(with: text.utf8) }
  }
}
