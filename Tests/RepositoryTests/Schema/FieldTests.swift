import Foundation
import Query
import Repository
import Testing

@Suite("A closure over a model type makes the query that it says")
struct FieldTests {
  private static let date = Date(timeIntervalSinceReferenceDate: 800_000_000)

  static let comparisons: [(AnyQuery, AnyQuery)] = [
    (AnyQuery(Creature.self) { $0.attack == 5 }, .equal(key: "attack", value: 5)),
    (AnyQuery(Creature.self) { $0.attack != 5 }, .notEqual(key: "attack", value: 5)),
    (AnyQuery(Creature.self) { $0.attack < 5 }, .lessThan(key: "attack", value: 5)),
    (AnyQuery(Creature.self) { $0.attack <= 5 }, .lessThanOrEqual(key: "attack", value: 5)),
    (AnyQuery(Creature.self) { $0.attack > 5 }, .greaterThan(key: "attack", value: 5)),
    (AnyQuery(Creature.self) { $0.attack >= 5 }, .greaterThanOrEqual(key: "attack", value: 5)),
    (AnyQuery(Creature.self) { $0.attack.between(1, 5) }, .between(key: "attack", lhs: 1, rhs: 5)),
    (AnyQuery(Creature.self) { $0.attack.in([1, 5]) }, .in(key: "attack", values: [1, 5])),
    (AnyQuery(Creature.self) { $0.weight > 90 }, .greaterThan(key: "weight", value: 90.0)),
    (AnyQuery(Creature.self) { $0.name == "é" }, .equal(key: "name", value: "é")),
    (AnyQuery(Creature.self) { $0.isRare == true }, .equal(key: "rare", value: 1)),
  ]

  static let columnsThatMayBeNull: [(AnyQuery, AnyQuery)] = [
    (AnyQuery(Creature.self) { $0.height == nil }, .isNull(key: "height")),
    (AnyQuery(Creature.self) { $0.height != nil }, .isNotNull(key: "height")),
    (AnyQuery(Creature.self) { $0.height < 1.5 }, .lessThan(key: "height", value: 1.5)),
    (AnyQuery(Creature.self) { $0.nickname == "Bud" }, .equal(key: "nickname", value: "Bud")),
    (AnyQuery(Creature.self) { $0.nickname.in(["Bud", nil]) }, .in(key: "nickname", values: ["Bud", nil])),
    (AnyQuery(Creature.self) { $0.height.between(nil, 2) }, .between(key: "height", lhs: Double?.none, rhs: 2.0)),
    (AnyQuery(Creature.self) { $0.seen >= date }, .greaterThanOrEqual(key: "seen", value: date)),
  ]

  static let enums: [(AnyQuery, AnyQuery)] = [
    (AnyQuery(Creature.self) { $0.element == .fire }, .equal(key: "element", value: "fire")),
    (AnyQuery(Creature.self) { $0.element.in([.fire, .water]) }, .in(key: "element", values: ["fire", "water"])),
    (AnyQuery(Creature.self) { $0.secondElement != .grass }, .notEqual(key: "second_element", value: "grass")),
    (AnyQuery(Creature.self) { $0.secondElement == nil }, .isNull(key: "second_element")),
  ]

  static let keys: [(AnyQuery, AnyQuery)] = [
    (AnyQuery(Creature.self) { $0.attack == $0.defense }, .equal(key: "attack", otherKey: "defense")),
    (AnyQuery(Creature.self) { $0.attack != $0.defense }, .notEqual(key: "attack", otherKey: "defense")),
    (AnyQuery(Creature.self) { $0.attack < $0.defense }, .lessThan(key: "attack", otherKey: "defense")),
    (AnyQuery(Creature.self) { $0.attack <= $0.defense }, .lessThanOrEqual(key: "attack", otherKey: "defense")),
    (AnyQuery(Creature.self) { $0.attack > $0.defense }, .greaterThan(key: "attack", otherKey: "defense")),
    (AnyQuery(Creature.self) { $0.attack >= $0.defense }, .greaterThanOrEqual(key: "attack", otherKey: "defense")),
  ]

  static let texts: [(AnyQuery, AnyQuery)] = [
    (AnyQuery(Creature.self) { $0.name.contains("a") }, .contains(key: "name", value: "a")),
    (AnyQuery(Creature.self) { $0.name.hasPrefix("a") }, .hasPrefix(key: "name", value: "a")),
    (AnyQuery(Creature.self) { $0.name.hasSuffix("a") }, .hasSuffix(key: "name", value: "a")),
    (AnyQuery(Creature.self) { $0.name.like("a%") }, .like(key: "name", value: "a%")),
    (
      AnyQuery(Creature.self) { $0.nickname.contains("a", ignoringCase: true) },
      .contains(key: "nickname", value: "a", ignoringCase: true)
    ),
    (
      AnyQuery(Creature.self) { $0.nickname.like("a_", ignoringCase: true) },
      .like(key: "nickname", value: "a_", ignoringCase: true)
    ),
  ]

  static let connectives: [(AnyQuery, AnyQuery)] = [
    (
      AnyQuery(Creature.self) { $0.weight > 90 && $0.element != .water },
      .greaterThan(key: "weight", value: 90.0) && .notEqual(key: "element", value: "water")
    ),
    (
      AnyQuery(Creature.self) { !($0.attack > 5) || $0.nickname == nil },
      !.greaterThan(key: "attack", value: 5) || .isNull(key: "nickname")
    ),
    (AnyQuery(Creature.self) { _ in .true }, .true),
  ]

