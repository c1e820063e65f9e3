import Query
import SQL
import Testing

@Suite("Figures become SQL")
struct FigureSQLTests {
  @Test("for SQLite: its own functions where they are exact, the contract's elsewhere")
  func sqlite() throws {
    let request = FigureRequest(
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
        ColumnSchema("number", .real, loose: "NUMERIC"),
        ColumnSchema("text", .text, loose: "TEXT", collation: "NOCASE"),
      ], primaryKey: [])
    let request = FigureRequest(
      [.min(key: "number"), .max(key: "text"), .sum(key: "number")], groupedBy: ["number", "text"])
    #expect(
      Compiler(for: SQLiteDialect()).select(try request.resolved(in: table)).sql == """
        SELECT repokit_min("number"), "text", repokit_min("number"), max("text" COLLATE BINARY), repokit_sum("number") \
        FROM "t" GROUP BY "number", "text" COLLATE BINARY
        """)
  }

  @Test("for a dialect in which everything is different")
  func nonsense() throws {
    let request = FigureRequest(
      [.count, .sum(key: "weight"), .max(key: "extra")], of: .equal(key: "id", value: 1), groupedBy: ["habitat"])
    let compiled = Compiler(for: NonsenseDialect()).select(try request.resolved(in: pokemonTable()))
    #expect(
      compiled.sql == """
        SELECT shared(«habitat»), count OF rows, sum OF «weight» AS REAL, max OF «extra» FROM «pokemon» \
        WHERE raw(«id») = &1 GROUP BY alike(«habitat»)
        """)
  }
}
