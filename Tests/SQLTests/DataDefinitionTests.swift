import Query
import SQL
import Testing

@Suite("Rules of a table become SQL")
struct RuleTests {
  private func table() throws -> TableSchema {
    try TableSchema(
      "key",
      columns: [
        ColumnSchema("id", .integer, isGenerated: true), ColumnSchema("cabinet", .text, isNullable: true),
        ColumnSchema("number", .integer, isNullable: true), ColumnSchema("owner", .integer),
      ], primaryKey: ["id"], unique: [["number", "owner"]],
      checks: [
        CheckRule("a \"rule\"", .notEqual(key: "cabinet", value: "it's")),
        CheckRule("known", .in(key: "number", values: [1, 2, 3]) || .isNull(key: "number")),
      ],
      references: [
        ReferenceRule(["cabinet", "number"], to: "drawer", key: ["cabinet", "number"], onDelete: .setNull),
        ReferenceRule(["owner"], to: "key", key: ["id"]),
        ReferenceRule(["number"], to: "key", key: ["id"], onDelete: .cascade, isDeferred: true),
      ])
  }

  @Test func sqlite() throws {
    #expect(
      try Compiler(for: SQLiteDialect()).create(table()) == [
        """
        CREATE TABLE "key" ("id" INTEGER NOT NULL PRIMARY KEY, "cabinet" TEXT, "number" INTEGER, "owner" INTEGER NOT NULL, \
        UNIQUE ("number", "owner"), \
        CONSTRAINT "a ""rule\""" CHECK (("cabinet" <> 'it''s' OR "cabinet" IS NULL) IS 1), \
        CONSTRAINT "known" CHECK (("number" IN (1, 2, 3) OR "number" IS NULL) IS 1), \
        FOREIGN KEY ("cabinet", "number") REFERENCES "drawer" ("cabinet", "number") ON DELETE SET NULL, \
        FOREIGN KEY ("owner") REFERENCES "key" ("id"), \
        FOREIGN KEY ("number") REFERENCES "key" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED) STRICT
        """
      ])
  }

  @Test func nonsense() throws {
    let sql = try Compiler(for: NonsenseDialect()).create(table())[0]
    #expect(sql.contains("CONSTRAINT «known» CHECK (SURELY portable(«number») IN (<1>, <2>, <3>)"))
    #expect(sql.contains("FOREIGN KEY («owner») REFERENCES «key» («id») THEN restrict"))
    #expect(sql.contains("«id» type:integer NOT NULL COUNTED PRIMARY KEY"))
    #expect(!sql.contains("&"))
  }

  @Test("a partial unique constraint is an index, whose name ends with a hash of its definition")
  func partialUnique() throws {
    let table = try TableSchema(
      "user",
      columns: [
        ColumnSchema("id", .integer), ColumnSchema("team", .integer), ColumnSchema("mail", .text, isIndexed: true),
        ColumnSchema("deleted", .text, isNullable: true),
      ], primaryKey: ["id"],
      partialUnique: [
        PartialUniqueRule(["mail"], where: .isNull(key: "deleted")),
        PartialUniqueRule(["team", "mail"], where: .greaterThan(key: "team", value: 0)),
        PartialUniqueRule(["mail"], where: .equal(key: "team", value: 1) && .equal(key: "deleted", value: "it's")),
      ])
    #expect(
      Compiler(for: SQLiteDialect()).create(table).dropFirst() == [
        #"CREATE UNIQUE INDEX "user.mail partial key 1le6iilgdgxds" ON "user" ("mail") WHERE "deleted" IS NULL"#,
        #"CREATE UNIQUE INDEX "user.team.mail partial key 2079p4numltyg" ON "user" ("team", "mail") WHERE "team" > 0"#,
        #"CREATE UNIQUE INDEX "user.mail partial key 3r3jaq03eyd5s" ON "user" ("mail") WHERE "team" = 1 AND "deleted" = 'it''s'"#,
        #"CREATE INDEX "user.mail" ON "user" ("mail")"#,
      ])
  }

  @Test("a dialect may have each rule as a constraint with a name, and keep the text of checks")
  func names() throws {
    let sql = try Compiler(for: NonsenseDialect(namesConstraints: true)).create(table())
    #expect(sql.count == 3)
    #expect(sql[0].hasPrefix("CREATE TABLE «key» («id» type:integer NOT NULL COUNTED, «cabinet» type:text, "))
    #expect(sql[0].contains("CONSTRAINT «key.id.primary key» PRIMARY KEY («id»), CONSTRAINT «key.number."))
    #expect(sql[2].hasPrefix("«known» OF «key» MEANS <'CONSTRAINT «known» CHECK (SURELY "))
  }

  @Test(
    "values are literals",
    arguments: [
      (.null, "NULL"), (0, "0"), (-5, "-5"), (.integer(.min), "(-9223372036854775807 - 1)"), (0.0, "0.0"),
      (90.5, "90.5"),
      (-0.25, "-0.25"), (1e15, "1000000000000000.0"), (0.1, "(3602879701896397.0 / 36028797018963968.0)"),
      (.real(.infinity), "9e999"), (.real(-.infinity), "-9e999"), ("", "''"), ("it's \"a\"; --", "'it''s \"a\"; --'"),
      ("a\0b", "CAST(x'610062' AS TEXT)"), (.blob([0, 255]), "x'00ff'"), (.blob([]), "x''"),
    ] as [(Value, String)])
  func literals(value: Value, sql: String) {
    #expect(SQLiteDialect().literal(value) == sql)
  }
}

@Suite("Changes of tables become SQL")
struct ChangeTests {
  private let compiler = Compiler(for: SQLiteDialect())
  private let nonsense = Compiler(for: NonsenseDialect())

  @Test func columns() {
    let column = ColumnSchema("le\"vel", .integer, defaultValue: 5)
    #expect(
      compiler.addColumn(column, to: "p") == #"ALTER TABLE "p" ADD COLUMN "le""vel" INTEGER NOT NULL DEFAULT 5"#)
    #expect(
      nonsense.addColumn(column, to: "p")
        == #"ALTER TABLE «p» ADD COLUMN «le"vel» type:integer NOT NULL DEFAULT always 5"#)
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

  @Test("an index has its nulls where an order has them, if there may be any")
  func indexTerms() {
    let columns = [ColumnSchema("a", .text), ColumnSchema("b", .text, isNullable: true)]
    #expect(
      nonsense.index(on: columns, of: "p", name: "i", isUnique: false)
        == "CREATE INDEX «i» ON «p» («a», «b» NOTHING AHEAD)")
    #expect(
      nonsense.index(on: ["a"], of: "p", name: "i", isUnique: true)
        == "CREATE UNIQUE INDEX «i» ON «p» («a» NOTHING AHEAD)")
  }

  @Test("a name that would be too long ends in a hash of all of it")
  func longNames() {
    let names = ["weight", "weights"].map { nonsense.indexName(of: ["pokémon_species", $0], in: "pokémon") }
    #expect(names.allSatisfy { $0.utf8.count <= 24 && $0.hasPrefix("pokémon.") } && names[0] != names[1])
    #expect(names[0] == nonsense.indexName(of: ["pokémon_species", "weight"], in: "pokémon"))
    #expect(nonsense.indexName(of: ["weight"], in: "pokémon") == "pokémon.weight")
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
