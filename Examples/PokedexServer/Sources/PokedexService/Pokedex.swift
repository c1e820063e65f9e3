import PostgresStore
public import RepositoryService
import SQLiteStore

/// What the server shows.
public enum Pokedex {
  /// Opens a store: PostgreSQL where a connection string names a database, SQLite in a file otherwise.
  public static func store(connection: String?, path: String) throws(RepositoryError) -> any Store {
    if let connection { return try PostgresStore(connection) }
    return try SQLiteStore(path: path)
  }

  /// Makes the service over a store, and fills a store that is empty.
  ///
  /// - Parameters:
  ///   - store: where Pokémon and notes are kept.
  ///   - csvPath: the file with the Pokémon of an empty store; `nil` for none.
  ///   - owners: the names of those who may keep notes, by their tokens.
  public static func service(
    over store: any Store, fillingFrom csvPath: String? = nil, owners: [String: String] = [:]
  ) async throws -> RepositoryService {
    let pokedex = try store.repository(of: Pokemon.self)
    let notes = try store.repository(of: Note.self)
    if let csvPath, try await pokedex.count() == 0 { try await pokedex.save(try Pokemon.read(path: csvPath)) }
    return try RepositoryService(transactionsIn: store) {
      Route("pokemon", pokedex)
        .readingAll()
        .allowing(.textSearch, .expressions, .aggregates, .projections, .wholeResults, .liveResults)
        .writing(\.weight, \.attack, by: [.update, .updateByQuery])
      Route("note", notes)
        .readingAll().writingAll().allowing(.textSearch, .wholeResults, .liveResults)
        .authorizing { request in
          let token = request.headers["Authorization"]?.split(separator: " ").last.map(String.init)
          guard let owner = token.flatMap({ owners[$0] }) else { throw RouteRefusal.unauthenticated() }
          return .equal(key: "owner", value: owner)
        }
    }
  }
}
