import PostgresStore
import Query
import Repository
import SQLStore
import TestSupport
import Testing

@Suite("Tables of other programs in PostgreSQL refuse what they can't hold, and", .requiresServer)
struct AdoptedTableRefusalTests {
  @Test(
    "name the column whose type can't hold a value, and what it can",
    arguments: [
      ("smallint", 70_000, .overflow, "number", "-32768 to 32767"),
      ("integer", 3_000_000_000, .overflow, "number", "-2147483648 to 2147483647"),
      ("real", 1e300, .overflow, "number", "3.4e38"),
      ("varchar(3)", "abcd", .invalidValue, "text", "up to 3 characters"),
      ("char(2)", "abc", .invalidValue, "text", "up to 2 characters"),
      ("mood", "angry", .invalidValue, "text", "write one of 'sad', 'it''s'"),
      ("jsonb", "{x", .invalidValue, "text", "JSON"), ("json", "", .invalidValue, "text", "JSON"),
      ("feeling", "angry", .invalidValue, "text", "write one of 'sad'"),
    ] as [(String, Value, RepositoryError.Code, String, String)])
  func misfits(_ type: String, _ value: Value, _ code: RepositoryError.Code, _ kind: String, _ advice: String)
    async throws
  {
    try await TestServer.withStore { store in
      try await store.sql.execute("CREATE TYPE mood AS ENUM ('sad', 'it''s')")
      try await store.sql.execute("CREATE DOMAIN feeling AS mood")
      try await store.sql.execute(
        SQLStatement(verbatim: "CREATE TABLE person (id int PRIMARY KEY, other varchar(9), x \(type))"))
      let table = try store.schema(ofTable: "person")
      let people = try store.sqlRepository(Schema<Record>(table))
      try await people.insert([Record(values: [0, "a", .null], in: table)])
      func record(_ id: Int64) -> Record { Record(values: [.integer(id), "a", value], in: table) }
      let writes: [() async throws -> Void] = [
        { try await people.insert([record(1)]) }, { try await people.save([record(0)]) },
        { try await people.insert((1..<50).map(record)) },
        { try await people.update(where: .true, set: [Assignment("x", value)]) },
        { try await store.transaction { _ in try await people.save([record(0)]) } },
      ]
      for write in writes {
        let error = await #expect(throws: RepositoryError.self) { try await write() }
        #expect(error?.code == code && error?.summary == "x of person can't store this \(kind)")
        #expect(error?.suggestion?.contains(advice) == true, "\(String(describing: error))")
        #expect(error.map { "\($0)".contains("angry") } == false)
      }
      #expect(try await people.findAll().map(\.values) == [[0, "a", .null]])
    }
  }

  @Test("refuse columns of names that PostgreSQL has for itself")
  func systemColumns() async throws {
    try await TestServer.withStore { store in
      for name in ["ctid", "xmin", "tableoid"] {
        let table = try TableSchema(
          "t", columns: [ColumnSchema("id", .integer), ColumnSchema(name, .text)], primaryKey: ["id"])
        expectError(.unsupported, summary: "PostgreSQL can't store column \(name) of t") {
          try store.sqlRepository(Schema<Record>(table))
        }
      }
      #expect(try store.tableNames().isEmpty)
    }
  }

  @Test("name a partition that is missing")
  func partitions() async throws {
    try await TestServer.withStore { store in
      try await store.sql.execute("CREATE TABLE log (id int PRIMARY KEY) PARTITION BY RANGE (id)")
      try await store.sql.execute("CREATE TABLE log1 PARTITION OF log FOR VALUES FROM (1) TO (10)")
      let table = try store.schema(ofTable: "log")
      let log = try store.sqlRepository(Schema<Record>(table))
      try await log.insert([Record(values: [1], in: table)])
      for count in [1, 50] {
        let records = (0..<count).map { Record(values: [.integer(Int64(100 + $0))], in: table) }
        await expectError(.constraint, summary: "no partition of log accepts the row") { try await log.insert(records) }
      }
    }
  }

  @Test("that have no columns are told from tables that are not there")
  func withoutColumns() async throws {
    try await TestServer.withStore { store in
      try await store.sql.execute("CREATE TABLE nothing ()")
      expectError(.unsupported, summary: "the table nothing has no columns") { try store.schema(ofTable: "nothing") }
    }
  }

