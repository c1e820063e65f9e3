package import Query

/// Makes requests and rows at random: over few values, so that they meet, among them those at which stores differ.
package struct RandomRequests {
  package var random: SplitMix64
  package let table: TableSchema
  /// Rows of the table, from which cursors are taken; none in a table without a key.
  package var rows: [[Value]] = []
  /// How many of the conditions and sort keys are about expressions rather than columns.
  package var expressionRate = 0.0
  /// Tables that refer to each other, the own one among them; none where expressions stay in one table.
  package var relatedTables: [TableSchema] = []
  /// How many of the texts in columns that may hold JSON are JSON, and how many of the operands are paths into such columns.
  package var jsonRate = 0.0
  /// Whether texts with U+0000 are among the rows, which some databases can't keep; they are looked for all the same.
  private let storesNUL: Bool

  private static let numbers: [Value] = [
    0, 1, -1, 2, 0.5, -0.0, 1.0, 9_007_199_254_740_992, 9_007_199_254_740_993, 9_007_199_254_740_992.0,
    .integer(.max), .integer(.min), 9_223_372_036_854_775_808.0, -9_223_372_036_854_775_808.0, .real(.infinity),
    .real(-.infinity), .real(.leastNonzeroMagnitude), 1e300, 0.1, 32_767, -32_768, 46_341, 2_147_483_647,
    -2_147_483_648,
  ]
  private static let texts: [Value] = [
    "", "a", "A", "ab", "aB", "b", "a\0", "a\0b", "\0", "é", "e\u{301}", "E\u{301}", "É", "ß", "SS", "ss", "ſ", "ı",
    "I",
    "i", "1", "01", "1.0", "%", "_", "\\", "a%b", "\u{FFFF}", "\u{10000}", "\u{10FFFF}", "日本", "🇯🇵", "null", "'", "\"",
  ]
  private static let blobs: [Value] = [
    .blob([]), .blob([0]), .blob([0, 0]), .blob([97]), .blob([255]), .blob([97, 0]),
  ]

  package init(random: SplitMix64, table: TableSchema, storesNUL: Bool = true) {
    self.random = random
    self.table = table
    self.storesNUL = storesNUL
  }

  package mutating func row() -> [Value] {
    table.columns.enumerated().map { position, column in
      if column.isNullable, random.chance(0.2) { return .null }
      // Whatever a column can hold is found by trying.
      while true {
        if let stored = try? column.stored(value(for: column)), storesNUL || !stored.holdsNUL { return stored }
      }
    }
  }

  package mutating func request() -> FetchRequest {
    var request = FetchRequest(
      random.chance(0.01) ? deepQuery() : query(depth: Int.random(in: 0...4, using: &random)), sortedBy: sort(),
      limit: random.chance(0.3) ? Int.random(in: 0...20, using: &random) : nil,
      offset: random.chance(0.2) ? Int.random(in: 0...10, using: &random) : 0)
    if random.chance(0.15) { request.after = cursor(request.sort) }
    if random.chance(0.1) { request.before = cursor(request.sort) }
    return request
  }

  package mutating func cursor(_ sort: AnySort) -> Cursor? {
    rows.isEmpty ? nil : try? Cursor(at: random.pick(rows), in: table, sortedBy: sort)
  }

  package mutating func sort() -> AnySort {
    AnySort(
      (0..<random.pick([0, 1, 1, 2, 3])).map { _ in
        SortTerm(
          random.chance(expressionRate) ? anyExpression() : .key(random.pick(table.columns).name),
          direction: random.pick([.ascending, .descending]),
          nulls: random.pick([.first, .last]))
      })
  }

  package mutating func query(depth: Int) -> AnyQuery {
    if depth == 0 || random.chance(0.2) { return condition() }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return !query(depth: depth - 1)
    case 1, 2: return query(depth: depth - 1) && query(depth: depth - 1)
    default: return query(depth: depth - 1) || query(depth: depth - 1)
    }
  }

  /// Connectives of both kinds in turn, as deep as a query may be: a condition at each level, so that it stays short.
  private mutating func deepQuery() -> AnyQuery {
    (1...Int.random(in: 5...ResolvedQuery.maximumDepth, using: &random)).reduce(condition()) { deep, level in
      let other = condition()
      let (lhs, rhs) = random.chance(0.5) ? (deep, other) : (other, deep)
      let joined = level.isMultiple(of: 2) ? lhs && rhs : lhs || rhs
      return random.chance(0.1) ? !joined : joined
    }
  }

  private mutating func condition() -> AnyQuery {
    if random.chance(expressionRate) { return conditionOfExpression() }
    let column = random.pick(table.columns)
    let key = column.name
    switch Int.random(in: 0..<12, using: &random) {
    case 0...3:
      return .compare(key: key, random.pick(ComparisonOperator.allCases), value: value(for: column))
    case 4:
      return .compare(key: key, random.pick(ComparisonOperator.allCases), otherKey: random.pick(table.columns).name)
    case 5, 6:
      return .between(key: key, lower: bound(for: column), upper: bound(for: column))
    case 7, 8:
      let count = random.pick([0, 1, 2, 3, 5, 20])
      return .in(key: key, values: (0..<count).map { _ in value(for: column) })
    case 9, 10:
      // Operators on the text of a decimal are refused.
      let texts = table.columns.filter { $0.kinds.contains(.text) && $0.format != .decimal }
      return .match(
        key: random.pick(texts.isEmpty ? [column] : texts).name, random.pick(TextOperation.allCases), value: pattern(),
        ignoringCase: random.chance(0.4))
    default:
      return random.chance(0.5) ? .isNull(key: key) : random.pick([.true, .false, .isNotNull(key: key)])
    }
  }

  package mutating func bound(for column: ColumnSchema) -> Operand<AnyExpression> {
    random.chance(0.2) ? .key(.key(random.pick(table.columns).name)) : .value(value(for: column))
  }

  private mutating func pattern() -> String {
    (0..<random.pick([0, 1, 1, 2, 3])).map { _ in
      guard case .text(let text) = random.pick(Self.texts) else { return "" }
      return text
    }.joined()
  }

  /// Mostly a value that fits the column, and now and then one that does not: that has to be the same error everywhere.
  package mutating func value(for column: ColumnSchema) -> Value {
    if random.chance(0.05) { return .null }
    if random.chance(0.005) { return random.pick(Self.numbers + Self.texts + Self.blobs) }
    if let format = column.format, random.chance(0.9) { return random.pick(format.samples) }
    if let nativeType = column.nativeType, random.chance(0.8) { return random.pick(nativeType.samples) }
    if jsonRate > 0, table.jsonColumn(named: column.name) != nil, random.chance(jsonRate) {
      return .text(random.chance(0.1) ? RandomJSON.invalidText(using: &random) : RandomJSON(using: &random).text)
    }
    return switch random.pick(column.kinds.sorted { $0.rawValue < $1.rawValue }) {
    case .null: .null
    case .number: random.pick(Self.numbers)
    case .text: random.pick(Self.texts)
    case .blob: random.pick(Self.blobs)
    }
  }
}

