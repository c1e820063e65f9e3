import Query
import SQL
import SQLiteStore

/// The indexes that might help with a request, by the columns that it compares and sorts by.
struct IndexCandidates {
  /// Sets of indexes that help only together, as for the branches of an `or`.
  private(set) var sets: [[HypotheticalIndex]] = []

  /// The maximum number of columns of an index: longer ones are not worth their space.
  private static let mostColumns = 4
  /// An `or` of more branches gets no candidates.
  private static let mostBranches = 8
  /// A conjunction may compare two thousand columns.
  private static let mostKeys = 8
  /// Each set is planned with, alone and beside others.
  static let mostSets = 64

  init(for request: ResolvedRequest) {
    let table = request.table
    let count = table.columns.count
    // An index of columns provides no order of expressions.
    let sort = request.sort.terms.prefix { $0.column < count }.map { term in
      table.indexed(term.column, isDescending: term.direction == .descending)
    }
    let clauses: [NormalizedPredicate] =
      if case .all(let members) = request.query.predicate { members } else { [request.query.predicate] }
    add(Keys(clauses, of: table), sort: sort, of: table)
    for case .any(let branches) in clauses { add(branches: branches, of: table) }
    let query = request.query
    addPaths(query.scope, clauses)
    addChildren(query.scope)
  }

  /// The columns that a conjunction compares.
  private struct Keys {
    /// Columns that are compared for equality.
    var equal: [Int] = []
    /// Columns that are compared with a range.
    var ranges: [Int] = []

    init(_ clauses: [NormalizedPredicate], of table: TableSchema) {
      for case .condition(let condition, let isNegated, _) in clauses {
        guard let key = condition.key, key < table.columns.count else { continue }
        if let list = condition.equalityList(isNegated: isNegated) {
          note(list.key, in: \.equal)
        } else if let key = condition.rangeKey(isNegated: isNegated) {
          note(key, in: \.ranges)
        }
      }
      ranges.removeAll { equal.contains($0) }
      // Each candidate is planned with, so the number of compared columns is limited.
      equal = Array(equal.prefix(IndexCandidates.mostKeys))
      ranges = Array(ranges.prefix(IndexCandidates.mostKeys))
    }

    private mutating func note(_ column: Int, in list: WritableKeyPath<Keys, [Int]>) {
      if !self[keyPath: list].contains(column) { self[keyPath: list].append(column) }
    }
  }

  private mutating func add(_ keys: Keys, sort: [HypotheticalIndex.Column], of table: TableSchema) {
    let equal = keys.equal.map { table.indexed($0) }
    let names = Set(keys.equal)
    // A column that always has the same value decides no order.
    let order = sort.filter { term in !names.contains { Name(table.columns[$0].name) == term.name } }
    if !equal.isEmpty { add([equal], of: table) }
    for term in equal where equal.count > 1 { add([[term]], of: table) }
    for range in keys.ranges {
      add([equal + [table.indexed(range)]], of: table)
      if !equal.isEmpty { add([[table.indexed(range)]], of: table) }
    }
    // The terms that were asked for, and as many of those that only decide between ties as it takes.
    for count in 1...max(1, min(order.count, Self.mostColumns)) where !order.isEmpty {
      add([equal + order.prefix(count)], of: table)
      let positions = order.prefix(count).compactMap { table.columns.firstIndex(named: $0.name) }
      add([equal + positions.map { table.indexed($0) }], of: table)
    }
  }

  /// An index for each branch, since a branch without one has all rows read.
  private mutating func add(branches: [NormalizedPredicate], of table: TableSchema) {
    guard branches.count <= Self.mostBranches else { return }
    var parts: [[HypotheticalIndex.Column]] = []
    for branch in branches {
      let clauses: [NormalizedPredicate] = if case .all(let members) = branch { members } else { [branch] }
      let keys = Keys(clauses, of: table)
      let columns = (keys.equal + keys.ranges.prefix(1)).map { table.indexed($0) }
      if columns.isEmpty { return }
      if !parts.contains(columns) { parts.append(columns) }
    }
    add(parts, of: table)
  }

  private mutating func add(_ parts: [[HypotheticalIndex.Column]], of table: TableSchema) {
    add(parts.map { HypotheticalIndex(on: Array($0.prefix(Self.mostColumns)), of: table.name) })
  }

  private mutating func add(_ parts: [(table: TableSchema, columns: [Int])]) {
    var indexes: [HypotheticalIndex] = []
    for (table, columns) in parts {
      let columns = columns.prefix(Self.mostColumns).map { table.indexed($0) }
      let index = HypotheticalIndex(on: Array(columns), of: table.name)
      if !indexes.contains(index) { indexes.append(index) }
    }
    add(indexes)
  }

