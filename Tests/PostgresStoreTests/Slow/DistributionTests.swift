import Query
import Repository
import SQL
import Testing

@testable import PostgresStore

/// A visit, spread over servers by the trainer.
private struct Visit: Entity, Hashable {
  struct ID: PrimaryKey {
    let trainer: Int
    let number: Int
    func keyValues() throws(ValueError) -> [Value] { [try trainer.makeValue(), try number.makeValue()] }
  }
  let trainer: Int
  let number: Int
  var place: String
  var id: ID { ID(trainer: trainer, number: number) }

  static let region = ToOne(\Visit.place, to: Region.self)
  static let schema = Schema(
    "visit", Visit.init, Column("trainer", \.trainer, .primaryKey), Column("number", \.number, .primaryKey),
    Column("place", \.place)
  ).references(region).unique(\.trainer, \.place).distributed(by: \.trainer)
}

private struct Region: Entity, Hashable {
  let id: String
  static let schema = Schema("region", Region.init, Column("id", \.id)).distributedAsReference()
}

/// Citus can't be had where these tests are run: functions of a schema's own stand for it, which note that they were called.
@Suite("Tables are spread over several servers", .requiresServer)
struct DistributionTests {
  private static let functions: [SQLStatement] = [
    "CREATE TABLE calls (call text)",
    """
    CREATE FUNCTION create_distributed_table(name regclass, distribution_column text) RETURNS void \
    LANGUAGE sql AS $$ INSERT INTO calls VALUES (name || ' by ' || distribution_column) $$
    """,
    """
    CREATE FUNCTION create_reference_table(name regclass) RETURNS void \
    LANGUAGE sql AS $$ INSERT INTO calls VALUES (name || ' everywhere') $$
    """,
  ]

  @Test("when they are made, by opening a repository or by a migration, those first to which others refer")
  func created() async throws {
    for migrates in [false, true] {
      try await TestServer.withStore { store in
        for function in Self.functions { try await store.sql.execute(function) }
        if migrates {
          try await store.migrate([
            Migration("regions") { try $0.create(Region.schema) }, Migration("visits") { try $0.create(Visit.schema) },
          ])
        }
        let visits = try store.repository(of: Visit.self)
        let calls = try await store.sql.query("SELECT call FROM calls", as: String.self)
        #expect(calls == ["region everywhere", "visit by trainer"])
        try await store.repository(of: Region.self).save(Region(id: "Kanto"))
        try await visits.save(Visit(trainer: 1, number: 1, place: "Kanto"))
        #expect(try await visits.count() == 1)
      }
    }
  }

  @Test("not on a server alone, where their rules may be any")
  func alone() async throws {
    try await TestServer.withStore { store in
      let table = try Self.note().distributed(.by("text"))
      let notes = try store.repository(Schema<Record>(table))
      #expect(try await notes.count() == 0)
    }
  }

  @Test("and a rule that no server can keep alone is refused when the table is opened")
  func refused() async throws {
    try await TestServer.withStore { store in
      for function in Self.functions { try await store.sql.execute(function) }
      let table = try Self.note().distributed(.by("text"))
      let error = #expect(throws: RepositoryError.self) { try store.repository(Schema<Record>(table)) }
      #expect(error?.code == .unsupported && "\(error as Any)".contains("id can't be unique"), "\(error as Any)")
      #expect(try store.tableNames() == ["calls"])
    }
    #expect(throws: QueryError.self) { try Self.note().distributed(.by("txt")) }
    #expect(throws: QueryError.self) { try Self.note().distributed(.by("mood")) }
  }

  private static func note() throws -> TableSchema {
    try TableSchema(
      "note",
      columns: [
        ColumnSchema("id", .integer), ColumnSchema("text", .text), ColumnSchema("mood", .text, isNullable: true),
      ], primaryKey: ["id"])
  }

  @Test("and a broken rule is told by the names of the tables, not of their parts")
  func brokenRules() async throws {
    try await TestServer.withStore { store in
      let regions = try store.repository(of: Region.self)
      let visits = try store.repository(of: Visit.self)
      try await regions.save(Region(id: "Kanto"))
      let visit = Visit(trainer: 1, number: 1, place: "Kanto")
      // What Citus hands on: the message of a server that has a part of the table.
      func breaking(_ state: String, _ message: String, on table: String = "visit") async throws {
        try await store.sql.execute(
          SQLStatement(
            verbatim: """
              CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN \
              RAISE EXCEPTION USING ERRCODE = '\(state)', MESSAGE = '\(message)'; END$$
              """))
        try await store.sql.execute(
          SQLStatement(
            verbatim: """
              CREATE TRIGGER fail_\(state) BEFORE INSERT OR DELETE ON \(table) FOR EACH ROW EXECUTE FUNCTION fail()
              """))
      }
      func failure(_ write: () async throws -> Void) async throws -> RepositoryError {
        let error = await #expect(throws: RepositoryError.self) { try await write() }
        try await store.sql.execute("DROP TRIGGER IF EXISTS fail_23505 ON visit")
        try await store.sql.execute("DROP TRIGGER IF EXISTS fail_23503 ON visit")
        return try #require(error)
      }
      let compiler = PostgresDriver.compiler
      let key = compiler.uniqueConstraintName(of: ["trainer", "place"], in: "visit", isPrimaryKey: false)
      try await breaking("23505", "duplicate key value violates unique constraint \"\(key)_102009\"")
      let conflict = try await failure { () async throws in try await visits.insert([visit]) }
      #expect(conflict.code == .conflict && conflict.summary.contains("place"), "\(conflict)")

      let reference = try #require(try Visit.schema.table().references.first)
      let foreignKey = compiler.foreignKeyName(of: reference, in: "visit")
      try await breaking(
        "23503",
        "insert or update on table \"visit_102009\" violates foreign key constraint \"\(foreignKey)_102009\"")
      let missing = try await failure { () async throws in try await visits.insert([visit]) }
      #expect(missing.code == .foreignKeyViolation && missing.summary.contains("region"), "\(missing)")

      try await breaking(
        "23503",
        """
        update or delete on table "region_102008" violates foreign key constraint "\(foreignKey)_102009" \
        on table "visit_102009"
        """, on: "region")
      let held = try await failure { () async throws in try await regions.delete(["Kanto"]) }
      #expect(held.code == .restrictViolation && held.summary.contains("visit"), "\(held)")
    }
  }
}
