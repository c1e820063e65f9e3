import PostgresStore
import Repository
import TestSupport
import Testing

@testable import SQLStore

@Suite("The tables that a write changes besides its own", .requiresServer)
struct WriteEffectTests {
  @Test("are those whose foreign keys delete or change rows")
  func actions() async throws {
    // Tables of all schemas count, and other tests have theirs.
    try await TestServer.withDatabase { connection in
      let store = try PostgresStore(connection)
      try await store.sql.execute("CREATE TABLE parent (id int PRIMARY KEY)")
      for (number, (action, _)) in ForeignKeyActions.cases.enumerated() {
        let table = "CREATE TABLE child\(number) (parent int REFERENCES parent \(action))"
        try await store.sql.execute(SQLStatement(verbatim: table))
      }
      for (number, (action, changesRows)) in ForeignKeyActions.cases.enumerated() {
        let changing = try await store.sources(of: TableSet(["child\(number)"]))
        #expect(changing.intersects(TableSet(["parent"])) == changesRows, "\(action)")
        #expect(try await !store.sources(of: TableSet(["parent"])).intersects(TableSet(["child\(number)"])))
      }
    }
  }
}
