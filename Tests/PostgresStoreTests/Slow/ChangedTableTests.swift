import PostgresStore
import Query
import Repository
import TestSupport
import Testing

/// What a store knows of a table that others change meanwhile.
@Suite("A table whose columns get other types while a store has it open", .requiresServer)
struct ChangedTableTests {
  private struct Berry: Entity, Equatable {
    let id: Int
    var weight: Double
    static let schema = Schema("berry", Berry.init, Column("id", \.id), Column("weight", \.weight))
  }

  private struct Visit: Entity, Equatable {
    let id: Int?
    var n: Int
    static let schema = Schema("visit", Visit.init, Column("id", \.id, .generated), Column("n", \.n))
  }

  @Test("is written by what they are now", arguments: [true, false], [1, 8, 50])
  func bulk(keepsStatements: Bool, count: Int) async throws {
    try await TestServer.withSchema { connection in
      let store = try PostgresStore(connection, notifies: false, preparedStatements: keepsStatements)
      let other = try PostgresStore(connection, notifies: false)
      let berries = try store.repository(of: Berry.self)
      try await berries.insert((0..<10).map { Berry(id: $0, weight: 2) })
      try await berries.insert([Berry(id: 10, weight: 2)])
      try await other.sql.execute("ALTER TABLE berry ALTER weight TYPE bigint")
      try await berries.insert((100..<100 + count).map { Berry(id: $0, weight: 3) })
      let stored = try await other.sql.query("SELECT DISTINCT weight FROM berry WHERE id >= 100", as: Int.self)
      #expect(stored == [3])
    }
  }

  @Test(
    "is written and read by what they are now", arguments: [true, false],
    ["n TYPE double precision", "n TYPE int", "id TYPE int", "id TYPE int, ALTER n TYPE int"])
  func returning(keepsStatements: Bool, change: String) async throws {
    try await TestServer.withSchema { connection in
      let store = try PostgresStore(connection, notifies: false, preparedStatements: keepsStatements)
      let other = try PostgresStore(connection, notifies: false)
      let visits = try store.repository(of: Visit.self)
      #expect(try await visits.insert([Visit(id: nil, n: 7)]) == [Visit(id: 1, n: 7)])
      #expect(try await visits.updateReturning(where: .true, set: [Assignment("n", 8)]) == [Visit(id: 1, n: 8)])
      try await other.sql.execute(SQLStatement(verbatim: "ALTER TABLE visit ALTER \(change)"))
      #expect(try await visits.insert([Visit(id: nil, n: 9)]) == [Visit(id: 2, n: 9)])
      #expect(
        try await visits.updateReturning(where: .equal(key: "id", value: 1), set: [Assignment("n", 3)])
          == [Visit(id: 1, n: 3)])
      #expect(try await visits.deleteReturning(where: .equal(key: "id", value: 2)) == [Visit(id: 2, n: 9)])
      try await store.transaction { _ in
        try await visits.insert([Visit(id: nil, n: 1)])
      }
      #expect(try await visits.find(3) == Visit(id: 3, n: 1))
    }
  }

  /// A part of a transaction that is undone gives back its locks, which kept the columns as they were.
  @Test("is written by what they are now, after a part of a transaction was undone", arguments: [true, false])
  func afterSavepoint(keepsStatements: Bool) async throws {
    try await TestServer.withSchema { connection in
      let store = try PostgresStore(connection, notifies: false, preparedStatements: keepsStatements)
      let other = try PostgresStore(connection, notifies: false)
      let berries = try store.repository(of: Berry.self)
      try await store.transaction { outer in
        await #expect(throws: CancellationError.self) {
          try await outer.transaction { _ in
            try await berries.insert((0..<10).map { Berry(id: $0, weight: 2) })
            throw CancellationError()
          }
        }
        try await other.sql.execute("ALTER TABLE berry ALTER weight TYPE bigint")
        try await berries.insert((0..<10).map { Berry(id: $0, weight: 3) })
      }
      #expect(try await other.sql.query("SELECT DISTINCT weight FROM berry", as: Int.self) == [3])
    }
  }

  @Test("and a row that a trigger leaves out has no key of another one", arguments: [1, 20])
  func skipped(count: Int) async throws {
    try await TestServer.withSchema { connection in
      let store = try PostgresStore(connection, notifies: false)
      let visits = try store.repository(of: Visit.self)
      try await store.sql.execute(
        """
        CREATE FUNCTION skip() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.n < 0 THEN RETURN NULL; END IF; RETURN NEW; END $$
        """)
      try await store.sql.execute(
        "CREATE TRIGGER skip BEFORE INSERT ON visit FOR EACH ROW EXECUTE FUNCTION skip()")
      #expect(try await visits.insert([Visit(id: nil, n: 1)]).map(\.id) == [1])
      let more = (0..<count).map { Visit(id: nil, n: $0 == count - 1 ? -1 : 2) }
      await expectError(.constraint) { try await visits.insert(more) }
      #expect(try await visits.count() == 1)
    }
  }
}
