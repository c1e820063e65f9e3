import Query
import SQL
import Testing

@Suite("The texts with a prefix are a range")
struct TextRangeTests {
  @Test(
    "that ends at the prefix with its last scalar increased",
    arguments: [
      ("a", "b"), ("az", "a{"), ("\u{D7FF}", "\u{E000}"), ("a\u{10FFFF}", "b"), ("\u{10FFFF}", nil), ("", nil),
    ] as [(String, String?)])
  func end(prefix: String, end: String?) { #expect(TextRange.end(ofPrefix: prefix) == end) }
}

@Suite("A request becomes SQL")
struct SelectTests {
  struct Case: CustomTestStringConvertible {
    let request: FetchRequest
    let sql: String
    let bindings: [Value]
    var testDescription: String { sql }

    init(_ request: FetchRequest, _ sql: String, _ bindings: [Value] = []) {
      self.request = request
      self.sql = sql
      self.bindings = bindings
    }
  }

  /// What stands after the list of columns, and before the order by primary key where no other is asked for.
  private static func condition(_ query: AnyQuery, _ sql: String, _ bindings: [Value] = []) -> Case {
    Case(FetchRequest(query), " WHERE \(sql) ORDER BY \"id\" ASC", bindings)
  }

  static let conditions: [Case] = [
    condition(.equal(key: "name", value: "Mew"), #""name" = ?"#, ["Mew"]),
    condition(.equal(key: "habitat", value: Value.null), #""habitat" IS NULL"#),
    condition(.notEqual(key: "habitat", value: Value.null), #""habitat" IS NOT NULL"#),
    condition(.notEqual(key: "name", value: "Mew"), #""name" <> ?"#, ["Mew"]),
    condition(.notEqual(key: "habitat", value: "cave"), #""habitat" <> ? OR "habitat" IS NULL"#, ["cave"]),
    condition(.lessThan(key: "height", value: 1.5), #""height" < ?"#, [1.5]),
    condition(!.lessThan(key: "height", value: 1.5), #""height" >= ? OR "height" IS NULL"#, [1.5]),
    condition(!.lessThan(key: "weight", value: 1.5), #""weight" >= ?"#, [1.5]),
    condition(!(!.lessThan(key: "height", value: 1.5)), #""height" < ?"#, [1.5]),
    condition(.lessThan(key: "height", value: Value.null), "1 = 0"),
    condition(!.lessThan(key: "height", value: Value.null), "1 = 1"),
    condition(.between(key: "height", lhs: 1.0, rhs: 2.0), #""height" BETWEEN ? AND ?"#, [1.0, 2.0]),
    condition(
      !.between(key: "height", lhs: 1.0, rhs: 2.0), #""height" NOT BETWEEN ? AND ? OR "height" IS NULL"#, [1.0, 2.0]),
    condition(
      .between(key: "height", lower: .value(1.0), upper: .key("weight")), #""height" >= ? AND "height" <= "weight""#,
      [1.0]),
    condition(.in(key: "id", values: [1, 2]), #""id" IN (?, ?)"#, [1, 2]),
    condition(.in(key: "id", values: [1, 2, 3]), #""id" IN (?, ?, ?, ?)"#, [1, 2, 3, 3]),
    condition(.in(key: "id", values: [Int]()), "1 = 0"),
    condition(!.in(key: "id", values: [Int]()), "1 = 1"),
    condition(.in(key: "id", values: [1.5, 2.0]), #""id" IN (?)"#, [2]),
    condition(.in(key: "id", values: [Value.null]), "1 = 0"),
    condition(.equal(key: "id", value: 2.5) || .equal(key: "name", value: "a"), #""name" = ?"#, ["a"]),
    condition(.notEqual(key: "id", value: 2.5) && .equal(key: "name", value: "a"), #""name" = ?"#, ["a"]),
    condition(.equal(key: "id", value: 2.5) && .equal(key: "name", value: "a"), #"1 = 0 AND "name" = ?"#, ["a"]),
    condition(.equal(key: "id", value: 2.5) || .in(key: "id", values: [Int]()), "1 = 0"),
    condition(.in(key: "habitat", values: ["cave", nil]), #""habitat" IN (?) OR "habitat" IS NULL"#, ["cave"]),
    condition(
      !.in(key: "habitat", values: ["cave", nil]), #""habitat" IS NOT NULL AND "habitat" NOT IN (?)"#, ["cave"]),
    condition(!.in(key: "habitat", values: ["cave"]), #""habitat" NOT IN (?) OR "habitat" IS NULL"#, ["cave"]),
    condition(
      .in(key: "id", values: 1...17), #""id" IN (SELECT value FROM temp.json_each(?))"#,
      ["[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]"]),
    condition(.equal(key: "weight", otherKey: "height"), #""weight" = "height""#),
    condition(
      .equal(key: "habitat", otherKey: "habitat"),
      #""habitat" = "habitat" OR ("habitat" IS NULL AND "habitat" IS NULL)"#),
    condition(.notEqual(key: "weight", otherKey: "height"), #""weight" <> "height" OR "height" IS NULL"#),
    condition(!.lessThan(key: "weight", otherKey: "height"), #""weight" >= "height" OR "height" IS NULL"#),
    condition(.contains(key: "name", value: "saur"), #"instr("name", ?) > 0"#, ["saur"]),
    condition(
      !.contains(key: "habitat", value: "a"), #"NOT (instr("habitat", ?) > 0) OR "habitat" IS NULL"#, ["a"]),
    condition(
      .contains(key: "name", value: "SAUR", ignoringCase: true), #"instr(repokit_fold("name"), ?) > 0"#, ["saur"]),
    condition(.hasPrefix(key: "name", value: "Mr"), #""name" >= ? AND "name" < ?"#, ["Mr", "Ms"]),
    condition(.hasPrefix(key: "name", value: "a\u{10FFFF}"), #""name" >= ? AND "name" < ?"#, ["a\u{10FFFF}", "b"]),
    condition(.hasPrefix(key: "name", value: "\u{10FFFF}"), #""name" >= ?"#, ["\u{10FFFF}"]),
    condition(
      .hasSuffix(key: "name", value: "é"), #"substr(CAST("name" AS BLOB), ?) IS ?"#, [-2, .blob([0xC3, 0xA9])]),
    condition(.like(key: "name", value: "%saur"), #"repokit_like("name", ?)"#, ["%saur"]),
    condition(.contains(key: "extra", value: "x"), #"typeof("extra") = 'text' AND instr("extra", ?) > 0"#, ["x"]),
    condition(
      .equal(key: "id", value: 1) && (.equal(key: "id", value: 2) || .equal(key: "name", value: "a")),
      #""id" = ? AND ("id" = ? OR "name" = ?)"#, [1, 2, "a"]),
    condition(
      .equal(key: "id", value: 1) && .notEqual(key: "habitat", value: "b"),
      #""id" = ? AND ("habitat" <> ? OR "habitat" IS NULL)"#, [1, "b"]),
    condition(
      !(.equal(key: "id", value: 1) || .hasPrefix(key: "name", value: "a")),
      #""id" <> ? AND NOT ("name" >= ? AND "name" < ?)"#, [1, "a", "b"]),
    Case(FetchRequest(.true), #" ORDER BY "id" ASC"#),
    condition(.false, "1 = 0"),
  ]

  static let orders: [Case] = [
    Case(
      FetchRequest(sortedBy: .descending(key: "weight") + .ascending(key: "habitat", nulls: .last)),
      #" ORDER BY "weight" DESC, "habitat" ASC NULLS LAST, "id" ASC"#),
    Case(FetchRequest(sortedBy: .descending(key: "id")), #" ORDER BY "id" DESC"#),
    Case(FetchRequest(limit: 5), #" ORDER BY "id" ASC LIMIT ?"#, [5]),
    Case(FetchRequest(limit: 5, offset: 10), #" ORDER BY "id" ASC LIMIT ? OFFSET ?"#, [5, 10]),
    Case(FetchRequest(offset: 10), #" ORDER BY "id" ASC LIMIT ? OFFSET ?"#, [-1, 10]),
  ]

  @Test("for SQLite", arguments: conditions + orders)
  func sqlite(_ expected: Case) throws {
    let compiled = Compiler(for: SQLiteDialect()).select(try expected.request.resolved(in: pokemonTable()))
    let columns = #""id", "name", "type", "habitat", "weight", "height", "picture", "extra""#
    #expect(compiled.sql == "SELECT \(columns) FROM \"pokemon\"" + expected.sql)
    #expect(compiled.bindings == expected.bindings)
  }

  @Test("for a dialect in which everything is different")
  func nonsense() throws {
    let request = FetchRequest(
      (!.between(key: "height", lhs: 1.0, rhs: 2.0) || .in(key: "id", values: 1...5))
        && .hasPrefix(key: "name", value: "Ab", ignoringCase: true) && .notEqual(key: "type", otherKey: "habitat"),
      sortedBy: .descending(key: "weight", nulls: .first) + .ascending(key: "habitat"), limit: 3, offset: 4)
    let compiled = Compiler(for: NonsenseDialect()).select(try request.resolved(in: pokemonTable()))
    #expect(
      compiled.sql == """
        SELECT «id», «name», «type», «habitat», «weight», «height», «picture», «extra» FROM «pokemon» \
        WHERE ((raw(«height») NOT BETWEEN &1 AND &2 OR «height» IS NULL) OR «id» WITHIN &3) \
        AND (hasPrefix(«name», &4, true)) AND (sign(«type», «habitat») != 0 OR «habitat» IS NULL) \
        ORDER BY «weight» DOWN, «habitat» UP NOTHING AHEAD, «id» UP SKIP &5 TAKE &6
        """)
    #expect(compiled.bindings == [1.0, 2.0, .null, "ab", 4, 3])
    #expect(compiled.lists.map(\.position) == [2] && compiled.lists.map(\.type) == [.integer])
    #expect(compiled.lists.map(\.values) == [[1, 2, 3, 4, 5]])
  }

  @Test("a count leaves order and range out")
  func count() throws {
    let query = try AnyQuery.greaterThan(key: "weight", value: 90.0).resolved(in: pokemonTable())
    let compiled = Compiler(for: SQLiteDialect()).count(query)
    #expect(compiled.sql == #"SELECT count(*) FROM "pokemon" WHERE "weight" > ?"#)
    #expect(compiled.bindings == [90.0])
  }
}

@Suite("Rows of some columns become SQL")
struct RowSelectTests {
  private let compiler = Compiler(for: SQLiteDialect())
  private let request = FetchRequest(
    .greaterThan(key: "weight", value: 90.0), sortedBy: .descending(key: "name"), limit: 3, offset: 2)

  @Test("of these columns alone, in the order of the request or in another")
  func columns() throws {
    let projection = ProjectionRequest([.key("weight"), .key("id")], of: request)
    let resolved = try projection.resolved(in: pokemonTable())
    let start = #"SELECT "weight", "id" FROM "pokemon" WHERE "weight" > ?"#
    for (order, sql) in [
      (ResultOrder.sort, #" ORDER BY "name" DESC"#), (.column("rowid"), #" ORDER BY "rowid""#), (.any, ""),
    ] {
      let statement = compiler.select(resolved, in: order)
      #expect(statement.sql == start + sql + " LIMIT ? OFFSET ?")
      #expect(statement.bindings == [90.0, 3, 2])
    }
  }

  @Test("of different rows, sorted by their columns alone")
  func distinct() throws {
    let request = FetchRequest(
      .greaterThan(key: "weight", value: 90.0), sortedBy: .descending(key: "habitat") + .ascending(key: "extra"),
      limit: 3)
    let projection = ProjectionRequest([.key("habitat"), .key("extra")], of: request, isDistinct: true)
    let statement = compiler.select(try projection.resolved(in: pokemonTable()))
    #expect(
      statement.sql == """
        SELECT "habitat", repokit_min("extra") FROM "pokemon" WHERE "weight" > ? GROUP BY "habitat", "extra" \
        ORDER BY "habitat" DESC NULLS LAST, "extra" ASC NULLS FIRST LIMIT ?
        """)
    #expect(statement.bindings == [90.0, 3])
  }

  @Test("of what is computed, and of the first rows of each group alone")
  func groupLimit() throws {
    let columns = try [ProjectedColumn](parsing: "name, id % 10 as more")
    let request = ProjectionRequest(
      columns, of: FetchRequest(.greaterThan(key: "weight", value: 90.0), sortedBy: .descending(key: "more"), limit: 3),
      groupLimit: GroupLimit(2, of: ["type"], sortedBy: .descending(key: "weight")))
    let statement = compiler.select(try request.resolved(in: pokemonTable()))
    #expect(
      statement.sql == #"""
        SELECT "c1", "c8" FROM (SELECT "name" AS "c1", ("id" % ?) AS "c8", "id" AS "c0", \#
        row_number() OVER (PARTITION BY "type" ORDER BY "weight" DESC, "id" ASC) AS "place" FROM "pokemon" \#
        WHERE "weight" > ?) AS "ranked" WHERE "place" <= ? ORDER BY "c8" DESC NULLS LAST, "c0" ASC LIMIT ?
        """#)
    #expect(statement.bindings == [10, 90.0, 2, 3])
  }

  @Test("of the number of different rows")
  func countDistinct() throws {
    let projection = ProjectionRequest(
      [.key("habitat"), .key("type")], of: FetchRequest(.greaterThan(key: "weight", value: 90.0)), isDistinct: true)
    let statement = compiler.count(try projection.resolved(in: pokemonTable()))
    #expect(
      statement.sql == """
        SELECT count(*) FROM (SELECT 1 FROM "pokemon" WHERE "weight" > ? GROUP BY "habitat", "type") AS "different"
        """)
    #expect(statement.bindings == [90.0])
  }
}

@Suite("Aggregates become SQL")
struct AggregateSQLTests {
  @Test("for SQLite: its own functions where they are exact, the contract's elsewhere")
  func sqlite() throws {
    let request = AggregateRequest(
      [
        .count, .count(key: "height"), .min(key: "name"), .max(key: "extra"), .sum(key: "id"), .sum(key: "height"),
        .average(key: "weight"),
      ], of: .greaterThan(key: "weight", value: 90.0), groupedBy: ["type", "extra"], sortedBy: .descending(.count),
      limit: 3)
    let compiled = Compiler(for: SQLiteDialect()).select(try request.resolved(in: pokemonTable()))
    #expect(
      compiled.sql == """
        SELECT "type", repokit_min("extra"), count(*), count("height"), min("name"), repokit_max("extra"), \
        repokit_sum("id"), repokit_real_sum("height"), repokit_average("weight") FROM "pokemon" WHERE "weight" > ? \
        GROUP BY "type", "extra"
        """)
    #expect(compiled.bindings == [90.0])
  }

  @Test("for SQLite, of loose columns: grouped and compared by bytes, in one spelling")
  func loose() throws {
    let table = try TableSchema(
      "t",
      columns: [
        ColumnSchema("number", .real, declaredType: "NUMERIC"),
        ColumnSchema("text", .text, declaredType: "TEXT", collation: "NOCASE"),
      ], primaryKey: [])
    let request = AggregateRequest(
      [.min(key: "number"), .max(key: "text"), .sum(key: "number")], groupedBy: ["number", "text"])
    #expect(
      Compiler(for: SQLiteDialect()).select(try request.resolved(in: table)).sql == """
        SELECT repokit_min("number"), "text", repokit_min("number"), max("text" COLLATE BINARY), repokit_sum("number") \
        FROM "t" GROUP BY "number", "text" COLLATE BINARY
        """)
  }

  @Test("for a dialect in which everything is different")
  func nonsense() throws {
    let request = AggregateRequest(
      [.count, .sum(key: "weight"), .max(key: "extra")], of: .equal(key: "id", value: 1), groupedBy: ["habitat"])
    let compiled = Compiler(for: NonsenseDialect()).select(try request.resolved(in: pokemonTable()))
    #expect(
      compiled.sql == """
        SELECT shared(«habitat»), count OF rows, sum OF «weight» AS REAL, max OF «extra» FROM «pokemon» \
        WHERE raw(«id») = &1 GROUP BY alike(«habitat»)
        """)
  }

  @Test("and what the database gives for them may be no value yet")
  func values() throws {
    let request = AggregateRequest([.count, .sum(key: "weight")], groupedBy: ["habitat"])
    let resolved = try request.resolved(in: pokemonTable())
    #expect(Compiler(for: SQLiteDialect()).values(of: ["cave", 1, 2.5], for: resolved) == ["cave", 1, 2.5])
    #expect(
      Compiler(for: NonsenseDialect()).values(of: ["cave", 1, 2.5], for: resolved)
        == ["cave", "count of rows from 1", "sum of weight as real from 2.5"])
  }
}
