import ErrorHandling
import Repository
import Testing

@testable import pokedex

@Suite("A Pokédex over a repository in memory")
struct PokedexTests {
  let pokedex: Pokedex

  init() throws {
    pokedex = Pokedex(AnyRepository(try MemoryRepository(Pokemon.samples)))
  }

  @Test("Without a filter it lists all entries by number")
  func listsAll() async throws {
    #expect(try await pokedex.list().map(\.number) == [1, 6, 16, 29, 83, 143, 150, 151])
  }

  @Test(
    "A filter leaves the others out",
    arguments: [
      (PokemonFilter(type: .fire), ["Charizard"]),
      (PokemonFilter(type: .flying), ["Charizard", "Pidgey", "Farfetch'd"]),
      (PokemonFilter(type: .poison), ["Bulbasaur", "Nidoran♀"]),
      (PokemonFilter(type: .dragon), []),
      (PokemonFilter(habitat: .mountain), ["Charizard", "Snorlax"]),
      (PokemonFilter(heavierThan: 90.5), ["Snorlax", "Mewtwo"]),
      (PokemonFilter(lighterThan: 6.9), ["Pidgey", "Mew"]),
      (PokemonFilter(heavierThan: 4, lighterThan: 15), ["Bulbasaur", "Nidoran♀"]),
      (PokemonFilter(nameContains: "MEW"), ["Mewtwo", "Mew"]),
      (PokemonFilter(isLegendary: true), ["Mewtwo", "Mew"]),
      (PokemonFilter(type: .psychic, heavierThan: 100), ["Mewtwo"]),
      (PokemonFilter(query: .greaterThan(key: "attack", otherKey: "speed")), ["Farfetch'd", "Snorlax"]),
      (PokemonFilter(type: .normal, query: !.isNull(key: "type2")), ["Pidgey", "Farfetch'd"]),
      (
        PokemonFilter(query: .notEqual(key: "habitat", value: Habitat.rare) && .isNull(key: "type2")),
        ["Nidoran♀", "Snorlax"]
      ),
    ] as [(PokemonFilter, [String])])
  func filters(filter: PokemonFilter, names: [String]) async throws {
    #expect(try await pokedex.list(filter).map(\.name) == names)
  }

  @Test("Entries are sorted and counted off as told")
  func sorts() async throws {
    #expect(try await pokedex.list(sortedBy: .descending(key: "weight"), limit: 3).map(\.number) == [143, 150, 6])
    #expect(
      try await pokedex.list(sortedBy: .ascending(key: "habitat", nulls: .last)).map(\.number).suffix(2) == [29, 83])
    #expect(try await pokedex.list(limit: 0) == [])
  }

  @Test(
    "An entry is found by its number and by its names",
    arguments: [
      ("151", 151), ("Mew", 151), ("mew", 151), ("MEWTWO", 150), ("ミュウ", 151), ("nidoran♀", 29), ("Farfetch'd", 83),
    ])
  func finds(nameOrNumber: String, id: Int) async throws {
    #expect(try await pokedex.entry(nameOrNumber).number == id)
  }

  @Test(
    "Where there is no entry, similar names are suggested",
    arguments: [
      ("Mewtoo", ["Mewtwo", "Mew"]), ("saur", ["Bulbasaur"]), ("Pikachu", []), ("7", []), ("%", []), ("M_w", []),
      ("Char\\", ["Charizard"]),
    ])
  func suggests(nameOrNumber: String, similar: [String]) async throws {
    let error = await #expect(throws: DomainError.self) { try await pokedex.entry(nameOrNumber) }
    #expect(error?.code == .notFound && error?.summary == "there is no Pokémon \(nameOrNumber)")
    #expect(error?.suggestion == (similar.isEmpty ? nil : "did you mean \(similar.joined(separator: ", "))?"))
  }

  @Test("The highlights are the heaviest, the fastest that are not legendary, and the legendary")
  func highlights() async throws {
    let highlights = try await pokedex.highlights()
    #expect(highlights.count == 8)
    #expect(highlights.heaviest.map(\.number) == [143, 150, 6, 83, 29])
    #expect(highlights.fastest.map(\.number) == [6, 83, 16, 1, 29])
    #expect(highlights.legendary.map(\.number) == [150, 151])
  }

  @Test("Two entries of one name are not added, and what was there stays")
  func conflict() async throws {
    let error = await #expect(throws: DomainError.self) {
      try await pokedex.add([.sample(152, "Chikorita"), .sample(153, "Mew")])
    }
    #expect(error?.code == .conflict)
    #expect(try await pokedex.list().count == 8)
  }
}
