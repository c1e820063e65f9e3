import Foundation
import Repository
import TestSupport
import Testing

@Suite("A query finds the same rows as its predicate")
struct PredicateDifferentialTests {
  /// Those that Foundation's `evaluate` can answer for every animal.
  static let cases = [
    TranslationCase.comparisons, TranslationCase.nilTests, TranslationCase.coalescing, TranslationCase.chains,
    TranslationCase.chainsOfConditions,
    TranslationCase.lists, TranslationCase.ranges, TranslationCase.texts, TranslationCase.logic,
    TranslationCase.capturedValues,
  ].flatMap(\.self)

  @Test("Every form that is supported, over random animals", arguments: SplitMix64.seeds)
  func everyForm(seed: UInt64) throws {
    var generator = RandomAnimals(random: SplitMix64(seed: seed))
    let zoo = try Zoo(generator.animals(150))
    for example in Self.cases {
      let query = try AnyQuery(example.predicate)
      #expect(try zoo.found(query) == zoo.found(example.predicate), "seed \(seed), \(example.source)")
    }
  }

  @Test("Random predicates over random animals", arguments: SplitMix64.seeds)
  func randomPredicates(seed: UInt64) throws {
    var generator = RandomAnimals(random: SplitMix64(seed: seed))
    let zoo = try Zoo(generator.animals(50))
    var predicates = RandomPredicates(random: generator.random)
    var partial = 0
    for _ in 0..<400 {
      let predicate = predicates.predicate()
      let query = try AnyQuery(predicate)
      let (found, expected) = (try zoo.found(query), try zoo.found(predicate))
      if found != expected {
        Issue.record("seed \(seed)\n\(predicate)\n\(query)\nfound \(found)\nexpected \(expected)")
        return
      }
      if !expected.isEmpty, expected.count < zoo.animals.count { partial += 1 }
    }
    // Otherwise the predicates tell nothing.
    #expect(partial > 150, "seed \(seed)")
  }

  @Test("Ranges of properties, where their bounds are in order", arguments: SplitMix64.seeds)
  func rangesOfProperties(seed: UInt64) throws {
    var generator = RandomAnimals(random: SplitMix64(seed: seed))
    let zoo = try Zoo(generator.animals(150).filter { $0.legs <= $0.wings && $0.legs <= 9 })
    for example in TranslationCase.rangesOfProperties {
      #expect(try zoo.found(AnyQuery(example.predicate)) == zoo.found(example.predicate), "seed \(seed)")
    }
  }
}

/// Animals and the rows that keep them.
private struct Zoo {
  let animals: [Animal]
  private let table: TableSchema
  private let rows: [[Value]]

  init(_ animals: [Animal]) throws {
    let table = try Animal.schema.table()
    self.animals = animals
    self.table = table
    rows = try animals.map { try Animal.schema.row(from: $0, in: table) }
  }

  /// The keys of the animals that match a query.
  func found(_ query: AnyQuery) throws -> [Int] {
    let resolved = try query.resolved(in: table)
    return zip(animals, rows).filter { resolved.matches($1) }.map(\.0.id)
  }

  /// The keys of the animals that a predicate means.
  func found(_ predicate: Predicate<Animal>) throws -> [Int] {
    try animals.filter { try predicate.evaluate($0) }.map(\.id)
  }
}

@Suite("Where a query means something else than Foundation's predicate")
struct DifferingMeaningTests {
  @Test("Texts compare by their bytes, not by their appearance")
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
    #expect(try MemoryRepository([animal]).blocking.count(AnyQuery(predicate)) == 0)
  }

  @Test("Dates are compared as they are stored, to the nanosecond")
  func dates() throws {
    var animal = Animal.example
    animal.born = Date(timeIntervalSinceReferenceDate: 0.1 + 1e-12)
    let birth = Date(timeIntervalSinceReferenceDate: 0.1)
    let predicate = #Predicate<Animal> { $0.born == birth }
    #expect(try !predicate.evaluate(animal))
    #expect(try MemoryRepository([animal]).blocking.count(AnyQuery(predicate)) == 1)
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
    return (try predicate.evaluate(animal), try MemoryRepository([animal]).blocking.count(AnyQuery(predicate)) == 1)
  }
}

extension Animal {
  fileprivate static var example: Animal {
    var generator = RandomAnimals(random: SplitMix64(seed: 1))
    return generator.animals(1)[0]
  }
}
