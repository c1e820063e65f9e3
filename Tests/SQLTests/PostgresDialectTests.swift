import Query
@_spi(RequestCompilation) import SQL
import TestSupport
import Testing

/// A table with a column of every type that PostgreSQL keeps, null and not null.
private func dexTable() throws -> TableSchema {
  try TableSchema(
    "dex",
    columns: [
      ColumnSchema("id", .integer), ColumnSchema("hp", .integer, isNullable: true), ColumnSchema("name", .text),
      ColumnSchema("habitat", .text, isNullable: true), ColumnSchema("weight", .real),
      ColumnSchema("height", .real, isNullable: true), ColumnSchema("picture", .blob, isNullable: true),
      ColumnSchema("foreign", .text, collation: "en_US"),
      ColumnSchema("loose", .text, collation: ColumnSchema.unknownCollation),
    ],
    primaryKey: ["id"])
}

@Suite("A request becomes PostgreSQL's SQL")
struct PostgresSelectTests {
  struct Case: CustomTestStringConvertible {
    let request: FetchRequest
    let sql: String
    let bindings: [Value]
    let lists: [[Value]]
    var testDescription: String { sql }

    init(_ request: FetchRequest, _ sql: String, _ bindings: [Value] = [], lists: [[Value]] = []) {
      self.request = request
      self.sql = sql
      self.bindings = bindings
      self.lists = lists
    }
  }

  /// What stands after the list of columns, and before the order by primary key where no other is asked for.
  private static func condition(
    _ query: AnyQuery, _ sql: String, _ bindings: [Value] = [], lists: [[Value]] = []
  ) -> Case {
    Case(FetchRequest(query), " WHERE \(sql) ORDER BY \"id\" ASC", bindings, lists: lists)
  }

