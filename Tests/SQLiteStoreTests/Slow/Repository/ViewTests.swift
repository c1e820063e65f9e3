import Query
import Repository
import SQLiteStore
import TestSupport
import Testing

/// Rows of a view: a sum for each genre.
private struct GenreTotal: Entity {
  var id: String { genre }
  let genre: String
  var tracks: Int
  var longest: Int?

  static let schema = Schema(
    "genre_total", GenreTotal.init, Column("genre", \.genre, .primaryKey), Column("tracks", \.tracks),
    Column("longest", \.longest))
}

private struct Busy: Projection, Equatable {
  let genre: String
  let minutes: Int?

  static let projection = ProjectionSchema(
    of: GenreTotal.self, Busy.init, Projected(\.genre), Projected(.key("longest") / 60, as: "minutes"))
}

@Suite("A model's table may be a view")
struct ViewTests {
  private let totals: SQLRepository<GenreTotal>
  private let store: SQLiteStore

  init() throws {
    store = try SQLiteStore.inMemory()
    try store.runBlocking(.write) { connection throws(RepositoryError) in
      try connection.execute("CREATE TABLE track (id INTEGER PRIMARY KEY, genre TEXT NOT NULL, length INT)")
      try connection.execute("INSERT INTO track (genre, length) VALUES ('rock', 100), ('rock', 300), ('jazz', NULL)")
      try connection.execute(
        "CREATE VIEW genre_total AS SELECT genre, count(*) AS tracks, max(length) AS longest FROM track GROUP BY genre")
    }
    totals = try store.sqlRepository(GenreTotal.schema)
  }

  @Test("that is read as any other")
  func reading() async throws {
    #expect(try await totals.findAll(where: { $0.tracks > 1 }).map(\.genre) == ["rock"])
    #expect(try await totals.find("jazz")?.tracks == 1)
    #expect(try await totals.selection().aggregate(.max(\.longest)) == 300)
    #expect(
      try await totals.sorted { $0.genre.descending }.select(Busy.self)
        == [Busy(genre: "rock", minutes: 5), Busy(genre: "jazz", minutes: nil)])
  }

  @Test("and refuses to be written to")
  func writing() async throws {
    let total = GenreTotal(genre: "pop", tracks: 1, longest: nil)
    let writes: [@Sendable () async throws -> Void] = [
      { try await totals.save(total) }, { try await totals.insert(total) }, { try await totals.delete("rock") },
      { try await totals.filter { $0.tracks == 1 }.update { $0.tracks = 2 } },
      { try await totals.save([total, total]) },
    ]
    for write in writes {
      let error = await #expect(throws: RepositoryError.self) { try await write() }
      #expect(
        error?.code == .unsupported && error?.summary.hasPrefix("can't change rows of ") == true, "\(error as Any)")
    }
  }

  @Test("whose columns have to be there")
  func mismatch() throws {
    let schema = Schema(
      "genre_total", GenreTotal.init, Column("genre", \.genre, .primaryKey), Column("number", \.tracks),
      Column("longest", \.longest))
    expectError(.schemaMismatch) { try store.sqlRepository(schema) }
  }
}
