import Query
import SQL
import Testing

@Suite("What a dialect says differently is in the SQL: of expressions, views, writes and definitions")
struct DialectMemberTests {
  private let compiler = Compiler(for: NonsenseDialect())
  private let trainers: TableSchema
  private let visits: TableSchema

  init() throws {
    trainers = try TableSchema(
      "trainer", columns: [ColumnSchema("id", .integer), ColumnSchema("name", .text)], primaryKey: ["id"])
    visits = try TableSchema(
      "visit",
      columns: [
        ColumnSchema("trainer", .integer), ColumnSchema("day", .text).stored(as: .day), ColumnSchema("cost", .real),
      ],
      primaryKey: ["trainer", "day"], references: [ReferenceRule(["trainer"], to: "trainer", key: ["id"])])
  }

  private func select(_ columns: String, sortedBy sort: String = "", of table: TableSchema) throws -> String {
    let rows = FetchRequest(sortedBy: sort.isEmpty ? .primaryKey : try AnySort(parsing: sort))
    let request = try ProjectionRequest([ProjectedColumn](parsing: columns), of: rows)
    return compiler.select(try request.resolved(in: table) { [trainers, visits].first(named: $0) }).sql
  }

  @Test("a value that is written twice has a placeholder for that, and an order prefers names of the result")
  func repeatedValue() throws {
    #expect(
      try select("cost + 1 as more", sortedBy: "cost + 1", of: visits) == """
        SELECT add OF {«r0».«cost»; &&1} FROM «visit» AS «r0» \
        ORDER BY add OF {«r0».«cost»; &&1} UP NOTHING AHEAD, «r0».«trainer» UP, «r0».«day» UP
        """)
  }

  @Test("a column of a type of the database's own is converted within an expression")
  func nativeType() throws {
    #expect(
      try select("day || 'x' as text", of: visits) == """
        SELECT concatenate OF {usual(«r0».«day»); &1} FROM «visit» AS «r0» ORDER BY «r0».«trainer» UP, «r0».«day» UP
        """)
  }

  @Test("related rows have aggregates of their own, and reals a total")
  func relatedRows() throws {
    #expect(
      try select("max(trainer of visit by trainer) as most", of: trainers) == """
        SELECT (SELECT max ABOUT «r1».«trainer» FROM «visit» AS «r1» WHERE sign(«r1».«trainer», «r0».«id») = 0) \
        FROM «trainer» AS «r0» ORDER BY «r0».«id» UP
        """)
    #expect(
      try select("average(cost of visit by trainer) as usual", of: trainers) == """
        SELECT (TOTAL OF {SELECT «r1».«cost» AS x FROM «visit» AS «r1» WHERE sign(«r1».«trainer», «r0».«id») = 0}) \
        FROM «trainer» AS «r0» ORDER BY «r0».«id» UP
        """)
  }

  @Test("a view is for other programs, too, as a check is")
  func otherPrograms() throws {
    let heavy = FetchRequest(.greaterThan(key: "cost", value: 5.5))
    let request = try ProjectionRequest([.key("cost")], of: heavy).resolved(in: visits)
    #expect(
      compiler.createView("dear", columns: ["cost"], of: request, in: .any)
        == "CREATE VIEW «dear» («cost») AS SELECT «cost» FROM «visit» WHERE seen(«cost») > <5.5>")
  }

  @Test("an upsert by other columns may repeat its values")
  func upsert() {
    #expect(
      compiler.upsert([0, 1, 2], into: visits, by: [0, 1], keeping: []) == """
        INSERT INTO «visit» («trainer», «day», «cost») NEVERTHELESS VALUES (&&1, &&2, &&3) \
        ON CONFLICT («trainer», «day») DO UPDATE SET «cost» = excluded.«cost»
        """)
  }

  @Test("tables are distributed and renamed")
  func tables() throws {
    let spread = try visits.distributed(.by("trainer"))
    let naming = Compiler(for: NonsenseDialect(namesConstraints: true))
    #expect(naming.create(spread).contains("SPREAD «visit» BY «trainer»"))
    #expect(compiler.rename(table: "p", to: "q") == "CALL «p» «q»")
    #expect(compiler.renameColumn("a", to: "b", in: "p") == "CALL «a» «b» IN «p»")
  }
}
