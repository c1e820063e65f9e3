import Query
import SQL
import Testing

@Suite("Writes and definitions become SQL")
struct WriteTests {
  private let compiler = Compiler(for: SQLiteDialect())
  private let nonsense = Compiler(for: NonsenseDialect())

  private func team() throws -> TableSchema {
    try TableSchema(
      "te\"am",
      columns: [
        ColumnSchema("trainer", .text), ColumnSchema("slot", .integer), ColumnSchema("note", .text, isNullable: true),
        ColumnSchema("level", .integer, isNullable: true),
      ],
      primaryKey: ["trainer", "slot"])
  }

  @Test func insert() throws {
    #expect(
      try compiler.insert(into: team())
        == #"INSERT INTO "te""am" ("trainer", "slot", "note", "level") VALUES (?, ?, ?, ?)"#)
    #expect(
      try nonsense.insert(into: team())
        == #"INSERT INTO «te"am» («trainer», «slot», «note», «level») NEVERTHELESS VALUES (&1, &2, &3, &4)"#)
  }

  @Test func upsert() throws {
    #expect(
      try compiler.upsert(into: team()) == """
        INSERT INTO "te""am" ("trainer", "slot", "note", "level") VALUES (?, ?, ?, ?) \
        ON CONFLICT ("trainer", "slot") DO UPDATE SET "note" = excluded."note", "level" = excluded."level"
        """)
    #expect(try nonsense.upsert(into: team()).hasSuffix(" OR ELSE [«trainer»,«slot»] IN «te\"am»"))
    let keysAlone = try TableSchema("tag", columns: [ColumnSchema("name", .text)], primaryKey: ["name"])
    #expect(
      compiler.upsert(into: keysAlone) == #"INSERT INTO "tag" ("name") VALUES (?) ON CONFLICT ("name") DO NOTHING"#)
    let keyless = try TableSchema("log", columns: [ColumnSchema("line", .text)], primaryKey: [])
    #expect(compiler.upsert(into: keyless) == #"INSERT INTO "log" ("line") VALUES (?)"#)
  }

  @Test("a generated key has a value of its own where the dialect says so, and is the result then")
  func generatedKeys() throws {
    let table = try TableSchema(
      "log", columns: [ColumnSchema("line", .text), ColumnSchema("id", .integer, isGenerated: true)], primaryKey: ["id"]
    )
    let start = "INSERT INTO «log» («line», «id») NEVERTHELESS VALUES (&1, &2 OR COUNT «log»)"
    #expect(nonsense.insert(into: table) == start + " RETURNING «id»")
    #expect(nonsense.upsert(into: table) == start + " OR ELSE [«id»] IN «log» RETURNING «id»")
    let assignments = try ResolvedAssignments([Assignment("line", "x")], in: table)
    #expect(
      nonsense.insert(assignments, into: table).sql
        == "INSERT INTO «log» («line») NEVERTHELESS VALUES (&1) RETURNING «line», «id»")
    #expect(compiler.insert(into: table) == #"INSERT INTO "log" ("line", "id") VALUES (?, ?)"#)
  }

  @Test func update() throws {
    let query = try AnyQuery.equal(key: "slot", value: 1).resolved(in: team())
    let assignments = try ResolvedAssignments([Assignment("level", 2.0), Assignment("note", "x")], in: team())
    let statement = compiler.update(query, set: assignments)
    #expect(statement.sql == #"UPDATE "te""am" SET "level" = ?, "note" = ? WHERE "slot" = ?"#)
    #expect(statement.bindings == [2, "x", 1])
  }

  @Test("indexes of different columns have different names")
  func indexNames() throws {
    func index(_ table: String, _ column: String) throws -> String {
      let table = try TableSchema(table, columns: [ColumnSchema(column, .text)], primaryKey: [])
      return compiler.index(on: table.columns[0], of: table).split(separator: " ON ")[0].description
    }
    #expect(try index("user", "group_name") != index("user_group", "name"))
    #expect(try index("a.b", "c") != index("a", "b.c"))
    #expect(try index("a", "b") == #"CREATE INDEX "a.b""#)
  }

  @Test func delete() throws {
    let query = try AnyQuery.equal(key: "slot", value: 1).resolved(in: team())
    #expect(compiler.delete(query).sql == #"DELETE FROM "te""am" WHERE "slot" = ?"#)
    #expect(compiler.delete(try AnyQuery.true.resolved(in: team())).sql == #"DELETE FROM "te""am""#)
  }

  @Test func create() throws {
    #expect(
      compiler.create(try pokemonTable()) == [
        """
        CREATE TABLE "pokemon" ("id" INTEGER NOT NULL PRIMARY KEY, "name" TEXT NOT NULL UNIQUE, "type" TEXT NOT NULL, \
        "habitat" TEXT, "weight" REAL NOT NULL, "height" REAL, "picture" BLOB, "extra" ANY) STRICT
        """,
        #"CREATE INDEX "pokemon.type" ON "pokemon" ("type")"#,
      ])
    #expect(
      compiler.create(try team()) == [
        #"CREATE TABLE "te""am" ("trainer" TEXT NOT NULL, "slot" INTEGER NOT NULL, "note" TEXT, "level" INTEGER, PRIMARY KEY ("trainer", "slot")) STRICT"#
      ])
    #expect(
      nonsense.create(try team()) == [
        #"CREATE TABLE «te"am» («trainer» type:text NOT NULL, «slot» type:integer NOT NULL, «note» type:text, «level» type:integer, PRIMARY KEY («trainer», «slot»)) PLEASE"#
      ])
  }
}
