package import GRDB
package import Model

// GRDB's usual way: a Codable struct is all that is written.
extension Pokemon: FetchableRecord, PersistableRecord {
  package static var databaseTableName: String { "pokemon" }
}

/// GRDB's fast way: rows read by position, columns written by hand.
package struct FastPokemon: FetchableRecord, PersistableRecord {
  package static var databaseTableName: String { "pokemon" }

  package let pokemon: Pokemon

  package init(_ pokemon: Pokemon) {
    self.pokemon = pokemon
  }

  package init(row: Row) {
    pokemon = Pokemon(row)
  }

  package func encode(to container: inout PersistenceContainer) {
    container["id"] = pokemon.id
    container["name"] = pokemon.name
    container["type"] = pokemon.type.rawValue
    container["second_type"] = pokemon.secondType?.rawValue
    container["weight"] = pokemon.weight
    container["height"] = pokemon.height
    container["generation"] = pokemon.generation
    container["is_legendary"] = pokemon.isLegendary
    container["habitat"] = pokemon.habitat
    container["text"] = pokemon.text
  }
}

extension Pokemon {
  /// The row as the struct, column by column.
  init(_ row: Row) {
    let secondType: String? = row[3]
    self.init(
      id: row[0], name: row[1], type: PokemonType(rawValue: row[2]) ?? .normal,
      secondType: secondType.flatMap(PokemonType.init(rawValue:)), weight: row[4], height: row[5], generation: row[6],
      isLegendary: row[7], habitat: row[8], text: row[9])
  }

  /// The values of a statement that inserts.
  var arguments: StatementArguments {
    [
      id, name, type.rawValue, secondType?.rawValue, weight, height, generation, isLegendary, habitat, text,
    ]
  }
}
