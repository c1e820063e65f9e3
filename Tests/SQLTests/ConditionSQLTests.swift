import Query
import SQL
import Testing

@Suite("A loosely typed column is compared without conversion")
struct StoredSchemaColumnTests {
  private func table() throws -> TableSchema {
    try TableSchema(
      "other",
      columns: [
        ColumnSchema("number", .integer, declaredType: "INTEGER"), ColumnSchema("date", .real, declaredType: "DATE"),
        ColumnSchema("word", .text, declaredType: "VARCHAR(20)", collation: "NOCASE"),
        ColumnSchema("any", .any, declaredType: ""),
        ColumnSchema("real", .real),
      ], primaryKey: [])
  }

  @Test(
    arguments: [
      (AnyQuery.equal(key: "number", value: 5), #""number" = ?"#),
      (.equal(key: "number", value: "5"), #"+"number" = ?"#),
      (.greaterThan(key: "date", value: "2026-01-01"), #"+"date" > ?"#),
      (.equal(key: "word", value: "x"), #""word" COLLATE BINARY = ?"#),
      (.equal(key: "any", value: 5), #""any" = ?"#),
      (.in(key: "number", values: [Value.integer(5), "x"]), #"+"number" IN (?, ?)"#),
      (.lessThan(key: "number", otherKey: "date"), #""number" < "date""#),
      (.lessThan(key: "number", otherKey: "any"), #"+"number" < +"any""#),
      (.equal(key: "any", otherKey: "word"), #"+"any" COLLATE BINARY = +"word""#),
      (
        .hasPrefix(key: "word", value: "a"),
        #"typeof("word") = 'text' AND "word" COLLATE BINARY >= ? AND "word" COLLATE BINARY < ?"#
      ),
      (.equal(key: "real", value: 9_007_199_254_740_993), #"+"real" = ?"#),
      (.equal(key: "real", value: 9_007_199_254_740_992), #""real" = ?"#),
    ] as [(AnyQuery, String)])
  func comparison(query: AnyQuery, sql: String) throws {
    let compiled = Compiler(for: SQLiteDialect()).count(try query.resolved(in: table()))
    #expect(compiled.sql == #"SELECT count(*) FROM "other" WHERE "# + sql)
  }

  @Test("sorting sets the collation, and goes by all columns where there is no key")
  func sorting() throws {
    let request = try FetchRequest(sortedBy: .descending(key: "word")).resolved(in: table())
    let compiled = Compiler(for: SQLiteDialect()).select(request)
    #expect(
      compiled.sql.hasSuffix(
        """
        ORDER BY "word" COLLATE BINARY DESC NULLS LAST, "number" ASC NULLS FIRST, "date" ASC NULLS FIRST, \
        "any" ASC NULLS FIRST, "real" ASC NULLS FIRST
        """))
  }
}

@Suite("A long chain is a tree of groups")
struct LongChainTests {
  @Test("a conjunction's groups are kept from the planner, a disjunction's are not")
  func groups() throws {
    let terms = (0..<250).map { AnyQuery.lessThan(key: "id", value: $0) }
    for (query, joint, start) in [(AnyQuery.all(of: terms), " AND ", "~("), (.any(of: terms), " OR ", "(")] {
      let sql = Compiler(for: NonsenseDialect()).count(try query.resolved(in: pokemonTable())).sql
      let group = { (range: ClosedRange<Int>) in
        start + range.map { "raw(«id») < &\($0)" }.joined(separator: joint) + ")"
      }
      let groups = [group(1...100), group(101...200), group(201...250)].joined(separator: joint)
      #expect(sql == "SELECT count(*) FROM «pokemon» WHERE " + groups)
    }
  }

  @Test("equalities with one key are one list, and what stands twice counts once")
  func merging() throws {
    let terms = (0..<40).flatMap {
      [AnyQuery.equal(key: "id", value: $0), .isNull(key: "habitat"), .lessThan(key: "weight", value: 1.0)]
    }
    let any = try AnyQuery.any(of: terms).resolved(in: pokemonTable())
    let all = try (!AnyQuery.any(of: terms)).resolved(in: pokemonTable())
    let compiler = Compiler(for: SQLiteDialect())
    #expect(
      compiler.count(any).sql.hasSuffix(
        #"WHERE "id" IN (SELECT value FROM json_each(?)) OR "habitat" IS NULL OR "weight" < ?"#))
    #expect(
      compiler.count(all).sql.hasSuffix(
        #"WHERE "id" NOT IN (SELECT value FROM json_each(?)) AND "habitat" IS NOT NULL AND "weight" >= ?"#))
  }
}
