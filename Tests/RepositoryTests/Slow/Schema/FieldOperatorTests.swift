import Foundation
import Query
import Repository
import Testing

@Suite("Each operator on properties makes the query that it should")
struct OperatorTests {
  @Test("Properties and values", arguments: OperatorCase.values)
  func values(_ row: OperatorCase) { #expect(row.query == row.expected) }

  @Test("Properties and properties", arguments: OperatorCase.fields)
  func fields(_ row: OperatorCase) { #expect(row.query == row.expected) }

  @Test("Lists and ranges", arguments: OperatorCase.lists)
  func lists(_ row: OperatorCase) { #expect(row.query == row.expected) }

  @Test("Texts", arguments: OperatorCase.texts)
  func texts(_ row: OperatorCase) { #expect(row.query == row.expected) }

  @Test("Conditions", arguments: OperatorCase.logic)
  func logic(_ row: OperatorCase) { #expect(row.query == row.expected) }

  @Test("What compiles is resolved: no operator compares kinds that the contract keeps apart")
  func resolution() async throws {
    let sightings = AnyRepository(try MemoryRepository<Sighting>())
    let all = [OperatorCase.values, OperatorCase.fields, OperatorCase.lists, OperatorCase.texts, OperatorCase.logic]
    for row in all.joined() {
      #expect(try await sightings.count(row.query) == 0, "\(row.query)")
    }
  }

  @Test("A Bool property is a condition wherever a closure is taken")
  func boolean() async throws {
    let creatures = AnyRepository(try MemoryRepository(Creature.samples))
    #expect(try await creatures.findAll(where: { $0.isRare }).map(\.id) == [4])
    #expect(try await creatures.findAll(where: { !$0.isRare }, sortedBy: { $0.id.descending }).map(\.id) == [3, 2, 1])
    #expect(try await creatures.first(where: { $0.isRare && $0.attack > $0.weight }) == nil)
    #expect(try await creatures.filter { $0.isRare || $0.height == nil }.count() == 2)
  }

  @Test("Sorts are joined by > as by +")
  func sorts() {
    let sort = AnySort(Sighting.self) { $0.weight.descending > $0.nickname.ascending(nulls: .last) }
    #expect(sort == .descending(key: "weight") + .ascending(key: "nickname", nulls: .last))
  }
}

/// What a closure says, and the query that it makes.
struct OperatorCase: Sendable, CustomTestStringConvertible {
  let query: AnyQuery
  let expected: AnyQuery

  init(_ expected: AnyQuery, _ query: (Fields<Sighting>) -> AnyQuery) {
    self.query = AnyQuery(Sighting.self, query)
    self.expected = expected
  }

  var testDescription: String { "\(expected)" }
}

extension OperatorCase {
  private static let date = Date(timeIntervalSinceReferenceDate: 800_000_000)
  private static let code = UUID()
  private static let link = URL(string: "https://example.com/a")
  private static let height: Double? = 1.5

  /// A property against a value, on either side.
  static let values: [OperatorCase] = [
    OperatorCase(.equal(key: "count", value: 5)) { $0.count == 5 },
    OperatorCase(.notEqual(key: "count", value: 5)) { $0.count != 5 },
    OperatorCase(.lessThan(key: "count", value: 5)) { $0.count < 5 },
    OperatorCase(.lessThanOrEqual(key: "count", value: 5)) { $0.count <= 5 },
    OperatorCase(.greaterThan(key: "count", value: 5)) { $0.count > 5 },
    OperatorCase(.greaterThanOrEqual(key: "count", value: 5)) { $0.count >= 5 },
    OperatorCase(.equal(key: "weight", value: 5.0)) { 5 == $0.weight },
    OperatorCase(.notEqual(key: "weight", value: 5.0)) { 5 != $0.weight },
    OperatorCase(.greaterThan(key: "weight", value: 5.0)) { 5 < $0.weight },
    OperatorCase(.greaterThanOrEqual(key: "weight", value: 5.0)) { 5 <= $0.weight },
    OperatorCase(.lessThan(key: "weight", value: 5.0)) { 5 > $0.weight },
    OperatorCase(.lessThanOrEqual(key: "weight", value: 5.0)) { 5 >= $0.weight },
    OperatorCase(.equal(key: "height", value: 1.5)) { $0.height == 1.5 },
    OperatorCase(.notEqual(key: "height", value: 1.5)) { $0.height != 1.5 },
    OperatorCase(.lessThan(key: "height", value: 1.5)) { $0.height < 1.5 },
    OperatorCase(.lessThanOrEqual(key: "height", value: 1.5)) { $0.height <= 1.5 },
    OperatorCase(.greaterThan(key: "height", value: 1.5)) { $0.height > 1.5 },
    OperatorCase(.greaterThanOrEqual(key: "height", value: 1.5)) { $0.height >= 1.5 },
    OperatorCase(.equal(key: "best", value: 5)) { 5 == $0.best },
    OperatorCase(.notEqual(key: "best", value: 5)) { 5 != $0.best },
    OperatorCase(.greaterThan(key: "best", value: 5)) { 5 < $0.best },
    OperatorCase(.greaterThanOrEqual(key: "best", value: 5)) { 5 <= $0.best },
    OperatorCase(.lessThan(key: "best", value: 5)) { 5 > $0.best },
    OperatorCase(.lessThanOrEqual(key: "best", value: 5)) { 5 >= $0.best },
    OperatorCase(.lessThan(key: "height", value: 2.0)) { $0.height < 2 },
    OperatorCase(.isNull(key: "height")) { $0.height == nil },
    OperatorCase(.isNotNull(key: "height")) { $0.height != nil },
    OperatorCase(.isNull(key: "nickname")) { nil == $0.nickname },
    OperatorCase(.isNotNull(key: "second_place")) { nil != $0.secondPlace },
    OperatorCase(.equal(key: "name", value: "Mew")) { $0.name == "Mew" },
    OperatorCase(.notEqual(key: "nickname", value: "Bud")) { "Bud" != $0.nickname },
    OperatorCase(.equal(key: "abbreviation", value: "M")) { $0.abbreviation == "M" },
    OperatorCase(.equal(key: "initial", value: "M")) { $0.initial == "M" },
    OperatorCase(.equal(key: "place", value: "cave")) { $0.place == .cave },
    OperatorCase(.notEqual(key: "place", value: "sea")) { .sea != $0.place },
    OperatorCase(.equal(key: "second_place", value: "forest")) { $0.secondPlace == .forest },
    OperatorCase(.notEqual(key: "second_place", value: "cave")) { .cave != $0.secondPlace },
    OperatorCase(.lessThan(key: "level", value: 9)) { $0.level < 9 },
    OperatorCase(.greaterThan(key: "chance", value: 0.5)) { $0.chance > 0.5 },
    OperatorCase(.equal(key: "seen", value: date)) { $0.seen == date },
    OperatorCase(.greaterThanOrEqual(key: "caught", value: date)) { $0.caught >= date },
    OperatorCase(.equal(key: "code", value: code)) { $0.code == code },
    OperatorCase(.notEqual(key: "link", value: link)) { $0.link != link },
    OperatorCase(.equal(key: "bytes", value: [UInt8]([1, 2]))) { $0.bytes == [1, 2] },
    OperatorCase(.equal(key: "picture", value: [UInt8]([3]))) { $0.picture == Data([3]) },
    OperatorCase(.equal(key: "height", value: height)) { $0.height == height },
  ]
}

extension OperatorCase {
  /// A property against another: of the same type, optional or not, or both numbers.
  static let fields: [OperatorCase] = [
    OperatorCase(.equal(key: "nickname", otherKey: "nickname")) { $0.nickname == $0.nickname },
    OperatorCase(.notEqual(key: "nickname", otherKey: "nickname")) { $0.nickname != $0.nickname },
    OperatorCase(.lessThan(key: "nickname", otherKey: "nickname")) { $0.nickname < $0.nickname },
    OperatorCase(.lessThanOrEqual(key: "nickname", otherKey: "nickname")) { $0.nickname <= $0.nickname },
    OperatorCase(.greaterThan(key: "nickname", otherKey: "nickname")) { $0.nickname > $0.nickname },
    OperatorCase(.greaterThanOrEqual(key: "nickname", otherKey: "nickname")) { $0.nickname >= $0.nickname },
    OperatorCase(.equal(key: "place", otherKey: "second_place")) { $0.place == $0.secondPlace },
    OperatorCase(.notEqual(key: "place", otherKey: "second_place")) { $0.place != $0.secondPlace },
    OperatorCase(.lessThan(key: "place", otherKey: "second_place")) { $0.place < $0.secondPlace },
    OperatorCase(.lessThanOrEqual(key: "place", otherKey: "second_place")) { $0.place <= $0.secondPlace },
    OperatorCase(.greaterThan(key: "place", otherKey: "second_place")) { $0.place > $0.secondPlace },
    OperatorCase(.greaterThanOrEqual(key: "place", otherKey: "second_place")) { $0.place >= $0.secondPlace },
    OperatorCase(.equal(key: "caught", otherKey: "seen")) { $0.caught == $0.seen },
    OperatorCase(.notEqual(key: "caught", otherKey: "seen")) { $0.caught != $0.seen },
    OperatorCase(.lessThan(key: "caught", otherKey: "seen")) { $0.caught < $0.seen },
    OperatorCase(.lessThanOrEqual(key: "caught", otherKey: "seen")) { $0.caught <= $0.seen },
    OperatorCase(.greaterThan(key: "caught", otherKey: "seen")) { $0.caught > $0.seen },
    OperatorCase(.greaterThanOrEqual(key: "caught", otherKey: "seen")) { $0.caught >= $0.seen },
    OperatorCase(.equal(key: "count", otherKey: "weight")) { $0.count == $0.weight },
    OperatorCase(.notEqual(key: "count", otherKey: "weight")) { $0.count != $0.weight },
    OperatorCase(.lessThan(key: "count", otherKey: "weight")) { $0.count < $0.weight },
    OperatorCase(.lessThanOrEqual(key: "count", otherKey: "weight")) { $0.count <= $0.weight },
    OperatorCase(.greaterThan(key: "count", otherKey: "weight")) { $0.count > $0.weight },
    OperatorCase(.greaterThanOrEqual(key: "count", otherKey: "weight")) { $0.count >= $0.weight },
    OperatorCase(.equal(key: "count", otherKey: "count")) { $0.count == $0.count },
    OperatorCase(.lessThan(key: "count", otherKey: "best")) { $0.count < $0.best },
    OperatorCase(.lessThan(key: "best", otherKey: "count")) { $0.best < $0.count },
    OperatorCase(.equal(key: "best", otherKey: "height")) { $0.best == $0.height },
    OperatorCase(.greaterThan(key: "height", otherKey: "level")) { $0.height > $0.level },
    OperatorCase(.lessThanOrEqual(key: "level", otherKey: "count")) { $0.level <= $0.count },
    OperatorCase(.notEqual(key: "chance", otherKey: "weight")) { $0.chance != $0.weight },
    OperatorCase(.equal(key: "is_rare", otherKey: "is_shiny")) { $0.isRare == $0.isShiny },
    OperatorCase(.equal(key: "is_rare", otherKey: "is_rare")) { $0.isRare == $0.isRare },
  ]
}

extension OperatorCase {
  /// A property among values and in ranges.
  static let lists: [OperatorCase] = [
    OperatorCase(.in(key: "id", values: [1, 5])) { $0.id.in([1, 5]) },
    OperatorCase(.in(key: "id", values: [7])) { $0.id.in(Set([7])) },
    OperatorCase(.in(key: "id", values: [2, 3])) { $0.id.in([1, 2].lazy.map { $0 + 1 }) },
    OperatorCase(.in(key: "id", values: [Int]())) { $0.id.in([]) },
    OperatorCase(.in(key: "best", values: [1, 2])) { $0.best.in([1, 2]) },
    OperatorCase(.in(key: "best", values: [1, nil])) { $0.best.in([1, nil]) },
    OperatorCase(.in(key: "place", values: ["cave", "sea"])) { $0.place.in([.cave, .sea]) },
    OperatorCase(.in(key: "second_place", values: ["cave", nil])) { $0.secondPlace.in([.cave, nil]) },
    OperatorCase(.in(key: "is_rare", values: [1])) { $0.isRare.in([true]) },
    OperatorCase(.in(key: "bytes", values: [[UInt8]([1])])) { $0.bytes.in([[1]]) },
    OperatorCase(.between(key: "id", lhs: 1, rhs: 100)) { $0.id.in(1...100) },
    OperatorCase(.greaterThanOrEqual(key: "id", value: 1) && .lessThan(key: "id", value: 100)) { $0.id.in(1..<100) },
    OperatorCase(.greaterThanOrEqual(key: "id", value: 1)) { $0.id.in(1...) },
    OperatorCase(.lessThanOrEqual(key: "id", value: 5)) { $0.id.in(...5) },
    OperatorCase(.lessThan(key: "id", value: 5)) { $0.id.in(..<5) },
    OperatorCase(.between(key: "best", lhs: 1, rhs: 100)) { $0.best.in(1...100) },
    OperatorCase(.greaterThanOrEqual(key: "best", value: 1)) { $0.best.in(1...) },
    OperatorCase(.between(key: "weight", lhs: 1.0, rhs: 2.5)) { $0.weight.in(1...2.5) },
    OperatorCase(.greaterThanOrEqual(key: "height", value: 0.5) && .lessThan(key: "height", value: 2.0)) {
      $0.height.in(0.5..<2)
    },
    OperatorCase(.between(key: "name", lhs: "a", rhs: "f")) { $0.name.in("a"..."f") },
    OperatorCase(.greaterThanOrEqual(key: "seen", value: date)) { $0.seen.in(date...) },
    OperatorCase(.lessThan(key: "caught", value: date)) { $0.caught.in(..<date) },
    OperatorCase(.between(key: "id", lhs: 1, rhs: 100)) { $0.id.between(1, 100) },
    OperatorCase(.between(key: "id", lhs: 9, rhs: 1)) { $0.id.between(9, 1) },
    OperatorCase(.between(key: "id", lhs: 1, rhs: 100)) { $0.id.between(1...100) },
    OperatorCase(.between(key: "height", lhs: 0.5, rhs: 2.0)) { $0.height.between(0.5...2) },
    OperatorCase(.between(key: "height", lhs: Double?.none, rhs: 2.0)) { $0.height.between(nil, 2) },
    OperatorCase(.between(key: "place", lhs: "cave", rhs: "forest")) { $0.place.between(.cave, .forest) },
    OperatorCase(.between(key: "id", lhs: 1, rhs: 100)) { (1...100).contains($0.id) },
    OperatorCase(.between(key: "best", lhs: 1, rhs: 100)) { (1...100).contains($0.best) },
    OperatorCase(.greaterThanOrEqual(key: "weight", value: 0.5)) { (0.5...).contains($0.weight) },
  ]
}

extension OperatorCase {
  /// A property that is a text.
  static let texts: [OperatorCase] = [
    OperatorCase(.contains(key: "name", value: "a")) { $0.name.contains("a") },
    OperatorCase(.hasPrefix(key: "nickname", value: "a")) { $0.nickname.hasPrefix("a") },
    OperatorCase(.hasSuffix(key: "abbreviation", value: "a")) { $0.abbreviation.hasSuffix("a") },
    OperatorCase(.like(key: "name", value: "a%")) { $0.name.like("a%") },
    OperatorCase(.contains(key: "name", value: "a", ignoringCase: true)) { $0.name.contains("a", ignoringCase: true) },
    OperatorCase(.hasPrefix(key: "nickname", value: "a", ignoringCase: true)) {
      $0.nickname.hasPrefix("a", ignoringCase: true)
    },
    OperatorCase(.hasSuffix(key: "name", value: "a", ignoringCase: true)) {
      $0.name.hasSuffix("a", ignoringCase: true)
    },
    OperatorCase(.like(key: "initial", value: "a", ignoringCase: true)) { $0.initial.like("a", ignoringCase: true) },
    OperatorCase(.hasPrefix(key: "remark", value: "as")) { $0.remark.hasPrefix("as") },
    OperatorCase(.equal(key: "name", value: "")) { $0.name.isEmpty },
    OperatorCase(!.equal(key: "nickname", value: "")) { !$0.nickname.isEmpty },
  ]
}

extension OperatorCase {
  /// Properties that are conditions, and what joins conditions.
  static let logic: [OperatorCase] = [
    OperatorCase(.equal(key: "is_rare", value: true)) { $0.isRare },
    OperatorCase(!.equal(key: "is_rare", value: true)) { !$0.isRare },
    OperatorCase(.equal(key: "is_rare", value: true)) { $0.isRare == true },
    OperatorCase(.notEqual(key: "is_rare", value: true)) { $0.isRare != true },
    OperatorCase(.equal(key: "is_rare", value: true)) { true == $0.isRare },
    OperatorCase(.equal(key: "is_shiny", value: false)) { $0.isShiny == false },
    OperatorCase(.equal(key: "is_rare", value: true) && .greaterThan(key: "weight", value: 90.0)) {
      $0.isRare && $0.weight > 90
    },
    OperatorCase(.equal(key: "count", value: 1) || !.equal(key: "is_rare", value: true)) {
      $0.count == 1 || !$0.isRare
    },
    OperatorCase(!(.equal(key: "is_rare", value: true) || .isNull(key: "best"))) { !($0.isRare || $0.best == nil) },
    OperatorCase(.true) { _ in .true },
    OperatorCase(.all(of: [.equal(key: "is_rare", value: true), .isNull(key: "best")])) {
      .all(of: [$0.isRare, $0.best == nil])
    },
  ]
}
