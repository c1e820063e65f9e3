package import Query

// Expressions at random: mostly of types that fit, over values at which databases differ from each other.
extension RandomRequests {
  /// A condition in which an expression is compared.
  package mutating func conditionOfExpression() -> AnyQuery {
    if !relatedTables.isEmpty, random.chance(0.3), let rows = relatedRows() {
      let query = AnyQuery.exists(rows)
      return random.chance(0.5) ? query : !query
    }
    if !relatedTables.isEmpty, random.chance(0.25), let query = conditionOfRelatedColumn() { return query }
    let depth = random.pick([1, 2, 3, 4, 4])
    switch Int.random(in: 0..<10, using: &random) {
    case 0...3:
      return .compare(
        number(depth), random.pick(ComparisonOperator.allCases),
        random.chance(0.5) ? number(depth - 1) : AnyExpression(.value(randomNumber())))
    case 4:
      return .between(number(depth), lower: .value(randomNumber()), upper: .key(number(depth - 1)))
    case 5:
      return .in(number(depth), values: (0..<random.pick([0, 1, 3, 20])).map { _ in randomNumber() })
    case 6, 7:
      return .compare(text(depth), random.pick(ComparisonOperator.allCases), text(depth - 1))
    case 8:
      guard case .text(let sought) = randomText() else { return .true }
      return .match(
        text(depth), random.pick(TextOperation.allCases), value: sought, ignoringCase: random.chance(0.3))
    default:
      return random.chance(0.5) ? .isNull(anyExpression()) : .isNotNull(anyExpression())
    }
  }

  package mutating func anyExpression() -> AnyExpression {
    random.chance(0.6) ? number(random.pick([1, 2, 3])) : text(random.pick([1, 2]))
  }

  mutating func number(_ depth: Int) -> AnyExpression {
    if !relatedTables.isEmpty, random.chance(0.25), let aggregate = relatedAggregate() { return aggregate }
    if depth <= 0 || random.chance(0.1) {
      return random.chance(0.6)
        ? key(of: .number) ?? AnyExpression(.value(randomNumber())) : AnyExpression(.value(randomNumber()))
    }
    switch Int.random(in: 0..<12, using: &random) {
    case 0...4:
      return .apply(random.pick([.add, .subtract, .multiply, .divide]), number(depth - 1), number(depth - 1))
    case 5: return .apply(.remainder, number(depth - 1), number(depth - 1))
    case 6, 7:
      return .function(random.pick([.negate, .abs, .floor, .ceiling, .sign, .squareRoot]), of: number(depth - 1))
    case 8:
      switch random.pick([0, 1, 2, 3, 4, 5]) {
      case 0: return .function(.length, of: text(depth - 1))
      case 4:
        return AnyExpression(
          .function(.round, [number(depth - 1)] + (random.chance(0.7) ? [integer(depth - 1)] : [])))
      case 5: return .function(random.pick([.integer, .number]), of: text(depth - 1))
      case 1: return AnyExpression(.function(.position, [text(depth - 1), text(depth - 1)]))
      case 2:
        return AnyExpression(
          .function(random.pick([.daysBetween, .secondsBetween]), [text(depth - 1), text(depth - 1)]))
      default:
        let arguments = (0..<random.pick([2, 2, 3])).map { _ in number(depth - 1) }
        return AnyExpression(.function(random.pick([.least, .greatest]), arguments))
      }
    case 9:
      return AnyExpression(
        .function(.coalesce, (0..<random.pick([1, 2, 3])).map { _ in number(depth - 1) }))
    case 10:
      return .function(
        random.pick([.year, .month, .day, .hour, .minute, .second, .weekday, .quarter, .week, .weekYear]),
        of: text(depth - 1))
    default:
      return AnyExpression(.conditional(query(depth: 1), then: number(depth - 1), else: number(depth - 1)))
    }
  }

