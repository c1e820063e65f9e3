import Query
import SQL
import Testing

@Suite("Changes of tables become SQL")
struct ChangeTests {
  private let compiler = Compiler(for: SQLiteDialect())
  private let nonsense = Compiler(for: NonsenseDialect())

  @Test func columns() {
    let column = ColumnSchema("le\"vel", .integer, defaultValue: 5)
    #expect(
      compiler.addColumn(column, to: "p") == #"ALTER TABLE "p" ADD COLUMN "le""vel" INTEGER NOT NULL DEFAULT 5"#)
    #expect(
      nonsense.addColumn(column, to: "p") == #"ALTER TABLE «p» ADD COLUMN «le"vel» type:integer NOT NULL DEFAULT 5"#)
    #expect(compiler.renameColumn("a", to: "b", in: "p") == #"ALTER TABLE "p" RENAME COLUMN "a" TO "b""#)
    #expect(compiler.dropColumn("a", from: "p") == #"ALTER TABLE "p" DROP COLUMN "a""#)
  }

  @Test func tablesAndIndexes() {
    #expect(compiler.rename(table: "p", to: "q") == #"ALTER TABLE "p" RENAME TO "q""#)
    #expect(compiler.drop(table: "p") == #"DROP TABLE "p""#)
    #expect(
      compiler.index(on: ["a", "b"], of: "p", name: "i", isUnique: true)
        == #"CREATE UNIQUE INDEX "i" ON "p" ("a", "b")"#)
    #expect(compiler.drop(index: "i", ifExists: true) == #"DROP INDEX IF EXISTS "i""#)
    #expect(compiler.indexName(of: ["a", "b.c"], in: "p") == #"p.a."b.c""#)
    #expect(nonsense.drop(index: "i") == "DROP INDEX «i»")
  }

  @Test("a default is a constant, since a column that is added can have no other")
  func defaults() {
    let defaults: [(Value, String)] = [
      (-5, "-5"), (5.0, "5.0"), (.real(-.infinity), "-9e999"), ("it's", "'it''s'"), (.blob([1, 255]), "x'01ff'"),
    ]
    for (value, constant) in defaults {
      let column = ColumnSchema("a", .any, defaultValue: value)
      #expect(
        compiler.addColumn(column, to: "p") == "ALTER TABLE \"p\" ADD COLUMN \"a\" ANY NOT NULL DEFAULT \(constant)")
    }
  }
}
