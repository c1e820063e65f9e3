import PostgresStore
import Query
import Repository
import TestSupport
import Testing

private struct GenreTotal: Entity {
  var id: String { genre }
  let genre: String
  var tracks: Int

  static let schema = Schema(
    "genre_total", GenreTotal.init, Column("genre", \.genre, .primaryKey), Column("tracks", \.tracks))
}

@Suite("A model's table may be a view of a server", .requiresServer)
struct ViewTests {
  @Test("that is read as any other, and refuses to be written to")
  func view() async throws {
    try await TestServer.withStore { store in
      for statement in [
        "CREATE TABLE track (id BIGINT PRIMARY KEY, genre TEXT NOT NULL)",
        "INSERT INTO track VALUES (1, 'rock'), (2, 'rock'), (3, 'jazz')",
        "CREATE VIEW genre_total AS SELECT genre, count(*) AS tracks FROM track GROUP BY genre",
      ] { try await store.sql.execute(SQLStatement(verbatim: statement)) }
      let totals = try store.repository(GenreTotal.schema)
      #expect(try await totals.findAll(where: { $0.tracks > 1 }).map(\.genre) == ["rock"])
      #expect(try await totals.find("jazz")?.tracks == 1)
      #expect(try await totals.findRows(ProjectionRequest([.key("tracks")], isDistinct: true)) == [[1], [2]])
      let total = GenreTotal(genre: "pop", tracks: 1)
      let writes: [@Sendable () async throws -> Void] = [
        { try await totals.save(total) }, { try await totals.insert(total) }, { try await totals.delete("rock") },
        { try await totals.filter { $0.tracks == 1 }.update { $0.tracks = 2 } },
      ]
      for write in writes {
        await expectError(.unsupported) { try await write() }
      }
    }
  }
}