extension Value {
  /// Whether this is a text with U+0000.
  package var holdsNUL: Bool {
    if case .text(let text) = self { text.utf8.contains(0) } else { false }
  }
}

extension ValueFormat {
  /// Values in the format, others that it takes, and such as are next to them.
  fileprivate var samples: [Value] {
    switch self {
    case .uuid:
      [
        "00000000-0000-0000-0000-000000000000", "e621e1f8-c36c-495a-93fc-000c247a3e6e",
        "e621e1f8-c36c-495a-93fc-000c247a3e6f", "ffffffff-ffff-ffff-ffff-ffffffffffff", "e621",
      ]
    case .date:
      [
        "2026-11-20T23:11:00.000000000Z", "2026-11-20T23:11:00.500000000Z", "1969-07-20T20:17:40.000000000Z",
        "0000-01-01T00:00:00.000000000Z", "2026-11-20", "2026",
      ]
    case .decimal:
      [
        0, 1, -1, 2, 10, 9.99, -0.5, "9.990", "-10", "12345678901234567890.123456789", "99999999999999999999e100",
        "dear",
      ]
    }
  }
}

extension NativeColumnType {
  /// Values that a column may hold, and such as are next to them.
  fileprivate var samples: [Value] {
    switch self {
    case .boolean: [0, 1, -1, 2, 0.5]
    case .uuid:
      [
        "00000000-0000-0000-0000-000000000000", "e621e1f8-c36c-495a-93fc-000c247a3e6e", "e621e1f8",
        "E621E1F8-C36C-495A-93FC-000C247A3E6E", "e621e1f8-c36c-495a-93fc-000c247a3e6f",
        "e621e1f8-c36c-495a-93fc-000c247a3e6e ",
        "ffffffff-ffff-ffff-ffff-ffffffffffff", "a1b2c3d4-0000-4000-8000-00000000abcd", "9", "g", "e621e1f8-c36c+",
      ]
    case .timestamp:
      [
        "2026-11-20T23:11:00.000000000Z", "2026-11-20T23:11:00.123456000Z", "2026-11-20T23:11:00.123456789Z",
        "2026-11-20T23:11:00.999999900Z", "1999-12-31T23:59:59.999999000Z", "1969-07-20T20:17:40.500000000Z",
        "0001-01-01T00:00:00.000000000Z", "9999-12-31T23:59:59.999999000Z", "infinity", "-infinity", "2026-11",
        "2026-13",
        "2026-11-20", "2026-02-30T00:00:00.000000000Z", "2026-11-20T23:11:00Z", "0000-01-01T00:00:00.000000000Z", "x",
      ]
    case .day:
      [
        "2026-11-20", "2026-11-21", "1999-12-31", "2000-01-01", "1969-07-20", "0001-01-01", "9999-12-31", "infinity",
        "-infinity", "2026-11", "2026-02-30", "2026-11-20T23:11:00.000000000Z", "0000-01-01", "x",
      ]
    case .decimal(_, let scale):
      (scale == 0 ? [1, -1, 5, 12, 999_999, -999_999, 1_000_000, 1.0, 999_999.5] : [])
        + [0.1, 0.2, 0.3, 0.125, -0.125, 12.5, 0.10000000000000002, 1e15, 9_999_999.99, 12.34, -12.34]
    case .numeric: ValueFormat.decimal.samples
    case .shown: []
    case .padded: ["a", "a ", "ab", "abc", "b", "", " a", "é", "a\t", "  "]
    case .text: ["{}", "[1, 2]", "{\"a\":1}", "{\"a\": 1}", "1.0", "1", "null", "a", "b", "ab", "B", "é", ""]
    }
  }
}
