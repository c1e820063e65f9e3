import Foundation
import Repository
import Testing

@Suite("What no query can say is refused by name when the query is built")
struct RefusalTests {
  @Test("Expressions", arguments: RefusalCase.expressions + RefusalCase.forceUnwraps)
  func expressions(_ refusal: RefusalCase) { refusal.check() }

  @Test("Expressions that are built by hand", arguments: RefusalCase.builtByHand)
  func builtByHand(_ refusal: RefusalCase) { refusal.check() }

  @Test("Properties", arguments: RefusalCase.properties)
  func properties(_ refusal: RefusalCase) { refusal.check() }

  @Test("Values", arguments: RefusalCase.values)
  func values(_ refusal: RefusalCase) { refusal.check() }

  @Test("An enum whose order takes different cases for alike is refused")
  func tiedCases() {
    let calm = Pet.Mood.calm
    #expect(throws: QueryError.self) { try AnyQuery(#Predicate<Pet> { $0.mood < calm }) }
  }

  private struct Pet: Entity {
    enum Mood: String, ValueConvertible, Codable, CaseIterable, Comparable {
      case angry, calm, bored

      static func < (lhs: Mood, rhs: Mood) -> Bool { lhs == .angry && rhs != .angry }
    }

    let id: Int
    var mood: Mood

    static let schema = Schema("pet", Pet.init, Column("id", \.id), Column("mood", \.mood))
  }

  @Test("The error tells what to compare instead")
  func suggestion() {
    let error = #expect(throws: QueryError.self) { try AnyQuery(#Predicate<Animal> { $0.family.rawValue == "cat" }) }
    #expect(error?.suggestion == "compare \\Animal.family as a whole")
  }

  @Test("An error holds no captured values")
  func captured() {
    let secret = "secret"
    let error = #expect(throws: QueryError.self) { try AnyQuery(#Predicate<Animal> { secret.contains($0.name) }) }
    #expect(error?.description.contains(secret) == false)
  }

  @Test("A repository throws the same as an invalid query")
  func repository() async throws {
    let animals = AnyRepository(try MemoryRepository<Animal>())
    let error = await #expect(throws: RepositoryError.self) {
      _ = try await animals.findAll(where: #Predicate { $0.legs % 2 == 0 })
    }
    #expect(error?.code == .invalidQuery)
    #expect((error?.underlying as? QueryError)?.code == .unsupportedPredicate)
  }
}

extension RefusalCase {
  /// Translates the predicate and compares the error.
  fileprivate func check() {
    let error = #expect(throws: QueryError.self) { try AnyQuery(predicate) }
    #expect(error?.code == code)
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
  }
}
