import Foundation
import Repository

/// What a creature is made of.
enum Element: String, ValueConvertible, CaseIterable {
  case fire, water, grass
}

/// The model of these tests: a key, texts, numbers, an enum and what may be missing.
struct Creature: Entity, Hashable {
  let id: Int
  var name: String
  var element: Element
  var secondElement: Element?
  var weight: Double
  var height: Double?
  var attack: Int
  var defense: Int
  var isRare: Bool
  var nickname: String?
  var seen: Date?

  /// No column keeps it.
  var density: Double { weight / (height ?? 1) }

  static let schema = Schema(
    "creature", Creature.init, Column("id", \.id), Column("name", \.name, .unique),
    Column("element", \.element, .indexed), Column("second_element", \.secondElement), Column("weight", \.weight),
    Column("height", \.height), Column("attack", \.attack), Column("defense", \.defense), Column("rare", \.isRare),
    Column("nickname", \.nickname), Column("seen", \.seen))

  init(
    id: Int, name: String, element: Element, secondElement: Element? = nil, weight: Double = 1, height: Double? = nil,
    attack: Int = 1, defense: Int = 1, isRare: Bool = false, nickname: String? = nil, seen: Date? = nil
  ) {
    self.id = id
    self.name = name
    self.element = element
    self.secondElement = secondElement
    self.weight = weight
    self.height = height
    self.attack = attack
    self.defense = defense
    self.isRare = isRare
    self.nickname = nickname
    self.seen = seen
  }

  static let samples = [
    Creature(id: 1, name: "Ember", element: .fire, weight: 8.5, height: 0.6, attack: 52, defense: 43),
    Creature(id: 2, name: "Tide", element: .water, secondElement: .grass, weight: 9, attack: 48, defense: 65),
    Creature(id: 3, name: "Leaf", element: .grass, weight: 6.9, height: 0.7, attack: 49, defense: 49, nickname: "Bud"),
    Creature(id: 4, name: "Blaze", element: .fire, weight: 90.5, height: 1.7, attack: 84, defense: 78, isRare: true),
  ]
}
