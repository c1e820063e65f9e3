package import Query

/// Makes tables with rules and writes to them at random: over few values, so that rules are kept and broken alike.
package struct RandomWrites {
  private var random: SplitMix64
  private let texts: [Value]
  private let keys: [String]
  private let types: [ValueType]
  private let restrictsFirst: Bool

  private static let integers: [Value] = [1, 2, 3, 4, 5]
  private static let others: [Value] = [0, -1, 0.5, 9_007_199_254_740_993, 0.1, "", "1", .blob([]), .blob([0, 97])]

  /// - Parameters:
  ///   - storesNUL: whether texts with U+0000 are among the values, which some databases can't keep.
  ///   - hasAny: whether there are columns of any type.
  ///   - generatesKeys: whether keys may be generated, of which databases make different ones.
  ///   - restrictsFirst: whether a reference that restricts deletions may be declared before one that follows them.
  package init(
    random: SplitMix64, storesNUL: Bool = true, hasAny: Bool = true, generatesKeys: Bool = true,
    restrictsFirst: Bool = true
  ) {
    self.random = random
    self.restrictsFirst = restrictsFirst
    let texts: [Value] = ["a", "b", "é", "a\0", "it's"]
    self.texts = texts.filter { storesNUL || !$0.holdsNUL }
    keys = ["generated", "generated", "integer", "text", "any", "two"].filter { key in
      (hasAny || key != "any") && (generatesKeys || key != "generated")
    }
    let types: [ValueType] = [.integer, .integer, .text, .real, .any]
    self.types = types.filter { hasAny || $0 != .any }
  }

  /// Makes tables, and steps each of which writes to one of them.
  package mutating func draw(steps: Int = 30) -> (tables: [TableSchema], steps: [WriteStep]) {
    while true {
      let tables = self.tables()
      if tables.isEmpty { continue }
      return (tables, (0..<steps).map { _ in step(tables) })
    }
  }

  private mutating func tables() -> [TableSchema] {
    let count = random.pick([1, 2, 2, 3])
    var names: [String] = []
    for number in 0..<count { names.append(RandomNames.pick("t\(number)", besides: names, &random)) }
    let plain = names.enumerated().compactMap { table($0, called: $1) }
    if plain.count < count { return [] }
    let tables = plain.compactMap { referring($0, to: plain) }
    // SQLite's own cascades take this name for the row that is deleted, so that every store refuses such a table; a mutation may
    // make a cascade of another rule.
    let isRefused = tables.contains { Name($0.name).folded == Name("old").folded && !$0.references.isEmpty }
    return tables.count < count || isRefused ? [] : tables
  }

  private mutating func table(_ number: Int, called name: String) -> TableSchema? {
    var columns: [ColumnSchema] = []
    let id = RandomNames.pick("id", besides: [], &random)
    var key = [id]
    switch random.pick(keys) {
    case "generated": columns.append(ColumnSchema(id, .integer, isGenerated: true))
    case "integer": columns.append(ColumnSchema(id, .integer))
    case "text": columns.append(ColumnSchema(id, .text))
    case "any": columns.append(ColumnSchema(id, .any))
    default:
      let part = RandomNames.pick("part", besides: [id], &random)
      columns = [ColumnSchema(part, .text), ColumnSchema(id, .integer)]
      key = [id, part]
    }
    for index in 0..<random.pick([1, 2, 3]) {
      columns.insert(
        ColumnSchema(
          RandomNames.pick("c\(index)", besides: columns.map(\.name), &random),
          random.pick(types), isNullable: random.chance(0.6),
          isUnique: random.chance(0.3), isIndexed: random.chance(0.3)),
        at: random.pick(Array(0...columns.count)))
    }
    var unique: [[String]] = []
    if random.chance(0.5) { unique.append(Array(columns.map(\.name).shuffled(using: &random).prefix(2))) }
    if random.chance(0.2) { unique.append(Array(columns.map(\.name).shuffled(using: &random).prefix(2))) }
    guard let plain = try? TableSchema(name, columns: columns, primaryKey: key, unique: unique) else {
      return nil
    }
    var checks = (0..<random.pick([0, 0, 1, 2])).map { CheckRule("rule \(number) \($0)", query(plain, depth: 1)) }
    if random.chance(0.3), let check = checkOfExpression(plain) {
      checks.append(CheckRule("computed \(number)", check))
    }
    return try? TableSchema(name, columns: columns, primaryKey: key, unique: unique, checks: checks)
  }

  private mutating func referring(_ table: TableSchema, to tables: [TableSchema]) -> TableSchema? {
    var columns = table.columns
    var references: [ReferenceRule] = []
    for number in 0..<random.pick([0, 1, 1, 2]) {
      let target = random.pick(tables)
      let rule = random.pick(DeleteRule.allCases)
      let isNullable = rule == .setNull || random.chance(0.7)
      var names: [String] = []
      for key in target.primaryKeyColumns {
        names.append(
          RandomNames.pick("r\(number)_\(key.name)", besides: columns.map(\.name) + names, &random))
      }
      for (name, key) in zip(names, target.primaryKeyColumns) {
        columns.append(ColumnSchema(name, key.type, isNullable: isNullable, isUnique: random.chance(0.1)))
      }
      references.append(
        ReferenceRule(names, to: target.name, key: target.primaryKeyColumns.map(\.name), onDelete: rule))
    }
    if !restrictsFirst { references.sort { $0.onDelete != .restrict && $1.onDelete == .restrict } }
    return try? TableSchema(
      table.name, columns: columns, primaryKey: table.primaryKeyColumns.map(\.name),
      unique: table.uniqueSets.map { set in set.map { table.columns[$0].name } }, checks: table.checks,
      references: references)
  }

  private mutating func step(_ tables: [TableSchema]) -> WriteStep {
    let number = random.pick(Array(tables.indices))
    let table = tables[number]
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<4: return .insert(table: number, rows(table))
    case 4..<6: return .insertOnConflict(table: number, rows(table), conflictRule(table))
    case 6..<12: return .save(table: number, rows(table))
    case 12: return .updateReturning(table: number, query(table, beside: tables), assignments(table, beside: tables))
    case 13..<15: return .update(table: number, query(table, beside: tables), assignments(table, beside: tables))
    case 15..<18:
      return .delete(
        table: number,
        (0..<random.pick([1, 1, 2, 3])).map { _ in table.primaryKeyColumns.map { value($0, mayBeNull: false) } })
    case 18: return .deleteReturning(table: number, query(table, beside: tables))
    default: return .deleteWhere(table: number, query(table, beside: tables))
    }
  }

  /// A condition of an expression that a database can check by itself, and that most rows keep.
  private mutating func checkOfExpression(_ table: TableSchema) -> AnyQuery? {
    var requests = RandomRequests(random: random, table: table)
    defer { random = requests.random }
    for _ in 0..<8 {
      let query = requests.conditionOfExpression()
      let check = requests.random.chance(0.7) ? query || .isNull(requests.anyExpression()) : query
      let rule = CheckRule("rule", check)
      let found = try? TableSchema(
        table.name, columns: table.columns, primaryKey: table.primaryKeyColumns.map(\.name), checks: [rule])
      if found != nil { return check }
    }
    return nil
  }

  private mutating func conflictRule(_ table: TableSchema) -> ConflictRule {
    if random.chance(0.4) { return .ignore }
    let single = table.columns.filter(\.isUnique).map { [$0.name] }
    let sets = table.uniqueSets.map { set in set.map { table.columns[$0].name } }
    // Now and then columns that are not unique: that has to be the same error everywhere.
    let others = random.chance(0.05) ? [[random.pick(table.columns).name], []] : []
    return .update(by: random.pick([table.primaryKeyColumns.map(\.name)] + single + single + sets + sets + others))
  }

  private mutating func rows(_ table: TableSchema) -> [[Value]] {
    (0..<random.pick([1, 1, 1, 2, 4])).map { _ in table.columns.map { value($0, mayBeNull: true) } }
  }

  private mutating func assignments(_ table: TableSchema, beside tables: [TableSchema]) -> [Assignment] {
    let others = table.columns.filter { !table.primaryKeyColumns.contains($0) || random.chance(0.02) }
    return others.shuffled(using: &random).prefix(random.pick([1, 1, 2])).map { column in
      random.chance(0.5)
        ? Assignment(column.name, expression(for: column, of: table, beside: tables))
        : Assignment(column.name, value(column, mayBeNull: true))
    }
  }

  /// An expression, most often one that the column can be set to.
  private mutating func expression(
    for column: ColumnSchema, of table: TableSchema, beside tables: [TableSchema]
  ) -> AnyExpression {
    var requests = RandomRequests(random: random, table: table)
    requests.relatedTables = tables
    defer { random = requests.random }
    var expression = AnyExpression.key(column.name)
    for _ in 0..<8 {
      let depth = requests.random.pick([1, 1, 2])
      expression = column.type == .text ? requests.text(depth) : requests.number(depth)
      let found = try? ResolvedAssignments(
        [Assignment(column.name, expression)], in: table, with: { name in tables.first(named: name) })
      if found != nil { break }
    }
    return expression
  }

  /// A condition, of which some read other rows.
  private mutating func query(_ table: TableSchema, beside tables: [TableSchema]) -> AnyQuery {
    if random.chance(0.6) { return query(table, depth: 1) }
    var requests = RandomRequests(random: random, table: table)
    requests.relatedTables = tables
    defer { random = requests.random }
    return requests.conditionOfExpression()
  }

  private mutating func query(_ table: TableSchema, depth: Int) -> AnyQuery {
    if depth > 0, random.chance(0.4) {
      let (lhs, rhs) = (query(table, depth: depth - 1), query(table, depth: depth - 1))
      return random.pick([lhs && rhs, lhs || rhs, !lhs])
    }
    let column = random.pick(table.columns)
    let (low, high) = (value(column, mayBeNull: false), value(column, mayBeNull: false))
    return random.pick([
      .true, .notEqual(key: column.name, value: low), .lessThan(key: column.name, value: high),
      .in(key: column.name, values: [low, high]), .isNull(key: column.name),
      .compare(key: column.name, .greaterThanOrEqual, value: low),
      .between(key: column.name, lower: .value(low), upper: .value(high)),
      .compare(key: column.name, random.pick(ComparisonOperator.allCases), otherKey: column.name),
    ])
  }

  private mutating func value(_ column: ColumnSchema, mayBeNull: Bool) -> Value {
    if mayBeNull, random.chance(column.isGenerated ? 0.6 : column.isNullable ? 0.3 : 0.01) { return .null }
    switch column.type {
    case .integer: return random.pick(Self.integers)
    case .text: return random.pick(texts)
    case .real: return random.pick([1, 0.5, 0.1, 2.0, .real(.infinity)])
    case .blob, .any: return random.pick(Self.integers + texts + Self.others)
    }
  }
}
