import ErrorHandling
import Repository

/// One entry of the Pokédex, as somebody knows it who opens it.
struct Entry: Hashable {
  enum Ability: String, CaseIterable {
    case hitPoints = "Hit points"
    case attack = "Attack"
    case defense = "Defense"
    case specialAttack = "Special attack"
    case specialDefense = "Special defense"
    case speed = "Speed"
  }

  /// Its number in the national Pokédex.
  let number: Int
  let name: String
  let japaneseName: String
  /// One or two, the more important first.
  let types: [PokemonType]
  /// In metres.
  let height: Double
  /// In kilograms.
  let weight: Double
  let points: [Ability: Int]
  let isLegendary: Bool
  let color: PokemonColor
  let habitat: Habitat?
}

extension Translator where Source == Pokemon, Target == Entry {
  /// From the row to the entry: the one place that knows both.
  static var entry: Translator {
    Translator { row in
      if row.secondType == row.type { throw DomainError.impossibleEntry(row.id, because: "its two types are the same") }
      if row.weight <= 0 || row.height <= 0 {
        throw DomainError.impossibleEntry(row.id, because: "it has no height or no weight")
      }
      return Entry(
        number: row.id, name: row.name, japaneseName: row.japaneseName,
        types: [row.type, row.secondType].compactMap(\.self), height: row.height, weight: row.weight,
        points: [
          .hitPoints: row.hitPoints, .attack: row.attack, .defense: row.defense, .specialAttack: row.specialAttack,
          .specialDefense: row.specialDefense, .speed: row.speed,
        ], isLegendary: row.isLegendary, color: row.color, habitat: row.habitat)
    }
  }
}

/// Where a Pokémon lives.
enum Habitat: String, ValueConvertible, CaseIterable {
  case cave, forest, grassland, mountain, rare, sea, urban
  case roughTerrain = "rough-terrain"
  case watersEdge = "waters-edge"
}

/// What a Pokémon is made of; it has one type or two.
enum PokemonType: String, ValueConvertible, CaseIterable {
  case bug, dark, dragon, electric, fairy, fighting, fire, flying, ghost, grass, ground, ice, normal, poison, psychic
  case rock, steel, water
}

/// The colour under which a Pokémon is filed.
enum PokemonColor: String, ValueConvertible, CaseIterable {
  case black, blue, brown, gray, green, pink, purple, red, white, yellow
}

/// The entries that stand out.
struct Highlights: Hashable {
  /// How many entries there are in all.
  let count: Int
  let heaviest: [Entry]
  /// Without the legendary ones, which have a list of their own.
  let fastest: [Entry]
  let legendary: [Entry]
}
