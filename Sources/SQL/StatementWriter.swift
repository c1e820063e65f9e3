import Query

/// A writer of a statement: its SQL so far, the values of the placeholders so far, and their slots.
struct StatementWriter {
  let dialect: any Dialect
  /// The frame of the current clause.
  var frame: StatementFrame
  private(set) var sql = ""
  private(set) var bound = BoundValues()
  private(set) var slots: [Slot] = []
  /// Whether values are written into the SQL itself.
  let isDefinition: Bool

  /// The number of aliases of tables.
  private var aliasCount = 0
  /// Whether the values are numbered at the end: a binding of an expression may be written twice or be left out.
  private let usesMarks: Bool
  /// Whether a part of an expression is being written, whose values are the same for every request of the statement's plan.
  private var isInExpression = false

  init(_ dialect: any Dialect, _ table: TableSchema, isDefinition: Bool = false) {
    self.init(dialect, RowScope(table), isDefinition: isDefinition)
  }

  /// - Parameters:
  ///   - mayJoin: whether the rows of other tables are joined, rather than looked up by subqueries.
  ///   - other: further expressions that the statement computes.
  init(
    _ dialect: any Dialect, _ scope: RowScope, and other: RowScope? = nil, isDefinition: Bool = false,
    mayJoin: Bool = true
  ) {
    self.dialect = dialect
    self.isDefinition = isDefinition
    usesMarks = !scope.computed.isEmpty || other?.computed.isEmpty == false
    frame = StatementFrame(scope, alias: nil, joins: [])
    if scope.needsOtherRows { frame = makeFrame(of: scope, mayJoin: mayJoin) }
  }

  /// Makes a frame whose tables have aliases, so that each column can be distinguished from those of other tables.
  mutating func makeFrame(of scope: RowScope, mayJoin: Bool) -> StatementFrame {
    let alias = nextAlias()
    return StatementFrame(scope, alias: alias, joins: mayJoin ? scope.joins.map { _ in nextAlias() } : [])
  }

  /// Returns the text that a closure writes.
  mutating func fragment(_ write: (inout StatementWriter) -> Void) -> String {
    let written = sql
    sql = ""
    write(&self)
    defer { sql = written }
    return sql
  }

  /// Writes a predicate that is a part of an expression.
  mutating func writeWithinExpression(_ predicate: NormalizedPredicate) {
    let outer = isInExpression
    isInExpression = true
    write(predicate)
    isInExpression = outer
  }

  /// Returns an alias for a table, which is unique in the statement.
  mutating func nextAlias() -> String {
    aliasCount += 1
    return "r\(aliasCount - 1)"
  }

  mutating func write(_ text: String) {
    sql += text
  }

  /// Adds a value and returns its placeholder. In a statement without expressions, the placeholder has to be written before the
  /// next value is bound.
  mutating func bind(_ value: Value, _ slot: Slot) -> String {
    note(slot)
    return bind(.value(value))
  }

  /// Adds a value that is not part of a request.
  mutating func bind(_ value: Value) -> String { bind(value, .fixed(.value(value))) }

  /// Adds a binding without a slot; the caller notes one slot for all bindings of an operand.
  mutating func bind(_ binding: Binding) -> String {
    if isDefinition {
      switch binding {
      case .value(let value): return dialect.literal(value)
      case .list(let values, _): return values.map(dialect.literal).joined(separator: ", ")
      }
    }
    if isInExpression { slots.append(.fixed(binding)) }
    bound.append(binding)
    let position = bound.values.count
    // A mark is between two U+0000, which no statement contains otherwise.
    return usesMarks ? "\0\(position - 1)\0" : dialect.placeholder(position)
  }

  mutating func note(_ slot: Slot) {
    if !isInExpression { slots.append(slot) }
  }

  /// Returns the description of the values at a position.
  func column(_ position: Int) -> ColumnSchema { frame.scope.column(position) }

  var statement: CompiledStatement {
    let (sql, order) = numbered()
    return CompiledStatement(StatementText(sql), order.map(bound.ordered) ?? bound)
  }

