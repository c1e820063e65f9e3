import PostgresStore
import Query
import SQLStore
import TestSupport
import Testing

@Suite("Migrations of a PostgreSQL database", .requiresServer)
struct MigrationTests {
  private static func pokemon(_ more: [ColumnSchema] = []) throws -> TableSchema {
    try TableSchema(
      "pokemon",
      columns: [
        ColumnSchema("id", .integer, isGenerated: true), ColumnSchema("name", .text, isUnique: true),
        ColumnSchema("weight", .real),
      ] + more, primaryKey: ["id"], checks: [CheckRule("has weight", .greaterThan(key: "weight", value: 0.0))])
  }

  private static func trainer() throws -> TableSchema {
    try TableSchema(
      "trainer",
      columns: [ColumnSchema("id", .integer), ColumnSchema("partner", .integer, isNullable: true, isIndexed: true)],
      primaryKey: ["id"],
      references: [ReferenceRule(["partner"], to: "pokemon", key: ["id"], onDelete: .setNull)])
  }

  private static let create = Migration("create") {
    try $0.create(pokemon())
    try $0.create(trainer())
    try $0.execute("INSERT INTO pokemon VALUES (1, 'Bulbasaur', 6.9), (6, 'Charizard', 90.5)")
    try $0.execute("INSERT INTO trainer VALUES (1, 6)")
  }
  private static let grow = Migration("grow") {
    try $0.addColumn(ColumnSchema("nickname", .text, isNullable: true, isIndexed: true), to: "pokemon")
    try $0.addIndex(on: "weight", of: "pokemon")
    try $0.execute("UPDATE pokemon SET nickname = name WHERE id = \(6)")
  }

  @Test("are applied once, in their order, and the database remembers them")
  func applied() async throws {
    try await TestServer.withStore { store in
      let first = try await store.migrate([Self.create])
      let second = try await store.migrate([Self.create, Self.grow])
      #expect(second.map(\.name) == ["grow"])
      #expect(try store.appliedMigrations() == first + second)
      #expect(try await store.migrate([Self.create, Self.grow]) == [])
      #expect(try store.tableNames() == ["pokemon", "trainer"])
      let nickname = ColumnSchema("nickname", .text, isNullable: true, isIndexed: true)
      let records = try store.sqlRepository(Schema<Record>(Self.pokemon([nickname])))
      #expect(try await records.find([6])?["nickname"] == "Charizard")
    }
  }

