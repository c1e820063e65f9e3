import Foundation
import Repository
import TestSupport
import Testing

@Suite("A query finds what the predicate finds that it was made from")
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

  /// The keys of the animals that a query means.
  func found(_ query: AnyQuery) throws -> [Int] {
    let resolved = try query.resolved(in: table)
    return zip(animals, rows).filter { resolved.matches($1) }.map(\.0.id)
  }

  /// The keys of the animals that a predicate means.
  func found(_ predicate: Predicate<Animal>) throws -> [Int] {
    try animals.filter { try predicate.evaluate($0) }.map(\.id)
  }
}
