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
      (.greaterThan(key: "date", value: "2026-01-01"), #""date" > ?"#),
      (.greaterThan(key: "date", value: "2026"), #"+"date" > ?"#),
      (.equal(key: "number", value: " 1e-5\n"), #"+"number" = ?"#),
      (.equal(key: "word", value: "x"), #""word" COLLATE BINARY = ?"#),
      (.equal(key: "any", value: 5), #""any" = ?"#),
      (.in(key: "number", values: [Value.integer(5), "x"]), #""number" IN (?, ?)"#),
      (.in(key: "number", values: [Value.text("x"), "5"]), #"+"number" IN (?, ?)"#),
      (.lessThan(key: "number", otherKey: "date"), #""number" < "date""#),
      (.lessThan(key: "number", otherKey: "any"), #"+"number" < +"any""#),
      (.equal(key: "any", otherKey: "word"), #"+"any" COLLATE BINARY = +"word""#),
      (
        .hasPrefix(key: "word", value: "a"),
        #"typeof("word") = 'text' AND "word" COLLATE BINARY >= ? AND "word" COLLATE BINARY < ?"#
      ),
      (.equal(key: "real", value: 9_007_199_254_740_993), "1 = 0"),
      (.lessThan(key: "real", value: 9_007_199_254_740_993), #""real" < ?"#),
      (.lessThan(key: "date", value: 9_007_199_254_740_993), #"+"date" < ?"#),
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
        ORDER BY "word" COLLATE BINARY DESC, "number" ASC, "date" ASC, "any" ASC, "real" ASC
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

  @Test("equalities with one key are one list, and what is given twice counts once")
  func merging() throws {
    let terms = (0..<40).flatMap {
      [AnyQuery.equal(key: "id", value: $0), .isNull(key: "habitat"), .lessThan(key: "weight", value: 1.0)]
    }
    let any = try AnyQuery.any(of: terms).resolved(in: pokemonTable())
    let all = try (!AnyQuery.any(of: terms)).resolved(in: pokemonTable())
    let compiler = Compiler(for: SQLiteDialect())
    #expect(
      compiler.count(any).sql.hasSuffix(
        #"WHERE "id" IN (SELECT value FROM temp.json_each(?)) OR "habitat" IS NULL OR "weight" < ?"#))
    #expect(
      compiler.count(all).sql.hasSuffix(
        #"WHERE "id" NOT IN (SELECT value FROM temp.json_each(?)) AND "habitat" IS NOT NULL AND "weight" >= ?"#))
  }
}

@Suite("A bound is moved to the column's own type")
struct MovedBoundTests {
  private static let integers: [Int64] = [
    .min, .min + 1, -9_007_199_254_740_993, -9_007_199_254_740_992, -3, -1, 0, 1, 2, 3, 9_007_199_254_740_991,
    9_007_199_254_740_992, 9_007_199_254_740_993, 9_007_199_254_740_995, .max - 512, .max - 511, .max - 1, .max,
  ]
  private static let reals: [Double] = [
    -.infinity, -1e300, -0x1.0000000000001p63, -0x1p63, -0x1.fffffffffffffp62, -9_007_199_254_740_992, -2.5, -1, -0.5,
    -0.0,
    .leastNonzeroMagnitude, 0.5, 1, 2.5, 9_007_199_254_740_992, 9_007_199_254_740_994, 0x1.fffffffffffffp62, 0x1p63,
    0x1.0000000000001p63, 1e300, .infinity,
  ]

  @Test("so that the comparison holds for the same values of the column", arguments: ComparisonOperator.allCases)
  func sameAnswers(comparisonOperator: ComparisonOperator) {
    let integers = Self.integers.map(Value.integer)
    let reals = Self.reals.map(Value.real)
    for (type, held, values) in [(ValueType.integer, integers, reals), (.real, reals, integers)] {
      let column = ColumnSchema("a", type)
      for value in values + held {
        let outcome = column.comparison(comparisonOperator, value)
        for stored in held {
          switch outcome {
          case .constant(let constant):
            #expect(comparisonOperator.holds(stored, value) == constant, "\(stored) \(value)")
          case .bound(let moved, let bound):
            #expect(
              bound.isIdentical(to: bound) && moved.holds(stored, bound) == comparisonOperator.holds(stored, value))
            switch (type, bound) {
            case (.integer, .integer), (.real, .real): break
            default: Issue.record("\(value) became \(bound) for a column of \(type)")
            }
          }
        }
      }
    }
  }

  @Test("and stands as it is where a column does not guarantee its type")
  func stored() {
    let column = ColumnSchema("a", .integer, declaredType: "INTEGER")
    #expect(column.comparison(.lessThan, 2.5) == .bound(.lessThan, 2.5))
  }

  @Test(
    "which may leave a constant, or another operator",
    arguments: [
      (.lessThan(key: "id", value: 1e300), "1 = 1"), (!.lessThan(key: "id", value: 1e300), "1 = 0"),
      (.equal(key: "height", value: 9_007_199_254_740_993), "1 = 0"),
      (.notEqual(key: "height", value: 9_007_199_254_740_993), "1 = 1"),
      (!.notEqual(key: "height", value: 9_007_199_254_740_993), "1 = 0"),
      (.between(key: "id", lhs: 2.5, rhs: 1e300), "raw(«id») >= &1"),
      (.between(key: "id", lhs: 2.5, rhs: 7.5), "raw(«id») BETWEEN &1 AND &2"),
      (!.between(key: "id", lhs: -1e300, rhs: 7.5), "raw(«id») > &1"),
      (.between(key: "id", lhs: 1e300, rhs: 2e300), "1 = 0"),
      (.lessThan(key: "name", value: "a!b"), "raw(«name») <= &1"),
      (.notEqual(key: "habitat", value: "a!b"), "1 = 1"), (.equal(key: "habitat", value: "a!b"), "1 = 0"),
      (!.equal(key: "habitat", value: "a!b"), "1 = 1"),
      (.between(key: "name", lhs: "a!", rhs: "b"), "raw(«name») > &1 AND raw(«name») <= &2"),
      (.in(key: "name", values: ["a!", "b"]), "NO false LIST OF &1"), (.in(key: "name", values: ["a!"]), "1 = 0"),
      (.in(key: "habitat", values: ["a!", nil]), "«habitat» IS NULL"),
    ] as [(AnyQuery, String)])
  func outcomes(query: AnyQuery, sql: String) throws {
    let compiled = Compiler(for: NonsenseDialect()).count(try query.resolved(in: pokemonTable()))
    #expect(compiled.sql == "SELECT count(*) FROM «pokemon» WHERE " + sql)
  }

  @Test("and into a constant of a column that may be null, unless null is meant")
  func nullable() throws {
    let table = try TableSchema("t", columns: [ColumnSchema("a", .integer, isNullable: true)], primaryKey: [])
    for (query, sql) in [
      (AnyQuery.lessThan(key: "a", value: 1e300), #""a" IS NOT NULL"#),
      (!.lessThan(key: "a", value: 1e300), #""a" IS NULL"#),
      (.greaterThan(key: "a", value: 1e300), "1 = 0"), (!.greaterThan(key: "a", value: 1e300), "1 = 1"),
      (.notEqual(key: "a", value: 2.5), "1 = 1"), (.equal(key: "a", value: 2.5), "1 = 0"),
    ] {
      let compiled = Compiler(for: SQLiteDialect()).count(try query.resolved(in: table))
      #expect(compiled.sql == #"SELECT count(*) FROM "t" WHERE "# + sql)
    }
  }
}
