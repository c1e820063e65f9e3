import ErrorHandling

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
