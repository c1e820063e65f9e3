import Foundation
import SQLiteStore
import Synchronization
import TestSupport
import Testing

/// Runs the examples of the article *Observe statements and set up connections*.
@Suite("The article on observed statements is correct")
struct ObservationArticleTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  struct Pokemon: Entity, Equatable {
    let id: Int
    var name: String

    static let schema = Schema<Pokemon>(table: "pokemon") {
      Parameters(of: Pokemon.init)
      Column("id", \.id)
      Column("name", \.name)
    }
  }

  /// What swift-log's logger is to the article.
  private final class Logger: Sendable {
    let lines = Mutex<[String]>([])

    func debug(_ message: String, metadata: [String: String]) { lines.withLock { $0.append(message) } }
    func warning(_ message: String, metadata: [String: String]) { debug(message, metadata: metadata) }
  }

  func open(_ path: String, key: String) throws -> SQLiteStore {
    try SQLiteStore(path: path) { connection in
      try connection.setKey(key)
    }
  }

  @Test("each statement is told of, without a value")
  func log() async throws {
    let logger = Logger()
    let path = folder.path("a.sqlite")
    do {
      let store = try SQLiteStore(
        path: path,
        observer: StatementObserver { event in
          logger.debug("\(event)", metadata: ["store": "\(event.store)"])
        })
      let pokedex = try store.repository(of: Pokemon.self)
      try await pokedex.save([Pokemon(id: 4, name: "Charmander"), Pokemon(id: 25, name: "Pikachu")])
      logger.lines.withLock { $0 = [] }
      _ = try await pokedex.find(25)
      #expect(try await pokedex.findAll { $0.name == "Pikachu" }.count == 1)
      try await pokedex.save(Pokemon(id: 1, name: "Bulbasaur"))
      try await store.transaction { transaction in
        _ = try await transaction.repository(of: Pokemon.self).delete(where: .all(of: []))
      }
    }
    let lines = logger.lines.withLock(\.self).filter { !$0.contains("pragma") && !$0.contains("sqlite_schema") }
    let shapes = lines.map { line in
      line.replacing(/\d+\.\d{3} ms/, with: "… ms")
    }
    #expect(shapes.contains(#"SELECT "id", "name" FROM "pokemon" WHERE "id" = ? (… ms, 1 row)"#), "\(shapes)")
    #expect(shapes.contains { $0.hasPrefix(#"INSERT INTO "pokemon""#) && $0.hasSuffix("(… ms, 1 row changed)") })
    #expect(shapes.contains { $0.hasPrefix("BEGIN") } && shapes.contains { $0.hasPrefix("COMMIT") })
    #expect(shapes.contains(#"DELETE FROM "pokemon" (… ms, 3 rows changed)"#))
    #expect(!lines.contains { $0.contains("Pikachu") })
  }

  @Test("slow statements alone, with their values")
  func slowStatements() {
    let logger = Logger()
    let slow = StatementObserver(includingValues: true) { event in
      guard event.duration > .milliseconds(100) else { return }
      logger.warning("\(event), \(event.values?.count ?? 0) values", metadata: [:])
    }
    _ = slow
    #expect(logger.lines.withLock { $0.count } == 0)
  }

  @Test("each connection is prepared")
  func connections() async throws {
    let path = folder.path("a.sqlite")
    try await SQLiteStore(path: path).repository(of: Pokemon.self).save([
      Pokemon(id: 2, name: "Ärgernis Zwei"), Pokemon(id: 1, name: "Zorn Eins"),
    ])
    let prepared = try SQLiteStore(path: path) { connection in
      try connection.execute("PRAGMA cache_size = \(-20_000)")
      try connection.define(function: "initials", arguments: 1) { values in
        guard case .text(let name) = values[0] else { return .null }
        return .text(name.split(separator: " ").map { String($0.prefix(1)) }.joined())
      }
      try connection.define(collation: "german") { $0.compare($1, locale: Locale(identifier: "de")) }
    }
    let names = try await prepared.sql.query(
      "SELECT initials(name) FROM pokemon ORDER BY name COLLATE german", as: String.self)
    #expect(names == ["ÄZ", "ZE"])
  }

  @Test("a key is refused where nothing is encrypted")
  func key() throws {
    let path = folder.path("secret.sqlite")
    let error = #expect(throws: RepositoryError.self) { try open(path, key: "o'pen") }
    #expect(error?.code == .unsupported)
    #expect(error?.suggestion?.contains("SQLCipher") == true)
  }

  @Test("every line of Swift in it stands in this file")
  func snippets() throws {
    let (count, missing) = try Article("Sources/SQLiteStore/SQLiteStore.docc/SeeWhatHappens.md").snippets()
    #expect(missing == [])
    #expect(count > 20)
  }
}