  mutating func text(_ depth: Int) -> AnyExpression {
    if depth <= 0 || random.chance(0.1) {
      return random.chance(0.6)
        ? key(of: .text) ?? AnyExpression(.value(randomText())) : AnyExpression(.value(randomText()))
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1: return .concatenation(text(depth - 1), text(depth - 1))
    case 2:
      switch random.pick([0, 1, 2, 3, 4, 5]) {
      case 0: return .function(.folded, of: text(depth - 1))
      case 1: return .function(.trim, of: text(depth - 1))
      case 2: return AnyExpression(.function(.replace, (0..<3).map { _ in text(depth - 1) }))
      case 3:
        let bounds = (0..<random.pick([1, 2])).map { _ in integer(depth - 1) }
        return AnyExpression(.function(.substring, [text(depth - 1)] + bounds))
      case 4: return AnyExpression(.function(.part, [text(depth - 1), text(depth - 1), integer(depth - 1)]))
      default:
        return AnyExpression(.function(random.pick([.addDays, .addMonths]), [text(depth - 1), integer(depth - 1)]))
      }
    case 3: return AnyExpression(.function(.coalesce, (0..<random.pick([1, 2, 3])).map { _ in text(depth - 1) }))
    case 4: return .function(random.pick([.date, .yearMonth]), of: text(depth - 1))
    default: return AnyExpression(.conditional(query(depth: 1), then: text(depth - 1), else: text(depth - 1)))
    }
  }

  /// An integer, which is small most of the time.
  private mutating func integer(_ depth: Int) -> AnyExpression {
    let constants: [Value] = [0, 1, 2, 3, -1, 30, 12, 400, .integer(.max), .integer(.min), 1_000_000_000, .null]
    if depth <= 0 || random.chance(0.7) { return AnyExpression(.value(random.pick(constants))) }
    return random.chance(0.5)
      ? .function(.length, of: text(depth - 1)) : .function(random.pick([.year, .month, .day]), of: text(depth - 1))
  }

  /// Rows of a table that refers to this one, or an aggregate of them.
  mutating func relatedRows() -> RelatedRows? {
    let referring = relatedTables.flatMap { other in
      other.references.filter { Name($0.table) == table.name }.map { (other, $0) }
    }
    if referring.isEmpty { return nil }
    let (other, reference) = random.pick(referring)
    var inner = requests(about: other)
    defer { random = inner.random }
    return RelatedRows(
      other.name, by: reference.columns, where: inner.random.chance(0.4) ? .true : inner.query(depth: 1))
  }

  private mutating func relatedAggregate() -> AnyExpression? {
    guard let rows = relatedRows(), let other = relatedTables.first(named: rows.table) else { return nil }
    let function = random.pick(AnyAggregate.Function.allCases)
    if function == .count, random.chance(0.5) { return AnyExpression(.aggregate(.count, nil, rows)) }
    let columns = other.columns.filter {
      $0.kinds.contains(.number)
    }
    if columns.isEmpty { return nil }
    return AnyExpression(.aggregate(function, .key(random.pick(columns).name), rows))
  }