  private mutating func add(_ indexes: [HypotheticalIndex]) {
    if sets.count < Self.mostSets, !sets.contains(indexes) { sets.append(indexes) }
  }
}

// MARK: - Other tables

extension IndexCandidates {
  /// An index of what is compared at the end of a path, so that rows are found from there back to those that lead to it, by
  /// indexes of what refers.
  private mutating func addPaths(_ scope: RowScope, _ clauses: [NormalizedPredicate]) {
    for case .condition(let condition, let isNegated, _) in clauses {
      guard let key = condition.equalityList(isNegated: isNegated)?.key ?? condition.rangeKey(isNegated: isNegated),
        case .joined(let join, let column)? = scope.expression(key)?.form
      else { continue }
      let end = (table: scope.joins[join].table, columns: [column])
      add([end])
      var steps = [end]
      var step: Int? = join
      while let current = step.map({ scope.joins[$0] }) {
        let table = current.source.map { scope.joins[$0].table } ?? scope.table
        if current.columns.count != 1 || !table.columns[current.columns[0]].isIndexed {
          steps.append((table, current.columns))
        }
        step = current.source
      }
      add(steps)
    }
  }

  /// Indexes of the columns by which rows refer to a row, and of what is asked of these rows.
  private mutating func addChildren(_ scope: RowScope) {
    for position in scope.computed.indices {
      guard let expression = scope.expression(scope.table.columns.count + position) else { continue }
      for related in expression.related {
        let table = related.scope.table
        let clauses: [NormalizedPredicate] =
          if case .all(let members) = related.predicate { members } else { [related.predicate] }
        let keys = Keys(clauses, of: table)
        add([(table, related.columns)])
        for key in keys.equal + keys.ranges.prefix(1) where !related.columns.contains(key) {
          add([(table, related.columns + [key])])
        }
        addPaths(related.scope, clauses)
        addChildren(related.scope)
      }
    }
  }
}

extension ResolvedExpression {
  /// The rows that refer to a row about which the expression asks, those within them left out.
  fileprivate var related: [RelatedScope] {
    switch form {
    case .aggregate(_, let rows), .exists(let rows): [rows]
    case .column, .joined, .value, .converted, .function, .conditional: operands.flatMap(\.related)
    }
  }
}

extension TableSchema {
  fileprivate func indexed(_ position: Int, isDescending: Bool = false) -> HypotheticalIndex.Column {
    let column = columns[position]
    return HypotheticalIndex.Column(
      name: column.name, isDescending: isDescending, isToldBinary: column.collation != nil)
  }
}

/// An index that does not exist: one that the planner is asked about, or that is advised.
package struct HypotheticalIndex: Hashable, Sendable {
  /// A column of an index.
  package struct Column: Hashable, Sendable {
    private let id: Name
    /// Whether the index sorts it in descending order.
    package let isDescending: Bool
    /// Whether texts need an explicit binary collation, because the column has another one.
    package let isToldBinary: Bool

    init(name: String, isDescending: Bool, isToldBinary: Bool) {
      id = Name(name)
      self.isDescending = isDescending
      self.isToldBinary = isToldBinary
    }

    /// The column's name.
    package var name: String { id.text }
  }

  /// The name of its table.
  package let table: String
  /// The columns, in order.
  package let columns: [Column]
  /// Its name.
  package let name: String

  /// - Parameter name: `nil` for the default name of this package.
  init(on columns: [Column], of table: String, name: String? = nil) {
    self.table = table
    self.columns = columns
    usualName = SQLiteDriver.compiler.indexName(of: columns.map(\.name), in: table)
    self.name = name ?? usualName
  }

  /// The name derived from those of the table and the columns.
  let usualName: String

  /// Whether the index has the name derived from the table's and the columns', rather than one that was still free.
  package var isCalledAsUsual: Bool { Name(name) == usualName }

  /// Returns the same index under another name.
  func called(_ name: String) -> HypotheticalIndex { HypotheticalIndex(on: columns, of: table, name: name) }

  /// The statement that creates it.
  package var sql: String {
    let dialect = SQLiteDriver.compiler.dialect
    let columns = columns.map { column in
      dialect.quoted(column.name) + (column.isToldBinary ? " COLLATE BINARY" : "")
        + (column.isDescending ? " DESC" : "")
    }
    return "CREATE INDEX \(dialect.quoted(name)) ON \(dialect.quoted(table)) (\(columns.joined(separator: ", ")))"
  }
}
