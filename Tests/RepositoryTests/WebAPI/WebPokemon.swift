import Repository

/// What the pretended web API keeps.
struct WebPokemon: Entity, Hashable, Codable {
  let id: Int
  var name: String
  var type: String
  var second: String?
  var weight: Double?
  var attack: Int
  var defense: Int

  static let schema = Schema(
    "pokemon", WebPokemon.init, Column("id", \.id), Column("name", \.name, .unique), Column("type", \.type),
    Column("second", \.second), Column("weight", \.weight), Column("attack", \.attack), Column("defense", \.defense))

  static let samples = [
    WebPokemon(id: 1, name: "Bulbasaur", type: "grass", second: "poison", weight: 6.9, attack: 49, defense: 49),
    WebPokemon(id: 6, name: "Charizard", type: "fire", second: "flying", weight: 90.5, attack: 84, defense: 78),
    WebPokemon(id: 7, name: "Squirtle", type: "water", second: nil, weight: nil, attack: 48, defense: 65),
    WebPokemon(id: 25, name: "Pikachu", type: "electric", second: nil, weight: 6, attack: 55, defense: 40),
    WebPokemon(id: 29, name: "Nidoran♀", type: "poison", second: nil, weight: 7, attack: 47, defense: 52),
    WebPokemon(id: 150, name: "Flabébé", type: "psychic", second: "water", weight: 122, attack: 110, defense: 90),
  ]
}
