import Query

/// A statement that is being written: its SQL so far, and the values of the placeholders so far.
struct StatementWriter {
  let dialect: any Dialect
  let table: TableSchema
  private(set) var sql = ""
  private(set) var bindings: [Value] = []
  /// The conditions so far, in the order in which they stand in the SQL.
  private(set) var conditions: [(condition: Condition<Int>, isNegated: Bool, sql: String)] = []
  /// Whether conditions may stand in another order than in the query.
  var isReordered = false
  /// Whether values are written into the SQL itself.
  let isDefinition: Bool

  init(_ dialect: any Dialect, _ table: TableSchema, isDefinition: Bool = false) {
    self.dialect = dialect
    self.table = table
    self.isDefinition = isDefinition
  }

  mutating func write(_ text: String) {
    sql += text
  }

  /// Adds a value and returns its placeholder, which has to be written before the next one is bound.
  mutating func bind(_ value: Value) -> String {
    if isDefinition { return dialect.literal(value) }
    bindings.append(value)
    return dialect.placeholder(bindings.count)
  }

  /// Makes an expression of a condition that is a part of the statement.
  mutating func note(_ condition: Condition<Int>, isNegated: Bool) -> Expression {
    let expression = expression(condition, isNegated: isNegated)
    conditions.append((condition, isNegated, expression.sql))
    return expression
  }

  func name(_ column: Int) -> String {
    dialect.quoted(table.columns[column].name)
  }

  var statement: CompiledStatement { CompiledStatement(sql: sql, bindings: bindings) }
}

extension StatementWriter {
  /// How many conditions stand in one chain of `AND` or `OR`: SQLite refuses expressions that are 1,000 levels deep, and
  /// its parser makes a level of every link.
  private static let longestChain = 100

  /// From which depth on the order of a join's members is changed.
  private static let deep = 4

  /// Writes a clause that stands alone: after `WHERE`, or between parentheses.
  mutating func write(_ clause: NormalizedPredicate) {
    switch clause {
    case .condition(let condition, let isNegated):
      write(note(condition, isNegated: isNegated).sql)
    case .all(let clauses):
      if clauses.isEmpty { write("1 = 1") } else { write(clauses[...], joinedBy: .and) }
    case .any(let clauses):
      if clauses.isEmpty { write("1 = 0") } else { write(clauses[...], joinedBy: .or) }
    }
  }

  private mutating func write(_ clauses: ArraySlice<NormalizedPredicate>, joinedBy joint: Joint) {
    if clauses.count > Self.longestChain { return writeGroups(clauses, joinedBy: joint) }
    for (position, clause) in ordered(clauses).enumerated() {
      if position > 0 { write(joint.sql) }
      if case .condition(let condition, let isNegated) = clause {
        write(note(condition, isNegated: isNegated).asMember)
      } else {
        write("(")
        write(clause)
        write(")")
      }
    }
  }

  /// Writes a long chain as a tree with up to a hundred branches everywhere, as flat as that can be.
  private mutating func writeGroups(_ clauses: ArraySlice<NormalizedPredicate>, joinedBy joint: Joint) {
    var size = Self.longestChain
    while size * Self.longestChain < clauses.count { size *= Self.longestChain }
    for start in stride(from: clauses.startIndex, to: clauses.endIndex, by: size) {
      if start > clauses.startIndex { write(joint.sql) }
      write(joint == .and ? "\(dialect.planningBarrier)(" : "(")
      write(clauses[start..<min(start + size, clauses.endIndex)], joinedBy: joint)
      write(")")
    }
  }

  /// Puts the members that need most of the parser's stack first: it is a hundred symbols high in SQLite, of which a
  /// parenthesis at the start of a join takes one and a later one three.
  private mutating func ordered(_ clauses: ArraySlice<NormalizedPredicate>) -> [NormalizedPredicate] {
    let needs = clauses.map(\.parserStackDepth)
    guard needs.contains(where: { $0 >= Self.deep }) else { return Array(clauses) }
    isReordered = true
    return zip(clauses, needs).sorted { $0.1 > $1.1 }.map(\.0)
  }
}

/// How conditions are joined.
private enum Joint {
  case and
  case or

  var sql: String { self == .and ? " AND " : " OR " }
}

extension NormalizedPredicate {
  /// How many symbols the joins of this clause keep waiting on a parser's stack at most.
  fileprivate var parserStackDepth: Int {
    switch self {
    case .condition: return 0
    case .all(let clauses), .any(let clauses):
      let needs = clauses.map(\.parserStackDepth).sorted(by: >)
      return max((needs.first ?? 0) + 1, (needs.dropFirst().first ?? 0) + 3)
    }
  }
}
