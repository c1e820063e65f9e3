import ErrorHandling
import Repository
import Testing

@testable import pokedex

@Suite("An error on its way up, from what keeps the rows to the person who asked")
struct LayerTests {
  /// Notes alerts, and answers none.
  private actor Notes: AlertPresenter {
    var titles: [String] = []

    func ask(_ alert: Alert) -> Alert.Answer {
      titles.append(alert.title)
      return .dismiss
    }
  }

  private func present(_ error: (any Error)?) async throws -> (titles: [String], status: Int32) {
    let notes = Notes()
    let status = await ErrorPresenter(notes).present(try #require(error))
    return (await notes.titles, status)
  }

  @Test("a file that is not there")
  func infrastructure() async throws {
    let error = #expect(throws: InfrastructureError.self) { try PokedexCSV.read(path: "/no/pokedex.csv") }
    #expect(error?.code == .inputOutput && error?.underlying != nil)
    let shown = try await present(error)
    #expect(shown.titles.count == 1 && shown.status == 1)
  }

  @Test(
    "an error of the repository",
    arguments: [
      (.busy, .unavailable, 1), (.corrupt, .broken, 1), (.invalidQuery, .invalidRequest, 2),
      (.cancelled, .cancelled, 1),
    ] as [(RepositoryError.Code, DomainError.Code, Int32)])
  func repository(code: RepositoryError.Code, domain: DomainError.Code, status: Int32) async throws {
    let broken = try MemoryRepository<Pokemon>().mappingErrors { _ in RepositoryError(code, "the rows can't be read") }
    let pokedex = Pokedex(AnyRepository(broken))
    let error = await #expect(throws: DomainError.self) {
      try await pokedex.list(PokemonFilter(query: .equal(key: "wieght", value: 1)))
    }
    #expect(error?.code == domain && (error?.underlying as? RepositoryError)?.code == code)
    let shown = try await present(error)
    #expect(shown.titles == (code == .cancelled ? [] : ["The rows can't be read"]) && shown.status == status)
  }

  @Test(
    "a row that no Pokémon can have",
    arguments: [
      (Pokemon.sample(152, "Chikorita", "", .grass, .grass), "its two types are the same"),
      (Pokemon.sample(152, "Chikorita", weight: 0), "it has no height or no weight"),
    ])
  func translation(row: Pokemon, reason: String) async throws {
    let rows = AnyRepository(try MemoryRepository([row]))
    let error = await #expect(throws: DomainError.self) { try await Pokedex(rows).entry("152") }
    #expect(error?.code == .translationFailed && error?.reason == reason)
    let refused = await #expect(throws: DomainError.self) { try await Pokedex(rows).add([row]) }
    #expect(refused?.code == .translationFailed)
    let shown = try await present(error)
    #expect(shown.titles == ["No. 152 is no Pokémon"] && shown.status == 1)
  }

  @Test("a name that nobody has")
  func domain() async throws {
    let pokedex = Pokedex(AnyRepository(try MemoryRepository(Pokemon.samples)))
    let error = await #expect(throws: DomainError.self) { try await pokedex.entry("Mewtoo") }
    let shown = try await present(error)
    #expect(shown.titles == ["There is no Pokémon Mewtoo"] && shown.status == 2)
  }
}
