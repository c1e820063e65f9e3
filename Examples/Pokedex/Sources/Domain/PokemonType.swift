import Repository

/// What a Pokémon is made of; it has one type or two.
enum PokemonType: String, ValueConvertible, CaseIterable {
  case bug, dark, dragon, electric, fairy, fighting, fire, flying, ghost, grass, ground, ice, normal, poison, psychic
  case rock, steel, water
}
