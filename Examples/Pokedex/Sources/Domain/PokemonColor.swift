import Repository

/// The colour under which a Pokémon is filed.
enum PokemonColor: String, ValueConvertible, CaseIterable {
  case black, blue, brown, gray, green, pink, purple, red, white, yellow
}
