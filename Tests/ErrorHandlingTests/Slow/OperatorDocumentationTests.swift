import ErrorHandling
import Foundation
import Repository
import Testing

private struct Pokemon: Entity {
  let id: Int
  var name: String
  var weight: Double

  static let schema = Schema(
    "pokemon", Pokemon.init, Column("id", \.id), Column("name", \.name), Column("weight", \.weight))
}

struct CreatingTable<Element: Storable>: FailurePolicy {
  let create: @Sendable () async throws(RepositoryError) -> Void

  func answer(to failure: FailedOperation) async throws(RepositoryError) -> FailureAnswer<Element> {
    guard failure.error.code == .missingTable, failure.count == 1 else { throw failure.error }
    try await create()
    return .retry
  }
}

// As the comments show it, which is shorter than the layout of other code.
// swift-format-ignore
@Suite("The examples in comments on operators and layers run")
struct OperatorDocumentationTests {
  private let journal = Journal()
  private let bulbasaur = Pokemon(id: 1, name: "Bulbasaur", weight: 6.9)
  private let charmander = Pokemon(id: 4, name: "Charmander", weight: 8.5)
  private let squirtle = Pokemon(id: 7, name: "Squirtle", weight: 9)

  private func log(_ line: String) { journal.write(line) }
  private func show(_ pokemon: [Pokemon]) { journal.write("\(pokemon.map(\.name))") }
  private func createTable() throws(RepositoryError) { journal.write("created") }

  @Test("of trying again and asking elsewhere")
  func operators() async throws {
    let backoff = Backoff.exponential(from: .milliseconds(20), atMost: .seconds(1))
    do {
      let pokedex = try UnreliableRepository([bulbasaur], failing: .busy, .timeout)
      let patient = pokedex.retrying(5, backoff: .exponential(from: .milliseconds(20)))
      #expect(try await patient.get(1).name == "Bulbasaur")
      _ = pokedex.retrying(backoff: backoff)
    }
    do {
      let backup = try MemoryRepository([bulbasaur])
      let pokedex = try UnreliableRepository<Pokemon>(failing: .corrupt)
      let robust = pokedex.catching { error in error.code == .corrupt ? backup : nil }
      #expect(try await robust.get(1).name == "Bulbasaur")
    }
    do {
      let pokedex = try UnreliableRepository<Pokemon>(failing: .cannotOpen)
      let starters = try MemoryRepository([bulbasaur, charmander, squirtle])
      let lenient = pokedex.replacingErrors(with: starters)
      #expect(try await lenient.count() == 3)
    }
    do {
      let pokedex = try UnreliableRepository([bulbasaur], failing: .missingTable)
      let created = pokedex.handlingFailures(by: CreatingTable { () throws(RepositoryError) in try createTable() })
      #expect(try await created.get(1).name == "Bulbasaur")
    }
    do {
      let pokedex = try UnreliableRepository([bulbasaur], failing: .busy)
      let logged = pokedex.logging { failure in log("\(failure)") }
      await #expect(throws: RepositoryError.self) { try await logged.count() }
    }
    #expect(journal.lines.first == "created")
    #expect(journal.lines.last?.hasPrefix("count of Pokemon failed (busy): the Pokédex does not answer; ") == true)
  }

  @Test("of live results")
  func liveResults() async throws {
    let pokedex = try UnreliableRepository([Pokemon(id: 143, name: "Snorlax", weight: 460)])
    await withThrowingTaskGroup { group in
      group.addTask {
        for try await heavy in pokedex.filter({ $0.weight > 90 }).changes().retrying(10) { show(heavy) }
      }
      while journal.lines.isEmpty { await Task.yield() }
      group.cancelAll()
    }
    #expect(journal.lines == ["[\"Snorlax\"]"])
  }

  @Test("of borders")
  func borders() async throws {
    let file = URL(filePath: "/no/pokedex.csv")
    func read() throws(RepositoryError) -> Data {
      do {
        return try Data(contentsOf: file)
      } catch {
        throw RepositoryError(InfrastructureError(error))
      }
    }
    let error = #expect(throws: RepositoryError.self) { try read() }
    #expect(error?.code == .cannotOpen)

    let pokemon = try MemoryRepository([bulbasaur])
    func count() async throws(DomainError) -> Int {
      try await DomainError.translating { try await pokemon.count() }
    }
    #expect(try await count() == 1)
  }

  @Test("each line of them stands in this file")
  func lines() throws {
    for (folder, count) in [("Sources/Repository/Operators", 15), ("Sources/Repository/Concurrency", 1), ("Sources/Repository/Errors", 5)] {
      let lines = try Documents.unknownLines(ofComments: folder, in: #filePath)
      #expect(lines.unknown == [])
      #expect(lines.count >= count)
    }
  }
}
