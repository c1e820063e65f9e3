@testable import pokedex

extension Pokemon {
  /// A Pokémon of which only what matters to a test is told.
  static func sample(
    _ id: Int, _ name: String, _ japaneseName: String = "", _ type: PokemonType = .normal,
    _ secondType: PokemonType? = nil,
    weight: Double = 10, attack: Int = 50, speed: Int = 50, isLegendary: Bool = false, habitat: Habitat? = nil
  ) -> Pokemon {
    Pokemon(
      id: id, name: name, japaneseName: japaneseName, type: type, secondType: secondType, height: 1, weight: weight,
      hitPoints: 50, attack: attack, defense: 50, specialAttack: 50, specialDefense: 50, speed: speed,
      isLegendary: isLegendary, color: .brown, habitat: habitat)
  }

  static let bulbasaur = sample(1, "Bulbasaur", "フシギダネ", .grass, .poison, weight: 6.9, habitat: .grassland)
  static let charizard = sample(
    6, "Charizard", "リザードン", .fire, .flying, weight: 90.5, attack: 84, speed: 100, habitat: .mountain)
  static let pidgey = sample(
    16, "Pidgey", "ポッポ", .normal, .flying, weight: 1.8, attack: 45, speed: 56, habitat: .forest)
  static let nidoran = sample(29, "Nidoran♀", "ニドラン♀", .poison, weight: 7)
  static let farfetchd = sample(83, "Farfetch'd", "カモネギ", .normal, .flying, weight: 15, attack: 90, speed: 60)
  static let snorlax = sample(143, "Snorlax", "カビゴン", weight: 460, attack: 110, speed: 30, habitat: .mountain)
  static let mewtwo = sample(
    150, "Mewtwo", "ミュウツー", .psychic, weight: 122, attack: 110, speed: 130, isLegendary: true, habitat: .rare)
  static let mew = sample(
    151, "Mew", "ミュウ", .psychic, weight: 4, attack: 100, speed: 100, isLegendary: true, habitat: .rare)

  static let samples = [mew, bulbasaur, snorlax, charizard, mewtwo, pidgey, nidoran, farfetchd]
}
