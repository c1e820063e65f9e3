import SQLiteStore
import TestSupport
import Testing

/// Runs what the article *SQL statements* says.
@Suite("The article on SQL statements tells the truth")
struct SQLArticleTests {
  struct Berry: Entity, Equatable {
    let id: Int
    var name: String
    var size: Double?

    static let schema = Schema<Berry>(table: "berry") {
      Parameters(of: Berry.init)
      Column("id", \.id)
      Column("name", \.name)
      Column("size", \.size)
    }
  }

  @Test("its examples run")
  func examples() async throws {
    let store = try SQLiteStore.inMemory()
    let berries = try store.repository(of: Berry.self)
    try await berries.insert([
      Berry(id: 1, name: "Cheri", size: 2), Berry(id: 2, name: "Oran", size: 3.5),
      Berry(id: 3, name: "Sitrus", size: nil),
    ])

    let least = 3.0
    let large = try await store.sql.query("SELECT * FROM berry WHERE size > \(least)", as: Berry.self)
    let pairs = try await store.sql.query("SELECT name, size FROM berry ORDER BY id", as: String.self, Double?.self)
    let records = try await store.sql.query("SELECT count(*) AS n, max(size) AS largest FROM berry")
    #expect(large == [Berry(id: 2, name: "Oran", size: 3.5)])
    #expect(pairs.map(\.0) == ["Cheri", "Oran", "Sitrus"] && pairs.map(\.1) == [2, 3.5, nil])
    #expect(records[0]["n"] == 3 && records[0]["largest"] == 3.5)

    let name = "Oran'; DROP TABLE berry; --"
    let statement: SQLStatement = "SELECT * FROM berry WHERE name = \(name)"
    print(statement.sql)  // SELECT * FROM berry WHERE name = ?
    #expect(printed.lines == ["SELECT * FROM berry WHERE name = ?"])
    #expect(try await store.sql.query(statement).isEmpty)

    let column = "size"
    let condition: SQLStatement = "id IN \([1, 2, 3]) AND \(identifier: column) IS NOT NULL"
    let ids = try await store.sql.query("SELECT id FROM \(table: Berry.self) WHERE \(part: condition)", as: Int.self)
    #expect(ids == [1, 2])

    let grown = try await store.sql.execute("UPDATE berry SET size = size * \(2) WHERE size < \(least)")
    let eaten = try await store.sql.query("DELETE FROM berry WHERE id = \(2) RETURNING *", as: Berry.self)
    #expect(grown == 1 && eaten.map(\.name) == ["Oran"])

    try await store.transaction { transaction in
      try await berries.save(Berry(id: 4, name: "Leppa", size: 2.8))
      try await transaction.sql.execute("UPDATE berry SET size = \(3) WHERE size IS NULL")
    }
    #expect(try await berries.filter { $0.size == 3 }.count() == 1)

    let short = try await store.sql.query("SELECT id FROM berry WHERE length(name) < \(6)", as: Int.self)
    let found = try await berries.findAll(where: { $0.id.in(short) && $0.size > 2 }, sortedBy: { $0.size.descending })
    #expect(found.map(\.name) == ["Cheri", "Leppa"])

    let typed = "select name from berry where size > 3"
    let answer = try await store.sql.query(SQLStatement(verbatim: typed))
    #expect(answer.map { $0["name"] } == ["Cheri"])

    let version = try await store.sql.query("SELECT user_version FROM pragma_user_version", as: Int.self)
    #expect(version == [0])
    await expectError(.invalidStatement) { try await store.sql.execute("PRAGMA user_version = 1") }
  }

  /// What was printed, so that the examples can print.
  private let printed = Lines()

  private final class Lines {
    var lines: [String] = []
  }

  private func print(_ line: String) { printed.lines.append(line) }

  @Test("each of its lines of Swift stands in this file")
  func snippets() throws {
    let snippets = try Article("Sources/SQLiteStore/SQLiteStore.docc/SQLStatements.md").snippets()
    #expect(snippets.count > 15 && snippets.missing.isEmpty)
  }
}
