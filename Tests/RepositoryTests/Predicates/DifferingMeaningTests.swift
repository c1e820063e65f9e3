import Foundation
import Repository
import Testing
import TestSupport

@Suite("Where a query means something else than Foundation's predicate")
struct DifferingMeaningTests {
  @Test("Texts are compared by their bytes, not by what they look like")
  func canonicalEquivalence() throws {
    let composed = try meanings(of: #Predicate { $0.name == "\u{E9}" }, name: "e\u{301}")
    #expect(composed.predicate && !composed.query)
    let different = try meanings(of: #Predicate { $0.name != "\u{E9}" }, name: "e\u{301}")
    #expect(!different.predicate && different.query)
    let listed = ["\u{E9}"]
    let list = try meanings(of: #Predicate { listed.contains($0.name) }, name: "e\u{301}")
    #expect(list.predicate && !list.query)
  }

  @Test("Texts are ordered by their bytes")
  func order() throws {
    let order = try meanings(of: #Predicate { $0.name < "f" }, name: "e\u{301}")
    #expect(!order.predicate && order.query)
  }

  @Test("A text is found in another amid a character")
  func characters() throws {
    let part = try meanings(of: #Predicate { $0.name.contains("e") }, name: "e\u{301}")
    #expect(!part.predicate && part.query)
    let start = try meanings(of: #Predicate { $0.name.starts(with: "e") }, name: "e\u{301}")
    #expect(!start.predicate && start.query)
    let lineEnd = try meanings(of: #Predicate { $0.name.contains("\n") }, name: "a\r\nb")
    #expect(!lineEnd.predicate && lineEnd.query)
  }

  // Foundation's `evaluate` ends the process here (Swift 6.3 on Linux).
  @Test("A range of properties whose bounds are in the wrong order holds nothing")
  func crossedBounds() throws {
    var animal = Animal.example
    (animal.legs, animal.wings) = (4, 2)
    let predicate = #Predicate<Animal> { ($0.legs...$0.wings).contains(3) }
    #expect(try MemoryRepository([animal]).count(AnyQuery(predicate)) == 0)
  }

  @Test("Dates are compared as they are stored, to the nanosecond")
  func dates() throws {
    var animal = Animal.example
    animal.born = Date(timeIntervalSinceReferenceDate: 0.1 + 1e-12)
    let birth = Date(timeIntervalSinceReferenceDate: 0.1)
    let predicate = #Predicate<Animal> { $0.born == birth }
    #expect(try !predicate.evaluate(animal))
    #expect(try MemoryRepository([animal]).count(AnyQuery(predicate)) == 1)
  }

  @Test("Captured values are compared with each other as Swift does")
  func capturedTexts() throws {
    let captured = "e\u{301}"
    #expect(try AnyQuery(#Predicate<Animal> { _ in captured == "\u{E9}" }) == .true)
    #expect(try AnyQuery(#Predicate<Animal> { _ in captured.contains("e") }) == .false)
  }

  /// Whether a predicate and the query that is made from it mean an animal of some name.
  private func meanings(
    of predicate: Predicate<Animal>, name: String
  ) throws -> (predicate: Bool, query: Bool) {
    var animal = Animal.example
    animal.name = name
    return (try predicate.evaluate(animal), try MemoryRepository([animal]).count(AnyQuery(predicate)) == 1)
  }
}

extension Animal {
  fileprivate static var example: Animal {
    var generator = RandomAnimals(random: SplitMix64(seed: 1))
    return generator.animals(1)[0]
  }
}
