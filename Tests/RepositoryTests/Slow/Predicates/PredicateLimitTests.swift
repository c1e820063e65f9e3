import Foundation
import Repository
import TestSupport
import Testing

@Suite("No predicate ends the process")
struct PredicateLimitTests {
  @Test("Nesting is followed to some depth, on a small stack too, and refused beyond")
  func depth() async throws {
    // Each level is an `&&`; the innermost one has three levels more within.
    let deepest = Self.chained(levels: 60)
    #expect(try AnyQuery(deepest).resolved(in: Animal.schema.table()).table.name == "animal")
    #expect(try await Self.canTranslateOnSmallStack(deepest))

    let tooDeep = Self.chained(levels: 61)
    expectError(.tooComplex, of: QueryError.self) { try AnyQuery(tooDeep) }
    #expect(try await !Self.canTranslateOnSmallStack(Self.chained(levels: 300)))
  }

  private static func canTranslateOnSmallStack(_ predicate: Predicate<Animal>) async throws -> Bool {
    try await SmallStack.run { (try? AnyQuery(predicate)) != nil }
  }

  @Test("Expressions nested on both sides take linear time")
  func bothSides() throws {
    // Each level has the one below twice, so the query is refused when it is asked, not when it is built.
    let query = try AnyQuery(Self.compared(levels: 60))
    #expect(throws: QueryError.self) { try query.resolved(in: Animal.schema.table()) }
  }

  @Test("A captured list of 100,000 values is one list")
  func longList() throws {
    let numbers = Array(0..<100_000)
    let query = try AnyQuery(#Predicate<Animal> { numbers.contains($0.legs) })
    #expect(query == .in(key: "legs", values: numbers))
  }

  @Test("A sequence without an end is refused")
  func endless() {
    let numbers = 1...
    expectError(of: QueryError.self, reason: "the sequence has more than 10000 elements") {
      try AnyQuery(#Predicate<Animal> { animal in numbers.contains { $0 == animal.legs } })
    }
  }

  @Test("A value in a list that can't be stored is refused")
  func unstorableElement() {
    let numbers = [1, Double.nan]
    expectError(.invalidValue, of: QueryError.self) { try AnyQuery(#Predicate<Animal> { numbers.contains($0.weight) }) }
  }

  @Test("A schema that contradicts itself is named")
  func invalidSchema() {
    expectError(.invalidSchema, of: QueryError.self) { try AnyQuery(#Predicate<Nameless> { $0.id == 1 }) }
  }

  private struct Nameless: Entity {
    let id: Int
    static let schema = Schema("", Nameless.init, Column("id", \.id))
  }

  /// `(nick ?? "a name") == "another"`, joined with itself.
  private static func chained(levels: Int) -> Predicate<Animal> {
    Predicate { animal in
      var condition: Condition = isNamed(animal)
      for _ in 0..<levels { condition = joined(condition, with: animal) }
      return condition
    }
  }

  /// `legs > 2 == isTame == isTame` and so on.
  private static func compared(levels: Int) -> Predicate<Animal> {
    Predicate { animal in
      var condition = legs(of: animal)
      for _ in 0..<levels { condition = compared(condition, with: animal) }
      return condition
    }
  }

  private typealias Condition = any StandardPredicateExpression<Bool>

  private static func legs(of animal: PredicateExpressions.Variable<Animal>) -> Condition {
    PredicateExpressions.build_Comparison(
      lhs: PredicateExpressions.build_KeyPath(root: animal, keyPath: \.legs), rhs: PredicateExpressions.build_Arg(2),
      op: .greaterThan)
  }

  private static func isNamed(
    _ animal: PredicateExpressions.Variable<Animal>
  ) -> some StandardPredicateExpression<Bool> {
    PredicateExpressions.build_Equal(
      lhs: PredicateExpressions.build_NilCoalesce(
        lhs: PredicateExpressions.build_KeyPath(root: animal, keyPath: \.nick),
        rhs: PredicateExpressions.build_Arg("a name")),
      rhs: PredicateExpressions.build_Arg("another"))
  }

  private static func joined(
    _ lhs: some StandardPredicateExpression<Bool>, with animal: PredicateExpressions.Variable<Animal>
  ) -> Condition {
    PredicateExpressions.build_Conjunction(lhs: lhs, rhs: isNamed(animal))
  }

  private static func compared(
    _ lhs: some StandardPredicateExpression<Bool>, with animal: PredicateExpressions.Variable<Animal>
  ) -> Condition {
    PredicateExpressions.build_Equal(
      lhs: lhs, rhs: PredicateExpressions.build_KeyPath(root: animal, keyPath: \.isTame))
  }
}

@Suite("Repositories take predicates where they take queries")
struct PredicateRepositoryTests {
  private static func repository() throws -> AnyRepository<Animal> {
    var generator = RandomAnimals(random: SplitMix64(seed: 7))
    var animals = generator.animals(6)
    for index in animals.indices { animals[index].legs = index + 1 }
    return AnyRepository(try MemoryRepository(animals))
  }

  @Test("Finding, counting and sorting")
  func predicates() async throws {
    let animals = try Self.repository()
    let most = 3
    #expect(try await animals.filter(#Predicate { $0.legs > most }).all().map(\.legs) == [4, 5, 6])
    #expect(
      try await animals.filter(#Predicate { $0.legs > 1 }).sorted { $0.legs.descending }.dropFirst(1).prefix(2).all()
        .map(\.legs) == [5, 4])
    #expect(try await animals.filter(#Predicate { $0.legs > 1 }).sorted { $0.legs.descending }.first()?.legs == 6)
    #expect(try await animals.filter(#Predicate { $0.legs > 6 }).first() == nil)
    #expect(try await animals.filter(#Predicate { $0.legs < 3 }).count() == 2)
    let predicate = #Predicate<Animal> { $0.legs == 1 }
    #expect(try await animals.filter(predicate).all().count == 1)
  }

  @Test("A closure is still the typed query, and a query is still a query")
  func closures() async throws {
    let animals = try Self.repository()
    #expect(try await animals.findAll(where: { $0.legs > 3 }).map(\.legs) == [4, 5, 6])
    #expect(
      try await animals.findAll(where: { $0.legs > 3 && $0.legs < 6 }, sortedBy: { $0.legs.descending }).count == 2)
    #expect(try await animals.first(where: { $0.legs > 3 })?.legs == 4)
    #expect(try await animals.filter { $0.legs > 3 }.count() == 3)
    #expect(try await animals.filter(.greaterThan(key: "legs", value: 3)).all().count == 3)
    #expect(try await animals.filter(.true).all().count == 6)
    #expect(try await animals.findAll().count == 6)
  }

  @Test("A query that was made from a predicate joins with others")
  func joined() throws {
    let query = try AnyQuery(#Predicate<Animal> { $0.legs > 3 }) && .isNull(key: "eggs")
    #expect(query.description == "legs > 3 and eggs is null")
  }
}
