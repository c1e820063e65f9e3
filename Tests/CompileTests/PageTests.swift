import TestSupport
import Testing

/// Checks the examples that no test runs, because they need a server or open a file of a name of their own.
@Suite("The examples of pages that no test runs")
struct PageTests {
  /// What the examples speak of.
  private static let model = """
    import Foundation
    import PostgresStore
    import RepositoryTesting
    import SQLiteStore

    struct Pokemon: Entity {
      let id: Int
      var name: String
      var type: PokemonType
      var secondType: String?
      var weight: Double

      static let schema = Schema(
        "pokemon", Pokemon.init, Column("id", \\.id), Column("name", \\.name), Column("type", \\.type),
        Column("second_type", \\.secondType), Column("weight", \\.weight))
    }
    enum PokemonType: String, Codable, ValueConvertible { case fire, grass, water }
    func PokemonAPI() throws -> MemoryRepository<Pokemon> { try MemoryRepository() }

    """

  @Test(
    "compile", .tags(.slow),
    arguments: [
      "Query/Query.docc/Query.md", "Repository/Repository.docc/Predicates.md",
      "Repository/Repository.docc/Repository.md",
      "SQLiteStore/SQLiteStore.docc/SQLiteStore.md", "PostgresStore/PostgresStore.docc/PostgresStore.md",
      "RepositoryTesting/RepositoryTesting.docc/RepositoryTesting.md",
    ])
  func compile(page: String) async throws {
    let blocks = try Article("Sources/\(page)").blocks("swift")
    try #require(!blocks.isEmpty)
    let functions = blocks.enumerated().map { number, block in
      // Within a function, where nothing is imported and no test is declared.
      let lines = block.replacing("@Test ", with: "").split(separator: "\n", omittingEmptySubsequences: false)
      return """
        func example\(number)(
          store: PostgresStore, pokedex: AnyRepository<Pokemon>, old: AnyRepository<Pokemon>, new: AnyRepository<Pokemon>,
          bulbasaur: Pokemon, charizard: Pokemon, pikachu: Pokemon, squirtle: Pokemon
        ) async throws {
        \(lines.filter { !$0.hasPrefix("import ") }.joined(separator: "\n"))}

        """
    }
    let result = try await Typechecker().check(Self.model + functions.joined())
    // What an example makes is not used in it.
    let errors = result.diagnostics.filter { !$0.message.contains("was never used") }
    #expect(errors.isEmpty, "\(result.output)")
  }
}