  @Test(
    "name each column of a type that is not kept exactly",
    arguments: [
      "interval", "inet", "int[]", "int4range", "point", "time", "money",
      "xml",
      "bit(3)", "tsvector",
    ])
  func refusedTypes(_ type: String) async throws {
    try await TestServer.withStore { store in
      try await store.sql.execute(SQLStatement(verbatim: "CREATE TABLE log (id int PRIMARY KEY, x \(type))"))
      let whole = try store.schema(ofTable: "log")
      let error = #expect(throws: RepositoryError.self) { try store.sqlRepository(Schema<Record>(whole)) }
      #expect(error?.code == .unsupported)
      #expect(error?.summary == "a repository can't use column x of log")
      #expect(error?.suggestion != nil)
    }
  }

  @Test("have no key whose values are equal for the server alone")
  func unlikeKey() async throws {
    try await TestServer.withStore { store in
      try await store.sql.execute("CREATE TABLE log (id jsonb PRIMARY KEY, x jsonb)")
      let table = try store.schema(ofTable: "log")
      expectError(.unsupported, summary: "a repository can't use column id of log") {
        try store.sqlRepository(Schema<Record>(table))
      }
    }
  }

  @Test("are not unique by what is unique among some rows")
  func partialIndex() async throws {
    try await TestServer.withStore { store in
      try await store.sql.execute("CREATE TABLE log (id int PRIMARY KEY, a text, b text, c text)")
      for columns in ["a", "a, b"] {
        try await store.sql.execute(
          SQLStatement(verbatim: "CREATE UNIQUE INDEX ON log (\(columns)) WHERE c = 'x'"))
      }
      try await store.sql.execute("CREATE UNIQUE INDEX ON log (b, c)")
      let table = try store.schema(ofTable: "log")
      #expect(!table.columns[1].isUnique && !table.columns[1].isIndexed)
      #expect(table.uniqueSets.map { $0.map { table.columns[$0].name } } == [["b", "c"]])
    }
  }

  private struct Berry: Entity {
    let id: Int
    var weight: Int
    static let schema = Schema("berry", Berry.init, Column("id", \.id), Column("weight", \.weight)).check("has weight")
    {
      $0.weight > 0
    }
  }

  @Test("trust no check that is not enforced for all rows", arguments: ["", "NOT VALID"])
  func unvalidatedCheck(_ validity: String) async throws {
    try await TestServer.withSchema { connection in
      let store = try PostgresStore(connection)
      _ = try store.repository(of: Berry.self)
      try await store.sql.execute(
        SQLStatement(
          verbatim: """
            DO $$ DECLARE rule text; comment text; BEGIN
            SELECT pg_get_constraintdef(oid), obj_description(oid, 'pg_constraint') INTO rule, comment
            FROM pg_constraint WHERE conrelid = 'berry'::regclass AND conname = 'has weight';
            ALTER TABLE berry DROP CONSTRAINT "has weight";
            EXECUTE 'ALTER TABLE berry ADD CONSTRAINT "has weight" ' || rule || ' \(validity)';
            EXECUTE format('COMMENT ON CONSTRAINT "has weight" ON berry IS %L', comment); END $$
            """))
      func open() throws { _ = try PostgresStore(connection).repository(of: Berry.self) }
      if validity.isEmpty { return try open() }
      expectError(.schemaMismatch, reason: "the rule has weight is missing or different") { try open() }
    }
  }

  @Test("read no time outside of the years 1 to 9999, and say so")
  func yearsWithoutText() async throws {
    try await TestServer.withStore { store in
      try await store.sql.execute("CREATE TABLE log (id int PRIMARY KEY, day date, at timestamptz)")
      try await store.sql.execute("INSERT INTO log VALUES (1, '0044-03-15 BC', NULL), (2, NULL, '12026-01-01')")
      let log = try store.sqlRepository(Schema<Record>(try store.schema(ofTable: "log")))
      for id in 1...2 {
        await expectError(.unreadableRow) {
          try await log.filter(.equal(key: "id", value: id)).all()
        }
      }
    }
  }
}