  @Test(
    "Each operator", arguments: [comparisons, columnsThatMayBeNull, enums, keys, texts, connectives].flatMap(\.self))
  func operators(query: AnyQuery, expected: AnyQuery) {
    #expect(query == expected)
  }

  @Test("Repositories take the closure as they take the query")
  func repository() async throws {
    let creatures = AnyRepository(try MemoryRepository(Creature.samples))
    #expect(try await creatures.findAll(where: { $0.element == .fire }).map(\.id) == [1, 4])
    #expect(try await creatures.findAll(where: { $0.height == nil }).map(\.id) == [2])
    #expect(
      try await creatures.findAll(where: { $0.weight > 8 }, sortedBy: { $0.weight.descending }, limit: 2).map(\.id)
        == [4, 2])
    #expect(
      try await creatures.filter { $0.weight > 8 }.sorted { $0.weight.descending }.dropFirst(1).all().map(\.id)
        == [2, 1])
    #expect(try await creatures.first(where: { $0.attack > $0.defense }, sortedBy: { $0.attack.descending })?.id == 4)
    #expect(try await creatures.first(where: { $0.attack > 1000 }) == nil)
    #expect(try await creatures.filter { $0.secondElement != .grass }.count() == 3)
  }

  struct Draft: Entity {
    let id: Int
    var text: String
    /// No column keeps it.
    var cursor = 0
    static let schema = Schema("draft", columns: Column("id", \.id), Column("text", \.text)) { row in
      Draft(id: try row.read("id"), text: try row.read("text"))
    }
  }

  @Test("A property without a column is an error that names it")
  func unknownProperty() async throws {
    let drafts = AnyRepository(try MemoryRepository([Draft(id: 1, text: "a")]))
    let sought = await #expect(throws: RepositoryError.self) { try await drafts.findAll(where: { $0.cursor > 3 }) }
    let counted = await #expect(throws: RepositoryError.self) { try await drafts.filter { $0.cursor > 3 }.count() }
    let sorted = await #expect(throws: RepositoryError.self) {
      try await drafts.findAll(sortedBy: { $0.cursor.ascending })
    }
    for error in [sought, counted, sorted] {
      #expect(error?.code == .invalidQuery)
      #expect((error?.underlying as? QueryError)?.code == .unknownKey)
      #expect(error?.summary == "\\Draft.cursor has no column in draft")
    }
  }

  // The name of a computed property is not known at run time on every platform.
  @Test("A computed property is an error that names its type")
  func computedProperty() async throws {
    let creatures = AnyRepository(try MemoryRepository(Creature.samples))
    let error = await #expect(throws: RepositoryError.self) { try await creatures.findAll(where: { $0.density > 3 }) }
    #expect((error?.underlying as? QueryError)?.code == .unknownKey)
    #expect(error?.summary.hasSuffix(" has no column in creature") == true)
    #expect(error?.reason?.contains("a query can only use stored columns") == true)
    #expect(error?.suggestion?.hasPrefix("query the stored properties, or store the value in a column") == true)
  }

  @Test("A value that can't be stored is an error when the query is asked, not when it is made")
  func unstorableValue() async throws {
    let creatures = AnyRepository(try MemoryRepository(Creature.samples))
    let error = await #expect(throws: RepositoryError.self) { try await creatures.findAll(where: { $0.weight > .nan }) }
    #expect(error?.code == .invalidQuery)
    #expect((error?.underlying as? QueryError)?.code == .invalidValue)
  }
}

@Suite("An order by properties is the order by their keys")
struct SortTests {
  @Test("Each form")
  func forms() {
    let cases: [(AnySort, String)] = [
      (AnySort(Creature.self, \.weight.ascending), "weight"),
      (AnySort(Creature.self) { $0.weight.descending }, "weight desc"),
      (AnySort(Creature.self) { $0.secondElement.ascending(nulls: .last) }, "second_element nulls last"),
      (AnySort(Creature.self) { $0.height.descending(nulls: .first) }, "height desc nulls first"),
      (AnySort(Creature.self) { $0.weight.descending + $0.name.ascending }, "weight desc, name"),
      (
        AnySort(Creature.self) { $0.isRare.ascending + $0.element.ascending + $0.id.descending },
        "rare, element, id desc"
      ),
      (AnySort(Creature.self) { $0.name.length.descending }, "length(name) desc"),
      (AnySort(Creature.self) { _ in .primaryKey }, ""),
    ]
    for (sort, text) in cases { #expect(sort.description == text) }
  }

  @Test("Repositories sort by properties")
  func repository() async throws {
    let creatures = AnyRepository(try MemoryRepository(Creature.samples))
    #expect(try await creatures.findAll(sortedBy: { $0.weight.descending }).map(\.id) == [4, 2, 1, 3])
    #expect(try await creatures.findAll(sortedBy: { $0.height.ascending }).map(\.id) == [2, 1, 3, 4])
    #expect(try await creatures.findAll(sortedBy: { $0.height.ascending(nulls: .last) }, limit: 2).map(\.id) == [1, 3])
    #expect(
      try await creatures.sorted { $0.element.ascending + $0.weight.descending }.dropFirst(1).all().map(\.id)
        == [1, 3, 2])
  }
}
