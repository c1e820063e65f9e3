import Repository
import Testing

@testable import PostgresStore
@testable import SQLStore

@Suite("Indexes, triggers and foreign keys of a table of PostgreSQL", .requiresServer)
struct TableDependentTests {
  @Test("are made again for the table that replaces it")
  func restored() async throws {
    try await TestServer.withStore { store in
      for sql: SQLStatement in [
        "CREATE TABLE p (id int PRIMARY KEY, n text)", "CREATE UNIQUE INDEX by_n ON p (n) WHERE n > 'm'",
        "COMMENT ON INDEX by_n IS 'the late ones'",
        "CREATE TABLE c (p int CONSTRAINT link REFERENCES p ON DELETE CASCADE)",
        """
        CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN NEW.n := upper(NEW.n); RETURN NEW; END $$
        """,
        "CREATE TRIGGER shouting BEFORE INSERT ON p FOR EACH ROW EXECUTE FUNCTION shout()",
      ] { try await store.sql.execute(sql) }
      func statements(_ dependents: PostgresTableDependents) -> [[String]] {
        [dependents.indexes, dependents.triggers, dependents.foreignKeys].map { $0.flatMap(\.create) }
      }
      try store.runBlocking(.write) { connection throws(RepositoryError) in
        let before = try PostgresTableDependents(of: "p", on: connection)
        for object in before.foreignKeys { try connection.execute(object.drop) }
        try connection.execute("DROP TABLE p")
        try connection.execute("CREATE TABLE p (id int PRIMARY KEY, n text)")
        let table = try PostgresCatalog(connection).requiredSchema(ofTable: "p")
        try before.restoreIndexes(of: table, on: connection)
        try before.restoreRest(of: table, on: connection)
        let after = try PostgresTableDependents(of: "p", on: connection)
        #expect(statements(after) == statements(before))
        #expect(statements(after).map(\.count) == [2, 1, 1])
      }
    }
  }
}
