import Observation
import Repository
import TestSupport
import Testing

#if canImport(SwiftUI)
  import SwiftUI
#endif

/// Runs what the article *Live results in views* says.
@MainActor
@Suite("The article Live results in views tells the truth")
struct LiveResultsArticleTests {
  struct Pokemon: Entity {
    let id: Int
    var name: String
    var weight: Double

    static let schema = Schema<Pokemon>(table: "pokemon") {
      Parameters(of: Pokemon.init)
      Column("id", \.id)
      Column("name", \.name)
      Column("weight", \.weight)
    }
  }

  struct Caught: Entity {
    let id: Int

    static let schema = Schema<Caught>(table: "caught") {
      Parameters(of: Caught.init)
      Column("id", \.id)
    }
  }

  struct Summary: Equatable {
    var caught: Int
    var heavy: [String]
  }

  func summaries(
    of store: any Store, _ pokedex: AnyRepository<Pokemon>, _ caught: AnyRepository<Caught>
  ) -> ValueChanges<Summary> {
    store.changes { _ in
      Summary(
        caught: try await caught.count(),
        heavy: try await pokedex.findAll(where: { $0.weight > 90 }).map(\.name))
    }
  }

  @MainActor
  @Observable
  final class HeavyPokemon {
    private(set) var pokemon: [Pokemon] = []
    private(set) var problem: String?

    /// Follows the store until the task is cancelled.
    func follow(_ pokedex: AnyRepository<Pokemon>, heavierThan weight: Double) async {
      problem = nil
      do {
        for try await result in pokedex.filter({ $0.weight > weight }).sorted(by: { $0.weight.descending }).changes() {
          pokemon = result
        }
      } catch {
        problem = "\(error)"
      }
    }
  }

  #if canImport(SwiftUI)
    struct HeavyList: View {
      let pokedex: AnyRepository<Pokemon>
      @State private var model = HeavyPokemon()
      @State private var weight = 90.0

      var body: some View {
        List(model.pokemon, id: \.id) { pokemon in
          Text(pokemon.name)
        }
        .task(id: weight) { await model.follow(pokedex, heavierThan: weight) }
      }
    }
  #endif

  private let pokedex: AnyRepository<Pokemon>
  private let model = HeavyPokemon()

  init() throws {
    pokedex = AnyRepository(
      try MemoryRepository([
        Pokemon(id: 6, name: "Charizard", weight: 90.5), Pokemon(id: 25, name: "Pikachu", weight: 6),
      ]))
  }

  func rename(_ pokemon: Pokemon, to name: String) async throws {
    try await pokedex.filter { $0.id == pokemon.id }.update { $0.name = name }
  }

  /// Waits for what a view would show next.
  private func shown(_ names: [String]) async {
    while model.pokemon.map(\.name) != names { await Task.yield() }
  }

  @Test("a model follows the store, until its task is cancelled")
  func following() async throws {
    let task = Task { await model.follow(pokedex, heavierThan: 90) }
    await shown(["Charizard"])
    try await pokedex.save(Pokemon(id: 143, name: "Snorlax", weight: 460))
    await shown(["Snorlax", "Charizard"])
    try await rename(model.pokemon[1], to: "Glurak")
    await shown(["Snorlax", "Glurak"])
    try await pokedex.delete(143)
    await shown(["Glurak"])
    task.cancel()
    await task.value
    #expect(model.problem == nil)
  }

  @Test("an error ends it, and is kept")
  func failure() async throws {
    struct Silent: RepositoryDecorator {
      let base: AnyRepository<Pokemon>
      func changes(_ request: FetchRequest) -> Changes<Pokemon> {
        base.changes(FetchRequest(.equal(key: "none", value: 1)))
      }
    }
    await model.follow(AnyRepository(Silent(base: pokedex)), heavierThan: 90)
    #expect(model.problem?.contains("none") == true)
  }

  @Test("several things are read at once, and given anew when one of them differs")
  func severalThings() async throws {
    let store = MemoryStore()
    let pokedex = try store.repository(of: Pokemon.self)
    let caught = try store.repository(of: Caught.self)
    var values = summaries(of: store, pokedex, caught).makeAsyncIterator()
    #expect(try await values.next() == Summary(caught: 0, heavy: []))
    try await pokedex.save(Pokemon(id: 25, name: "Pikachu", weight: 6))
    try await store.transaction { _ in
      try await pokedex.save(Pokemon(id: 143, name: "Snorlax", weight: 460))
      try await caught.save(Caught(id: 143))
    }
    #expect(try await values.next() == Summary(caught: 1, heavy: ["Snorlax"]))
  }

  @Test("each line of its code is one that is run here, or compiled where there is SwiftUI")
  func article() throws {
    let snippets = try Article("Sources/Repository/Repository.docc/LiveResults.md").snippets(in: #filePath)
    #expect(snippets.count > 25)
    #expect(snippets.missing == [])
  }
}
