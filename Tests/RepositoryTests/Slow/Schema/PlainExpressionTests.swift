import Foundation
import Query
import Repository
import Testing

// That this file compiles is the test: with the modules imported, plain Swift expressions keep their meaning and are
// type-checked as fast as before.
@Suite("The operators of queries leave plain Swift alone")
struct PlainExpressionTests {
  private let numbers = [3, 1, 2]
  private let missing: Int? = nil

  @Test("Comparisons and logic of Swift's own types")
  func comparisons() {
    // Constants, because the macro takes an expression apart and type-checks the parts in a slower way.
    let logic = numbers[0] < 5 && numbers[1] != 4 || !(numbers[2] >= 7)
    let optionals = missing == nil && !(missing != nil)
    let operators = "a" + "b" == "ab" && "a" < "b" && 1 + 2 * 3 - 4 > 2 && 1.5 * 2 + 1 <= 4.0
    let arrays = [1, 2] + [3] == numbers.sorted(by: <) && numbers.sorted(by: >).first == 3
    let closures = numbers.filter { $0 > 1 && $0 != 3 }.map { -$0 + 1 } == [-1]
    let functions = numbers.contains(where: { $0 == 3 || $0 == 9 }) && numbers.reduce(0, +) == 6
    #expect([logic, optionals, operators, arrays, closures, functions] == Array(repeating: true, count: 6))
  }

  @Test("Key paths are plain functions still")
  func keyPaths() {
    let creatures = Creature.samples
    #expect(creatures.map(\.attack).max() == 84)
    #expect(creatures.filter(\.isRare).map(\.id) == [4])
    #expect(creatures.filter { $0.weight > 8 && $0.element != .water }.map(\.id) == [1, 4])
    let isSame = \Creature.name == \Creature.name && \Creature.attack != \Creature.defense
    #expect(isSame)
  }

  @Test("Queries and Booleans stand beside each other")
  func mixture() {
    let isFiltering = numbers.count > 2 && !numbers.isEmpty
    let query: AnyQuery = isFiltering ? .equal(key: "a", value: 1) && !.isNull(key: "b") : .true
    #expect(query != .true)
  }
}

/// Where something was seen.
enum Site: String, ValueConvertible {
  case cave, forest, sea
}

/// A note, an enum that can be searched.
enum Remark: String, TextProperty {
  case asleep, asking, flying
}

/// The model of the tests of each operator: a property of every type that a column can have.
struct Sighting: Entity {
  let id: Int
  var name: String
  var nickname: String?
  var abbreviation: Substring
  var initial: Character?
  var place: Site
  var secondPlace: Site?
  var remark: Remark?
  var weight: Double
  var height: Double?
  var count: Int
  var best: Int?
  var level: UInt8
  var chance: Float
  var isRare: Bool
  var isShiny: Bool?
  var seen: Date
  var caught: Date?
  var code: UUID
  var link: URL?
  var bytes: [UInt8]
  var picture: Data?
  var tags: [String]

  static let schema = Schema(
    "sighting", Sighting.init, Column("id", \.id), Column("name", \.name), Column("nickname", \.nickname),
    Column("abbreviation", \.abbreviation), Column("initial", \.initial), Column("place", \.place),
    Column("second_place", \.secondPlace), Column("remark", \.remark), Column("weight", \.weight),
    Column("height", \.height), Column("count", \.count), Column("best", \.best), Column("level", \.level),
    Column("chance", \.chance), Column("is_rare", \.isRare), Column("is_shiny", \.isShiny), Column("seen", \.seen),
    Column("caught", \.caught), Column("code", \.code), Column("link", \.link), Column("bytes", \.bytes),
    Column("picture", \.picture), Column("tags", json: \.tags))
}
