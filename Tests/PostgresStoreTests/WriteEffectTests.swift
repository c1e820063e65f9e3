import PostgresStore
import Repository
import Testing

@testable import SQLStore

@Suite("The effects of writes that observers of a server know", .requiresServer)
struct WriteEffectTests {
  @Test(
    "are those of deletions and of changed keys",
    arguments: [
      ("", false), ("ON DELETE CASCADE", true), ("ON UPDATE CASCADE", true), ("ON DELETE SET NULL", true),
      ("ON UPDATE SET DEFAULT", true), ("ON DELETE RESTRICT ON UPDATE NO ACTION", false),
    ])
  func actions(action: String, isEffect: Bool) async throws {
    // Tables of all schemas count, and other tests have theirs.
    try await TestServer.withDatabase { connection in
      let store = try PostgresStore(connection)
      try await store.sql.execute("CREATE TABLE parent (id int PRIMARY KEY)")
      try await store.sql.execute(SQLStatement(verbatim: "CREATE TABLE child (parent int REFERENCES parent \(action))"))
      #expect(try await store.sources(of: TableSet(["child"])).intersects(TableSet(["parent"])) == isEffect)
      #expect(try await !store.sources(of: TableSet(["parent"])).intersects(TableSet(["child"])))
    }
  }
}
