import SQLiteStore
import Testing

extension Workshop {
  /// A folder with the five Pokémon, and tables that refer to them: notes that go with a Pokémon, and teams that lose it.
  static func withReferences() async throws -> Workshop {
    let workshop = try await withPokemon()
    try workshop.execute(
      "p.sqlite",
      "CREATE TABLE note (id INTEGER PRIMARY KEY, pokemon INTEGER REFERENCES pokemon ON DELETE CASCADE, text TEXT)",
      "INSERT INTO note (pokemon, text) VALUES (6, 'hot'), (6, 'red'), (25, 'loud')",
      "CREATE TABLE team (id INTEGER PRIMARY KEY, lead INTEGER REFERENCES pokemon ON DELETE SET NULL)",
      "INSERT INTO team VALUES (1, 6), (2, 4)")
    return workshop
  }

  /// Runs statements on a database, which is made if there is none, as another program would.
  func execute(_ database: String, _ statements: String...) throws {
    let store = try SQLiteStore(path: "\(path)/\(database)", journal: .unchanged)
    for statement in statements { try store.sql.execute(SQLStatement(verbatim: statement)) }
  }

  /// Runs the tool, and expects that it does nothing to a database.
  func runUnchanged(
    _ arguments: [String], database: String = "p.sqlite", sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Outcome {
    let (bytes, names) = (try read(database), try files())
    let outcome = try await run(arguments)
    #expect(try read(database) == bytes, sourceLocation: sourceLocation)
    #expect(try files() == names, sourceLocation: sourceLocation)
    return outcome
  }

  /// The first columns of a table's rows, by key.
  func lines(_ table: String, _ columns: String, in database: String = "p.sqlite") async throws -> [String] {
    let outcome = try await run(["query", database, table, "--columns", columns, "--format", "tsv"])
    try #require(outcome.status == 0, "\(outcome.messages)")
    return outcome.output.split(separator: "\n").dropFirst().map(String.init)
  }
}
