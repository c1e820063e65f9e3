import Query
import SQL
import Testing

@Suite("Rows of some columns become SQL")
struct RowSelectTests {
  private let compiler = Compiler(for: SQLiteDialect())
  private let request = FetchRequest(
    .greaterThan(key: "weight", value: 90.0), sortedBy: .descending(key: "name"), limit: 3, offset: 2)

  @Test("of these columns alone, in the order of the request or in another")
  func columns() throws {
    let resolved = try request.resolved(in: pokemonTable())
    let start = #"SELECT "weight", "id" FROM "pokemon" WHERE "weight" > ?"#
    for (order, sql) in [
      (ResultOrder.sort, #" ORDER BY "name" DESC NULLS LAST"#), (.column("rowid"), #" ORDER BY "rowid""#), (.any, ""),
    ] {
      let statement = compiler.select([4, 0], of: resolved, in: order)
      #expect(statement.sql == start + sql + " LIMIT ? OFFSET ?")
      #expect(statement.bindings == [90.0, 3, 2])
    }
  }

  @Test("of different rows, sorted by their columns alone")
  func distinct() throws {
    let request = FetchRequest(
      .greaterThan(key: "weight", value: 90.0), sortedBy: .descending(key: "habitat") + .ascending(key: "extra"),
      limit: 3)
    let statement = compiler.selectDistinct([3, 7], of: try request.resolved(in: pokemonTable()))
    #expect(
      statement.sql == """
        SELECT "habitat", repokit_min("extra") FROM "pokemon" WHERE "weight" > ? GROUP BY "habitat", "extra" \
        ORDER BY "habitat" DESC NULLS LAST, "extra" ASC NULLS FIRST LIMIT ?
        """)
    #expect(statement.bindings == [90.0, 3])
  }

  @Test("of the number of different rows")
  func countDistinct() throws {
    let query = try AnyQuery.greaterThan(key: "weight", value: 90.0).resolved(in: pokemonTable())
    let statement = compiler.countDistinct([3, 2], of: query)
    #expect(
      statement.sql == """
        SELECT count(*) FROM (SELECT 1 FROM "pokemon" WHERE "weight" > ? GROUP BY "habitat", "type") AS "different"
        """)
    #expect(statement.bindings == [90.0])
  }
}
