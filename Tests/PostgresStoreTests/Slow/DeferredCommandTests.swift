import PostgresStore
import Testing

@Suite("What opens a transaction goes to the server with its first statement", .requiresServer)
struct DeferredCommandTests {
  @Test("a transaction that does nothing ends, and one that fails before its first statement does")
  func empty() async throws {
    try await TestServer.withStore(connections: 1) { store in
      try store.blocking.transaction { _ in }
      try store.blocking.transaction { transaction in try transaction.transaction { _ in } }
      #expect(throws: Stop.self) { try store.blocking.transaction { _ in throw Stop() } }
      #expect(throws: Stop.self) {
        try store.blocking.transaction { transaction in
          try? transaction.transaction { _ in throw Stop() }
          throw Stop()
        }
      }
      let states = try await store.sql.query(
        "SELECT state FROM pg_stat_activity WHERE pid = pg_backend_pid()", as: String.self)
      #expect(states == ["active"])
    }
  }

  @Test("a transaction that does nothing sends nothing")
  func silent() async throws {
    try await TestServer.withStore(connections: 1) { store in
      let numbers = try await store.sql.query("SELECT pg_backend_pid()", as: Int.self)
      try await store.transaction { transaction in try await transaction.transaction { _ in await Task.yield() } }
      #expect(throws: Stop.self) { try store.blocking.transaction { _ in throw Stop() } }
      let last = try await TestServer.administrator.get().sql.query(
        "SELECT query FROM pg_stat_activity WHERE pid = \(numbers[0])", as: String.self)
      #expect(last == ["SELECT pg_backend_pid()"])
    }
  }

  @Test("a statement that fails at once is undone alone, whether it can't be prepared or not run")
  func failure() async throws {
    try await TestServer.withStore { store in
      try await store.sql.execute("CREATE TABLE thing (id bigint PRIMARY KEY)")
      for wrong in ["INSERT INTO nothing VALUES (1)", "INSERT INTO thing SELECT 1 / 0"] as [SQLStatement] {
        try await store.transaction { transaction in
          await #expect(throws: RepositoryError.self) { try await transaction.sql.execute(wrong) }
          try await transaction.sql.execute("INSERT INTO thing SELECT count(*) FROM thing")
        }
      }
      #expect(try await store.sql.query("SELECT id FROM thing ORDER BY id", as: Int.self) == [0, 1])
    }
  }

  @Test("rows may be left, or other statements run between them")
  func rows() async throws {
    try await TestServer.withStore { store in
      let things: AnyRepository<Record> = try store.repository(
        Schema(TableSchema("thing", columns: [ColumnSchema("id", .integer)], primaryKey: ["id"])))
      try await store.sql.execute("INSERT INTO thing SELECT * FROM generate_series(1, 3000)")
      try await store.transaction { _ in
        #expect(try await things.findAll(FetchRequest(limit: 2000)).count == 2000)
        #expect(try await things.findAll(FetchRequest(.equal(key: "id", value: 7))).count == 1)
        try await things.delete(where: .lessThan(key: "id", value: 1001))
        #expect(try await things.count(.true) == 2000)
      }
      #expect(try await things.count(.true) == 2000)
    }
  }

  private struct Stop: Error {}
}