  /// Returns the SQL with placeholders instead of marks, and the index of the bound value for each placeholder; `nil` if the
  /// values are in order.
  func numbered() -> (sql: String, order: [Int]?) {
    if !usesMarks { return (sql, nil) }
    let parts = sql.utf8.split(separator: 0, omittingEmptySubsequences: false).map(Substring.init)
    let marks = stride(from: 1, to: parts.count, by: 2).map { Int(parts[$0]) ?? 0 }
    let counts = Dictionary(marks.map { ($0, 1) }, uniquingKeysWith: +)
    var numbers: [Int: Int] = [:]
    var order: [Int] = []
    var numbered = String(parts[0])
    for (mark, text) in zip(marks, stride(from: 2, to: parts.count, by: 2).map { parts[$0] }) {
      if numbers[mark] == nil {
        order.append(mark)
        numbers[mark] = order.count
      }
      let number = numbers[mark, default: 0]
      numbered += counts[mark] == 1 ? dialect.placeholder(number) : dialect.repeatablePlaceholder(number)
      numbered += text
    }
    return (numbered, order)
  }
}

// MARK: - Normalized predicates

extension StatementWriter {
  /// The maximum number of conditions in one chain of `AND` or `OR`: SQLite refuses expressions that are 1,000 levels deep,
  /// and its parser makes a level of every link.
  private static let longestChain = 100

  /// The depth of a member from which the members of a connective are reordered.
  private static let deep = 4

  /// Writes a whole predicate: after `WHERE`, or between parentheses.
  mutating func write(_ predicate: NormalizedPredicate) {
    switch predicate {
    case .condition(let condition, let isNegated, let operand):
      write(fragment(condition, isNegated: isNegated, operand: operand).sql)
    case .all(let predicates): write(predicates[...], combinedBy: .and)
    case .any(let predicates): write(predicates[...], combinedBy: .or)
    }
  }

  private mutating func write(_ predicates: ArraySlice<NormalizedPredicate>, combinedBy connective: Connective) {
    if predicates.count > Self.longestChain { return writeGroups(predicates, combinedBy: connective) }
    var isFirst = true
    for predicate in ordered(predicates) {
      guard case .condition(let condition, let isNegated, let operand) = predicate else {
        write(isFirst ? "(" : connective.sql + "(")
        write(predicate)
        write(")")
        isFirst = false
        continue
      }
      let fragment = fragment(condition, isNegated: isNegated, operand: operand)
      // A neutral constant makes no difference, and would prevent SQLite from using an index for each member of an `OR`.
      if fragment.constant == connective.neutral { continue }
      if !isFirst { write(connective.sql) }
      write(fragment.asMember)
      isFirst = false
    }
    if isFirst { write(ConditionFragment.constant(connective.neutral).sql) }
  }

  /// Writes a long chain as a tree with up to a hundred branches per node, as flat as possible.
  private mutating func writeGroups(_ predicates: ArraySlice<NormalizedPredicate>, combinedBy connective: Connective) {
    var size = Self.longestChain
    while size * Self.longestChain < predicates.count { size *= Self.longestChain }
    for start in stride(from: predicates.startIndex, to: predicates.endIndex, by: size) {
      if start > predicates.startIndex { write(connective.sql) }
      write(connective == .and ? "\(dialect.planningBarrier)(" : "(")
      write(predicates[start..<min(start + size, predicates.endIndex)], combinedBy: connective)
      write(")")
    }
  }

  /// Returns the members ordered so that those that need most of the parser's stack are first: SQLite's stack has a hundred
  /// symbols, of which a parenthesis at the start of a connective takes one and a later one three.
  private func ordered(_ predicates: ArraySlice<NormalizedPredicate>) -> [NormalizedPredicate] {
    let needs = predicates.map(\.parserStackDepth)
    guard needs.contains(where: { $0 >= Self.deep }) else { return Array(predicates) }
    return zip(predicates, needs).sorted { $0.1 > $1.1 }.map(\.0)
  }
}

/// The connective of conditions.
private enum Connective {
  case and
  case or

  var sql: String { self == .and ? " AND " : " OR " }

  /// The constant that makes no difference when it is combined with others.
  var neutral: Bool { self == .and }
}

extension NormalizedPredicate {
  /// The maximum number of symbols that the connectives of this predicate keep on a parser's stack.
  fileprivate var parserStackDepth: Int {
    switch self {
    case .condition: return 0
    case .all(let predicates), .any(let predicates):
      let needs = predicates.map(\.parserStackDepth).sorted(by: >)
      return max((needs.first ?? 0) + 1, (needs.dropFirst().first ?? 0) + 3)
    }
  }
}
