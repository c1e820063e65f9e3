import SQLiteStore

/// What a Pokémon is made of; kept as text.
package enum PokemonType: String, Codable, CaseIterable, ValueConvertible, Sendable {
  case normal, fire, water, grass, electric, ice, fighting, poison, ground, flying, psychic, bug, rock, ghost, dragon
  case dark, steel, fairy
}