  static let comparisons: [Case] = [
    condition(.equal(key: "name", value: "Mew"), #""name" = $1"#, ["Mew"]),
    condition(.equal(key: "habitat", value: Value.null), #""habitat" IS NULL"#),
    condition(.notEqual(key: "habitat", value: "cave"), #""habitat" <> $1 OR "habitat" IS NULL"#, ["cave"]),
    condition(
      !.lessThan(key: "height", value: 1.5), #"("height" >= $1 AND "height" < 'NaN') OR "height" IS NULL"#, [1.5]),
    condition(.between(key: "height", lhs: 1.0, rhs: 2.0), #""height" BETWEEN $1 AND $2"#, [1.0, 2.0]),
    condition(.lessThan(key: "id", value: 2.5), #""id" < $1"#, [3]),
    condition(.equal(key: "id", value: 2.5), "1 = 0"),
    condition(.greaterThan(key: "hp", value: -1e300), #""hp" IS NOT NULL"#),
    condition(
      .greaterThan(key: "weight", value: 9_007_199_254_740_993), #"("weight" > $1 AND "weight" < 'NaN')"#,
      [9_007_199_254_740_992.0]),
    condition(.equal(key: "picture", value: Value.blob([1])), #""picture" = $1"#, [.blob([1])]),
    condition(.equal(key: "name", value: "a\0b"), "1 = 0"),
    condition(.notEqual(key: "habitat", value: "a\0b"), "1 = 1"),
    condition(.lessThan(key: "name", value: "a\0b\0"), #""name" <= $1"#, ["a"]),
    condition(.lessThanOrEqual(key: "name", value: "\0"), #""name" <= $1"#, [""]),
    condition(.greaterThan(key: "name", value: "a\0"), #""name" > $1"#, ["a"]),
    condition(!.lessThan(key: "habitat", value: "a\0"), #""habitat" > $1 OR "habitat" IS NULL"#, ["a"]),
    condition(.between(key: "name", lhs: "a\0", rhs: "b"), #""name" > $1 AND "name" <= $2"#, ["a", "b"]),
    condition(.equal(key: "foreign", value: "x"), #""foreign" = $1"#, ["x"]),
    condition(.lessThan(key: "foreign", value: "x"), #""foreign" COLLATE "C" < $1"#, ["x"]),
    condition(.equal(key: "loose", value: "x"), #""loose" COLLATE "C" = $1"#, ["x"]),
  ]

  static let keys: [Case] = [
    condition(.lessThan(key: "id", otherKey: "hp"), #""id" < "hp""#),
    condition(
      .equal(key: "hp", otherKey: "hp"), #""hp" = "hp" OR ("hp" IS NULL AND "hp" IS NULL)"#),
    condition(.equal(key: "name", otherKey: "foreign"), #""name" COLLATE "C" = "foreign""#),
    condition(.lessThan(key: "foreign", otherKey: "name"), #""foreign" COLLATE "C" < "name""#),
    condition(
      .lessThan(key: "id", otherKey: "weight"),
      """
      (CASE WHEN "id" IS NULL OR "weight" IS NULL THEN NULL WHEN "weight" >= 9223372036854775808 THEN -1 \
      WHEN "weight" < -9223372036854775808 THEN 1 WHEN "id" < floor("weight")::int8 THEN -1 \
      WHEN "id" > floor("weight")::int8 THEN 1 WHEN "weight" > floor("weight") THEN -1 ELSE 0 END < 0 AND "weight" < 'NaN')
      """),
    condition(
      .greaterThanOrEqual(key: "weight", otherKey: "id"),
      """
      (0 >= CASE WHEN "id" IS NULL OR "weight" IS NULL THEN NULL WHEN "weight" >= 9223372036854775808 THEN -1 \
      WHEN "weight" < -9223372036854775808 THEN 1 WHEN "id" < floor("weight")::int8 THEN -1 \
      WHEN "id" > floor("weight")::int8 THEN 1 WHEN "weight" > floor("weight") THEN -1 ELSE 0 END AND "weight" < 'NaN')
      """),
  ]

  static let lists: [Case] = [
    condition(.in(key: "id", values: [1, 2]), #""id" IN ($1, $2)"#, [1, 2]),
    condition(.in(key: "id", values: [1, 2, 3]), #""id" IN ($1, $2, $3, $4)"#, [1, 2, 3, 3]),
    condition(.in(key: "id", values: [Int]()), "1 = 0"),
    condition(!.in(key: "habitat", values: [String]()), "1 = 1"),
    condition(.in(key: "id", values: 1...5), #""id" = ANY($1)"#, [.null], lists: [[1, 2, 3, 4, 5]]),
    condition(
      !.in(key: "hp", values: 1...5), #""hp" <> ALL($1) OR "hp" IS NULL"#, [.null], lists: [[1, 2, 3, 4, 5]]),
    condition(
      .in(key: "weight", values: [1, 2, 3, 4, 9_007_199_254_740_993, 5]), #""weight" = ANY($1)"#, [.null],
      lists: [[1.0, 2.0, 3.0, 4.0, 5.0]]),
    condition(.in(key: "name", values: ["a", "b\0", "c"]), #""name" IN ($1, $2)"#, ["a", "c"]),
    condition(.in(key: "habitat", values: ["a\0", nil]), #""habitat" IS NULL"#),
    condition(
      !.in(key: "habitat", values: ["a", "b", "c", "d", "e", nil]),
      #""habitat" IS NOT NULL AND "habitat" <> ALL($1)"#, [.null], lists: [["a", "b", "c", "d", "e"]]),
  ]

  private static let foldedName = """
    CASE WHEN octet_length("name") = length("name") THEN lower("name" COLLATE "C") \
    ELSE \(PostgresFolding.functionName)("name") END
    """

  static let texts: [Case] = [
    condition(.contains(key: "name", value: "saur"), #"strpos("name", $1) > 0"#, ["saur"]),
    condition(.contains(key: "name", value: ""), #"strpos("name", $1) > 0"#, [""]),
    condition(
      !.contains(key: "habitat", value: "a"), #"NOT (strpos("habitat", $1) > 0) OR "habitat" IS NULL"#, ["a"]),
    condition(.contains(key: "name", value: "a\0"), "1 = 0"),
    condition(!.contains(key: "habitat", value: "a\0"), #"NOT (1 = 0) OR "habitat" IS NULL"#),
    condition(.hasPrefix(key: "name", value: "Mr"), #""name" >= $1 AND "name" < $2"#, ["Mr", "Ms"]),
    condition(.hasPrefix(key: "name", value: "\u{10FFFF}"), #""name" >= $1"#, ["\u{10FFFF}"]),
    condition(.hasPrefix(key: "name", value: ""), #""name" IS NOT NULL"#),
    condition(
      .hasPrefix(key: "foreign", value: "Mr"), #""foreign" COLLATE "C" >= $1 AND "foreign" COLLATE "C" < $2"#,
      ["Mr", "Ms"]),
    condition(.hasSuffix(key: "name", value: "é"), #"right("name", length($1)) = $1"#, ["é"]),
    condition(.hasSuffix(key: "habitat", value: ""), #""habitat" IS NOT NULL"#),
    condition(.like(key: "name", value: "%saur"), #""name" LIKE $1"#, ["%saur"]),
    condition(.like(key: "name", value: #"%saur\"#), #""name" LIKE $1"#, [#"%saur\\"#]),
    condition(.like(key: "name", value: #"%saur\\"#), #""name" LIKE $1"#, [#"%saur\\"#]),
    condition(
      .like(key: "name", value: #"a\_b_c%"#), #""name" >= $1 AND "name" < $2 AND "name" LIKE $3"#,
      ["a_b", "a_c", #"a\_b_c%"#]),
    condition(
      .like(key: "name", value: #"a\"#), #""name" >= $1 AND "name" < $2 AND "name" LIKE $3"#,
      [#"a\"#, "a]", #"a\\"#]),
    condition(.like(key: "name", value: "\u{10FFFF}%"), #""name" LIKE $1"#, ["\u{10FFFF}%"]),
    condition(
      .contains(key: "name", value: "SAUR", ignoringCase: true), "strpos(\(foldedName), $1) > 0", ["saur"]),
    condition(
      .hasPrefix(key: "name", value: "Straße", ignoringCase: true), "starts_with(\(foldedName), $1)", ["strasse"]),
    condition(
      .hasSuffix(key: "name", value: "É", ignoringCase: true), "right(\(foldedName), length($1)) = $1", ["é"]),
    condition(.like(key: "name", value: "A_%", ignoringCase: true), "\(foldedName) LIKE $1", ["a_%"]),
  ]

  static let orders: [Case] = [
    Case(
      FetchRequest(sortedBy: .descending(key: "weight") + .ascending(key: "habitat", nulls: .last)),
      #" ORDER BY "weight" DESC, "habitat" ASC NULLS LAST, "id" ASC"#),
    Case(
      FetchRequest(sortedBy: .ascending(key: "height") + .descending(key: "foreign")),
      #" ORDER BY "height" ASC NULLS FIRST, "foreign" COLLATE "C" DESC, "id" ASC"#),
    Case(FetchRequest(limit: 5), #" ORDER BY "id" ASC LIMIT $1"#, [5]),
    Case(FetchRequest(limit: 5, offset: 10), #" ORDER BY "id" ASC LIMIT $1 OFFSET $2"#, [5, 10]),
    Case(FetchRequest(offset: 10), #" ORDER BY "id" ASC OFFSET $1"#, [10]),
  ]

  @Test("of any condition and order", arguments: comparisons + keys + lists + texts + orders)
  func select(_ expected: Case) throws {
    let compiled = Compiler(for: PostgresDialect()).select(try expected.request.resolved(in: dexTable()))
    let columns = try dexTable().columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
    #expect(compiled.sql == "SELECT \(columns) FROM \"dex\"" + expected.sql)
    #expect(compiled.bindings == expected.bindings)
    #expect(compiled.lists.map(\.values) == expected.lists)
  }

  @Test("where a list stands in a statement of a program's own")
  func list() {
    for (values, type): ([Value], String) in [
      ([1, .null], "bigint"), ([1, 2.5], "double precision"), (["a"], "text"), ([.blob([1])], "bytea"), ([], "text"),
    ] {
      #expect(PostgresDialect().list(values) { _ in "$1" } == "SELECT unnest($1::\(type)[])")
    }
  }

  @Test("of different rows, and their number")
  func distinct() throws {
    let compiler = Compiler(for: PostgresDialect())
    let request = FetchRequest(sortedBy: .ascending(key: "loose") + .descending(key: "height"))
    #expect(
      compiler.select(
        try ProjectionRequest([.key("loose"), .key("height")], of: request, isDistinct: true).resolved(in: dexTable())
      ).sql == """
        SELECT "r0"."loose" COLLATE "C", "r0"."height" FROM "dex" AS "r0" \
        GROUP BY "r0"."loose" COLLATE "C", "r0"."height" \
        ORDER BY "r0"."loose" COLLATE "C" ASC, "r0"."height" DESC NULLS LAST
        """)
    // Of the two names of the result that PostgreSQL makes up, the order means neither.
    let computed = try ProjectionRequest(
      [.key("name"), ProjectedColumn(AnyExpression(parsing: "if(hp > 1, habitat, name)"))],
      of: FetchRequest(sortedBy: .ascending(key: "name"))
    ).resolved(in: dexTable())
    #expect(compiler.select(computed).sql.contains(#"ORDER BY "r0"."name" ASC"#))
    #expect(
      compiler.count(try ProjectionRequest([.key("habitat")], isDistinct: true).resolved(in: dexTable())).sql
        == #"SELECT count(*) FROM (SELECT 1 FROM "dex" GROUP BY "habitat") AS "different""#)
  }
}

@Suite("Requests of a shape that was seen before, in PostgreSQL's SQL")
struct PostgresRequestCompilerTests {
  /// Values that are near to each other in every way that the SQL could depend on.
  private static func query(using random: inout some RandomNumberGenerator) -> AnyQuery {
    func text() -> String {
      let parts = ["", "a", "b", "%", "_", "\\", "\0", "é", "\u{10FFFF}", "\u{D7FF}"]
      return (0..<Int.random(in: 0...3, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
    }
    func number() -> Value {
      let numbers: [Value] = [
        1, 2, 2.0, 2.5, 1e300, -1e300, .integer(.max), 9_007_199_254_740_993, .real(.infinity), -0.0, .null,
      ]
      return numbers.randomElement(using: &random) ?? 0
    }
    let isText = Bool.random(using: &random)
    let key =
      (isText ? ["name", "habitat", "foreign", "loose"] : ["id", "hp", "weight", "height"])
      .randomElement(using: &random) ?? "id"
    func value() -> Value { isText ? .text(text()) : number() }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .between(key: key, lhs: value(), rhs: value())
    case 1: return .in(key: key, values: (0..<Int.random(in: 0...9, using: &random)).map { _ in value() })
    case 2: return !query(using: &random)
    case 3: return query(using: &random) && query(using: &random)
    case 4: return query(using: &random) || query(using: &random)
    case 5 where isText, 6 where isText:
      let (sought, isIgnoring) = (text(), Bool.random(using: &random))
      switch TextOperation.allCases.randomElement(using: &random) ?? .like {
      case .contains: return .contains(key: key, value: sought, ignoringCase: isIgnoring)
      case .hasPrefix: return .hasPrefix(key: key, value: sought, ignoringCase: isIgnoring)
      case .hasSuffix: return .hasSuffix(key: key, value: sought, ignoringCase: isIgnoring)
      case .like: return .like(key: key, value: sought, ignoringCase: isIgnoring)
      }
    default:
      return .compare(key: key, ComparisonOperator.allCases.randomElement(using: &random) ?? .equal, value: value())
    }
  }

  @Test("become what the compiler makes of each")
  func same() throws {
    let seed = SplitMix64.newSeed()
    var random = SplitMix64(seed: seed)
    let table = try dexTable()
    let requests = RequestCompiler(for: PostgresDialect(), table: table)
    let compiler = Compiler(for: PostgresDialect())
    for number in 0..<2000 {
      let request = FetchRequest(
        Self.query(using: &random), limit: Bool.random(using: &random) ? Int.random(in: 0...9, using: &random) : nil,
        offset: Int.random(in: 0...2, using: &random))
      let expected = compiler.select(try request.resolved(in: table))
      let found = try requests.select(request).statement
      let note = Comment(rawValue: "request \(number), REPOKIT_SEED=\(seed)")
      #expect(found.sql == expected.sql, note)
      #expect(found.lists == expected.lists, note)
      #expect(found.bindings.elementsEqual(expected.bindings) { $0.isIdentical(to: $1) }, note)
      #expect(!found.bindings.contains { if case .text(let text) = $0 { text.utf8.contains(0) } else { false } }, note)
    }
  }
}
