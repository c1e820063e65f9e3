import Repository

/// Which Pokémon somebody wants to see; what is left out matters to nobody.
struct PokemonFilter: Hashable {
  var type: PokemonType?
  var habitat: Habitat?
  var heavierThan: Double?
  var lighterThan: Double?
  var nameContains: String?
  var isLegendary = false
  /// A query in its text form, such as `attack > defense`, read already.
  var query: AnyQuery?
}

extension AnyQuery {
  /// What a filter means.
  init(_ filter: PokemonFilter) {
    self.init(Pokemon.self) { pokemon in
      var conditions: [AnyQuery] = []
      if let type = filter.type { conditions.append(pokemon.type == type || pokemon.secondType == type) }
      if let habitat = filter.habitat { conditions.append(pokemon.habitat == habitat) }
      if let weight = filter.heavierThan { conditions.append(pokemon.weight > weight) }
      if let weight = filter.lighterThan { conditions.append(pokemon.weight < weight) }
      if let text = filter.nameContains { conditions.append(pokemon.name.contains(text, ignoringCase: true)) }
      if filter.isLegendary { conditions.append(pokemon.isLegendary == true) }
      if let query = filter.query { conditions.append(query) }
      return .all(of: conditions)
    }
  }
}