  /// A column of another table, or an aggregate of one, compared with what the column may hold.
  private mutating func conditionOfRelatedColumn() -> AnyQuery? {
    let (expression, column): (AnyExpression, ColumnSchema)
    if random.chance(0.6) {
      guard let (table, steps) = path() else { return nil }
      column = random.pick(table.columns)
      expression = AnyExpression(.path(steps + [column.name]))
    } else {
      guard let rows = relatedRows(), let other = relatedTables.first(named: rows.table) else { return nil }
      column = random.pick(other.columns)
      expression = AnyExpression(.aggregate(random.pick([.min, .max]), .key(column.name), rows))
    }
    let comparisonOperator = random.pick(ComparisonOperator.allCases)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return .in(expression, values: (0..<random.pick([1, 2, 3])).map { _ in value(for: column) })
    case 1: return .between(expression, lower: bound(for: column), upper: bound(for: column))
    case 2:
      let own = table.columns.filter { $0.type == column.type && $0.format == column.format }
      if own.isEmpty { return nil }
      return .compare(expression, comparisonOperator, .key(random.pick(own).name))
    default: return .compare(expression, comparisonOperator, AnyExpression(.value(value(for: column))))
    }
  }

  func requests(about other: TableSchema) -> RandomRequests {
    var inner = RandomRequests(random: random, table: other)
    (inner.expressionRate, inner.relatedTables, inner.jsonRate) = (expressionRate / 2, relatedTables, jsonRate)
    return inner
  }

  /// The steps of a path, and the table to which they lead.
  private mutating func path() -> (table: TableSchema, steps: [String])? {
    var (here, steps): (TableSchema, [String]) = (table, [])
    while steps.count < AnyExpression.maximumPathLength {
      if here.references.isEmpty || !steps.isEmpty && random.chance(0.5) { break }
      let reference = random.pick(here.references)
      guard let next = relatedTables.first(named: reference.table) else { break }
      steps.append(random.pick(reference.columns))
      here = next
    }
    return steps.isEmpty ? nil : (here, steps)
  }

  /// A path to a column of such a kind.
  private mutating func path(to kind: Value.Kind) -> AnyExpression? {
    guard let (here, steps) = path() else { return nil }
    let columns = here.columns.filter { $0.kinds.contains(kind) }
    if columns.isEmpty { return nil }
    if random.chance(jsonRate), let inner = jsonSteps(in: here) { return AnyExpression(.path(steps + inner)) }
    return AnyExpression(.path(steps + [random.pick(columns).name]))
  }

  /// A path into a column of JSON, which may lead to values of any kind.
  package mutating func jsonPath() -> AnyExpression? {
    jsonSteps(in: table).map { AnyExpression(.path($0)) }
  }

  /// A column of JSON, and steps into it; `nil` where a table has none.
  private mutating func jsonSteps(in table: TableSchema) -> [String]? {
    let columns = table.columns.filter { table.jsonColumn(named: $0.name) != nil }
    if columns.isEmpty { return nil }
    return [random.pick(columns).name] + (0..<random.pick([1, 1, 2, 3])).map { _ in random.pick(RandomJSON.steps) }
  }

  private mutating func key(of kind: Value.Kind) -> AnyExpression? {
    if !relatedTables.isEmpty, random.chance(0.5), let path = path(to: kind) { return path }
    if random.chance(jsonRate), let path = jsonPath() { return path }
    // Now and then a path into a column without JSON, or a column that does not fit: that has to be the same error everywhere.
    let plain = table.columns.filter { table.jsonColumn(named: $0.name) == nil }
    if random.chance(0.005), !plain.isEmpty { return AnyExpression(.path([random.pick(plain).name, "a"])) }
    let columns = random.chance(0.01) ? table.columns : table.columns.filter { $0.kinds.contains(kind) }
    return columns.isEmpty ? nil : .key(random.pick(columns).name)
  }

  private mutating func randomNumber() -> Value {
    random.pick([
      0, 1, -1, 2, 3, 7, 0.5, -0.0, 1.0, 1.5, -2.5, 9_007_199_254_740_993, .integer(.max), .integer(.min), 1e308,
      -1e308,
      .real(.greatestFiniteMagnitude), .real(.leastNonzeroMagnitude), 1e-200, 1e200, 0.1, 9_223_372_036_854_775_808.0,
      .real(.infinity), .real(-.infinity), .null,
    ])
  }

  private mutating func randomText() -> Value {
    random.pick([
      "", "a", "A", "ab", "é", "ß", "日本", "🇯🇵", "2026-11-20", "2026-11-20T23:11:00.000000000Z", "2024-02-29 01:02",
      "2023-02-29", "0000-01-01", "1969-12-31T23:59:59.5Z", "2026-11-20T23:11:00+01:00", "9999-12-31",
      "2026-11-20 24:00", "12", "-3.50", "007", "9223372036854775808", "1.", "0.1",
      .null,
    ])
  }
}