  @Test("of several processes at once are applied by one, and the others find them done")
  func concurrent() async throws {
    try await TestServer.withSchema { connection in
      let store = try PostgresStore(connection, timeout: TestServer.timeout)
      let reports = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<6 {
          group.addTask {
            try await PostgresStore(connection, connections: 1, timeout: TestServer.timeout).migrate([
              Self.create, Self.grow,
            ])
            .count
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(reports == 2)
      let names = try store.appliedMigrations().map(\.name)
      #expect(names == ["create", "grow"])
    }
  }

  @Test("that fail leave nothing behind")
  func failing() async throws {
    try await TestServer.withStore { store in
      try await store.migrate([Self.create])
      let wrong = Migration("wrong") {
        try $0.addColumn(ColumnSchema("size", .real, isNullable: true), to: "pokemon")
        try $0.execute("INSERT INTO nowhere VALUES (1)")
      }
      await #expect(throws: RepositoryError.self) { try await store.migrate([Self.create, wrong]) }
      #expect(try store.schema(ofTable: "pokemon").columns.count == 3)
      #expect(try store.appliedMigrations().count == 1)
    }
  }

  @Test("can be planned, which keeps nothing")
  func plan() async throws {
    try await TestServer.withStore { store in
      try await store.migrate([Self.create])
      let plan = try store.migrationPlan([Self.create, Self.grow])
      #expect(plan.pending.map(\.name) == ["grow"])
      #expect(plan.pending[0].statements.map(\.sql).contains { $0.hasPrefix("ALTER TABLE") })
      #expect(try store.schema(ofTable: "pokemon").columns.count == 3)
      #expect(try await store.migrate([Self.create, Self.grow]).count == 1)
    }
  }

  @Test("rename a column with the check that names it, and a table with its constraints")
  func renaming() async throws {
    try await TestServer.withStore { store in
      let rename = Migration("rename") {
        try $0.renameColumn("weight", to: "ma\"ss", in: "pokemon")
        try $0.rename(table: "pokemon", to: "monster")
        try $0.create(Self.pokemon())
      }
      try await store.migrate([Self.create, rename])
      let monster = try TableSchema(
        "monster",
        columns: [
          ColumnSchema("id", .integer, isGenerated: true), ColumnSchema("name", .text, isUnique: true),
          ColumnSchema("ma\"ss", .real),
        ], primaryKey: ["id"], checks: [CheckRule("has weight", .greaterThan(key: "ma\"ss", value: 0.0))])
      let records = try store.sqlRepository(Schema<Record>(monster))
      await #expect(throws: RepositoryError.self) {
        try await records.save(Record(["id": 1, "name": "x", "ma\"ss": -1.0], for: monster))
      }
    }
  }

  @Test(
    "replace a table also where its name for the time is taken",
    arguments: [
      ["CREATE TABLE repokit_old_pokemon (id int)"], ["CREATE TYPE repokit_old_pokemon AS (id int)"],
      ["CREATE SEQUENCE repokit_old_pokemon", "CREATE VIEW repokit_old_pokemon_ AS SELECT 1 AS id"],
    ])
  func takenName(_ statements: [String]) async throws {
    try await TestServer.withStore { store in
      let taking = Migration("taking") { for sql in statements { try $0.execute(SQLStatement(verbatim: sql)) } }
      let rebuild = Migration("rebuild") {
        try $0.rebuild("pokemon", as: Self.pokemon(), taking: ["weight": "weight * 2"])
      }
      #expect(try await store.migrate([Self.create, taking, rebuild]).count == 3)
      let weights = try await store.sql.query("SELECT weight FROM pokemon ORDER BY id", as: Double.self)
      #expect(weights == [13.8, 181])
    }
  }

  @Test("replace a table, with the foreign keys, the indexes and the triggers that belong to it")
  func rebuilding() async throws {
    try await TestServer.withStore { store in
      let belongings = Migration("belongings") {
        try $0.execute("CREATE INDEX heavy ON pokemon (weight) WHERE weight > 50")
        try $0.execute(
          "CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.name := upper(NEW.name); RETURN NEW; END'"
        )
        try $0.execute("CREATE TRIGGER shouting BEFORE INSERT ON pokemon FOR EACH ROW EXECUTE FUNCTION shout()")
      }
      let smaller = try TableSchema(
        "pokemon",
        columns: [
          ColumnSchema("id", .integer, isGenerated: true), ColumnSchema("weight", .real), ColumnSchema("name", .text),
          ColumnSchema("kind", .text),
        ], primaryKey: ["id"])
      let rebuild = Migration("rebuild") {
        try $0.rebuild("pokemon", as: smaller, taking: ["kind": "left(name, 1)", "weight": "weight * 10"])
      }
      try await store.migrate([Self.create, belongings, rebuild])
      let records = try store.sqlRepository(Schema<Record>(smaller))
      let found = try await records.findAll()
      #expect(found.map { $0["kind"] } == ["B", "C"])
      #expect(found.map { $0["weight"] } == [69.0, 905.0])
      // The key goes on, the trigger fires, the partial index is there, and so is the reference.
      let added = try await records.insert(Record(["weight": 1.0, "name": "mew", "kind": "M"], for: smaller))
      #expect(added.id == [7])
      #expect(try await records.find([7])?["name"] == "MEW")
      let indexes = try await store.sql.query(
        "SELECT count(*) FROM pg_indexes WHERE indexname = \'heavy\' AND schemaname = current_schema()", as: Int.self)
      #expect(indexes == [1])
      try await records.delete([6])
      let trainers = try store.sqlRepository(Schema<Record>(Self.trainer()))
      #expect(try await trainers.find([1])?["partner"] == .null)
    }
  }

  @Test("replace no table without its foreign keys")
  func lostReference() async throws {
    try await TestServer.withStore { store in
      let trainer = try TableSchema(
        "trainer", columns: [ColumnSchema("id", .integer), ColumnSchema("partner", .integer, isNullable: true)],
        primaryKey: ["id"])
      let rebuild = Migration("rebuild") { try $0.rebuild("trainer", as: trainer) }
      let error = await #expect(throws: RepositoryError.self) { try await store.migrate([Self.create, rebuild]) }
      #expect((error?.underlying as? RepositoryError)?.summary == "trainer would lose a foreign key: partner")
      #expect(try store.schema(ofTable: "trainer").references.map(\.table) == ["pokemon"])
    }
  }

  @Test("adopt a table by additions alone")
  func adopting() async throws {
    try await TestServer.withStore { store in
      try await store.sql.execute(
        "CREATE TABLE pokemon (id bigint PRIMARY KEY, name varchar(40) NOT NULL, weight float4)")
      try await store.sql.execute("INSERT INTO pokemon VALUES (1, 'Bulbasaur', 6.5)")
      let table = try TableSchema(
        "pokemon",
        columns: [
          ColumnSchema("id", .integer), ColumnSchema("name", .text, isIndexed: true),
          ColumnSchema("weight", .real, isNullable: true), ColumnSchema("nickname", .text, isNullable: true),
        ], primaryKey: ["id"])
      let added = try store.adopt(Schema<Record>(table))
      #expect(added.count == 2)
      let records = try store.sqlRepository(Schema<Record>(table))
      let heavy = try await records.filter(.greaterThan(key: "weight", value: 6.0)).all()
      #expect(heavy.map { $0["name"] } == ["Bulbasaur"])
      try await records.save(Record(["id": 2, "name": "Mew", "weight": 4, "nickname": "M"], for: table))
      #expect(try await records.count() == 2)
    }
  }

  @Test("a column whose type is compared in a way of its own is refused by its name, and can be left out")
  func unsupportedTypes() async throws {
    try await TestServer.withStore { store in
      try await store.sql.execute(
        "CREATE TABLE log (id bigint PRIMARY KEY, at interval NOT NULL DEFAULT '0', note text)")
      let whole = try store.schema(ofTable: "log")
      expectError(.unsupported, summary: "a repository can't use column at of log") {
        try store.sqlRepository(Schema<Record>(whole))
      }
    }
  }
}
