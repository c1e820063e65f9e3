import Foundation
import PostgresStore
import Query
import Repository
import TestSupport
import Testing

@Suite("UUIDs and dates as other programs keep them in PostgreSQL", .requiresServer)
struct NonCanonicalFormTests {
  private struct Event: Entity {
    let id: UUID
    var created: Date
    static let schema = Schema("event", Event.init, Column("id", \.id), Column("created", \.created))
  }

  private static let id = "e621e1f8-c36c-495a-93fc-000c247a3e6e"
  private static let instant = "2024-01-02T23:00:00.000000000Z"

  @Test("are converted by the statement that the difference has, and what is none stays as it is")
  func conversion() async throws {
    let ids = [
      Self.id.uppercased(), Self.id.replacing("-", with: ""), "{\(Self.id)}", "{\(Self.id.uppercased())}",
      "urn:uuid:\(Self.id)", "URN:UUID:\(Self.id.uppercased())",
    ]
    let dates = [
      ("2024-01-02T23:00:00Z", Self.instant), ("2024-01-02 23:00:00", Self.instant),
      ("2024-01-03T00:00:00.123456+01:00", "2024-01-02T23:00:00.123456000Z"),
      ("2024-01-03T00:00:00+01:00", Self.instant), ("2024-01-02 23:00", Self.instant),
      ("2024-01-02T23:00Z", Self.instant),
      ("2024-01-02T23:00z", Self.instant), ("2024-01-03T00:00+01:00", Self.instant),
      ("2024-01-02 18:00 -0500", Self.instant),
      ("2024-01-02t23:00:00z", Self.instant), ("2024-01-02T23:00:00.000000000z", Self.instant),
      ("2024-01-03t00:00:00.25+01", "2024-01-02T23:00:00.250000000Z"), ("2024-01-02 23:00:00 UTC", Self.instant),
      ("2024-01-02 23:00:00.123456 GMT", "2024-01-02T23:00:00.123456000Z"), ("2024-01-02T23:00 gmt", Self.instant),
    ]
    let values = ids.map { (id: $0, created: Self.instant, after: Self.instant) } + dates.map { (Self.id, $0.0, $0.1) }
    try await TestServer.withStore { store in
      try await store.sql.execute(
        #"CREATE TABLE event (id text COLLATE "C" PRIMARY KEY, created text COLLATE "C" NOT NULL)"#)
      for (id, created, after) in values {
        try await store.sql.execute("DELETE FROM event")
        try await store.sql.execute("INSERT INTO event VALUES (\(id), \(created)), ('none', '2024-02-30 23:00')")
        let differences = try store.schemaDifferences(of: Event.schema)
        let statement = try #require(differences.flatMap(\.statements).first, "\(id) \(created): \(differences)")
        for _ in 0..<2 {
          try await store.transaction { transaction in
            // Of a text without a time zone, another cast would take the session's own.
            try await transaction.sql.execute("SET LOCAL TIME ZONE 'America/New_York'")
            try await transaction.sql.execute(SQLStatement(verbatim: statement))
          }
        }
        let rows = try await store.sql.query("SELECT id || ' ' || created FROM event ORDER BY 1", as: String.self)
        #expect(rows == ["\(Self.id) \(after)", "none 2024-02-30 23:00"], "\(id) \(created)")
      }
    }
  }
}
