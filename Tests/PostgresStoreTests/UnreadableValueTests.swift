import PostgresStore
import Query
import Repository
import TestSupport
import Testing

/// NaN, which other programs store.
@Suite("Values of PostgreSQL that no store can read", .requiresServer)
struct UnreadableValueTests {
  private struct Reading: Entity {
    let id: Int
    var mass: Double?
    static let schema = Schema("reading", Reading.init, Column("id", \.id), Column("mass", \.mass))
  }

  @Test("reading one is an error that names the row's key")
  func reading() async throws {
    try await TestServer.withStore { store in
      try await store.sql.execute("CREATE TABLE reading (id int8 PRIMARY KEY, mass float8)")
      try await store.sql.execute("INSERT INTO reading VALUES (1, 'NaN'), (2, 2), (4, 'infinity'), (5, NULL)")
      let readings = try store.repository(of: Reading.self)
      let masses = try await readings.filter { $0.id.in([2, 4, 5]) }.sorted { $0.id.ascending }.all().map(\.mass)
      #expect(masses == [2, .infinity, nil])
      for read in [{ _ = try await readings.find(1) }, { _ = try await readings.filter { $0.id == 1 }.all() }] {
        let error = await #expect(throws: RepositoryError.self) { try await read() }
        #expect(error?.code == .unreadableRow)
        #expect(error?.summary == "can't read row 1 of reading, column mass")
      }
    }
  }
}
