import Repository

/// One row of the table that keeps the Pokédex.
struct Pokemon: Entity, Hashable {
  /// Its number in the national Pokédex.
  let id: Int
  var name: String
  var japaneseName: String
  var type: PokemonType
  var secondType: PokemonType?
  /// In metres.
  var height: Double
  /// In kilograms.
  var weight: Double
  var hitPoints: Int
  var attack: Int
  var defense: Int
  var specialAttack: Int
  var specialDefense: Int
  var speed: Int
  var isLegendary: Bool
  var color: PokemonColor
  var habitat: Habitat?

  static let schema = Schema<Pokemon>(table: "pokemon") {
    Parameters(of: Pokemon.init)
    Column("id", \.id)
    Column("name", \.name, .unique)
    Column("japanese_name", \.japaneseName)
    Column("type1", \.type, .indexed)
    Column("type2", \.secondType)
    Column("height", \.height)
    Column("weight", \.weight, .indexed)
    Column("hp", \.hitPoints)
    Column("attack", \.attack)
    Column("defense", \.defense)
    Column("special_attack", \.specialAttack)
    Column("special_defense", \.specialDefense)
    Column("speed", \.speed)
    Column("legendary", \.isLegendary)
    Column("color", \.color)
    Column("habitat", \.habitat)
  }
}
