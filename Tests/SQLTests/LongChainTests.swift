import Query
import SQL
import Testing

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
