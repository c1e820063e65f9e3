import Repository

/// What can be asked of a Pokédex, whatever keeps its entries: SQLite in the program, memory in its tests.
struct Pokedex {
  private let pokemon: AnyRepository<Pokemon>

  init(_ pokemon: AnyRepository<Pokemon>) {
    self.pokemon = pokemon
  }

  /// Adds entries, all or none.
  func add(_ entries: [Pokemon]) async throws(RepositoryError) {
    try await pokemon.save(entries)
  }

  /// The entries that a filter lets through.
  func list(
    _ filter: PokemonFilter = PokemonFilter(), sortedBy sort: AnySort = .primaryKey, limit: Int? = nil
  ) async throws(RepositoryError) -> [Pokemon] {
    try await pokemon.findAll(where: AnyQuery(filter), sortedBy: sort, limit: limit)
  }

  /// The entry with a number, or with an English or Japanese name in upper or lower case.
  ///
  /// - Throws: ``UnknownPokemon`` with similar names where there is none.
  func entry(_ nameOrNumber: String) async throws -> Pokemon {
    if let number = Int(nameOrNumber) {
      guard let entry = try await pokemon.find(number) else { throw UnknownPokemon(nameOrNumber, similar: []) }
      return entry
    }
    // `like` matches the whole name; what has a meaning in a pattern is escaped.
    let pattern = String(nameOrNumber.flatMap { "%_\\".contains($0) ? ["\\", $0] : [$0] })
    let found = try await pokemon.first(where: {
      $0.name.like(pattern, ignoringCase: true) || $0.japaneseName == nameOrNumber
    })
    if let found { return found }
    let similar = try await pokemon.findAll(
      where: {
        $0.name.contains(nameOrNumber, ignoringCase: true)
          || $0.name.hasPrefix(String(nameOrNumber.prefix(3)), ignoringCase: true)
      }, limit: 5)
    throw UnknownPokemon(nameOrNumber, similar: similar.map(\.name))
  }

  /// What somebody sees who opens the Pokédex and asks for nothing.
  func highlights() async throws(RepositoryError) -> Highlights {
    Highlights(
      count: try await pokemon.count(),
      heaviest: try await pokemon.findAll(sortedBy: .descending(\.weight), limit: 5),
      fastest: try await pokemon.findAll(where: { $0.isLegendary == false }, sortedBy: .descending(\.speed), limit: 5),
      legendary: try await pokemon.findAll(where: { $0.isLegendary == true }))
  }
}
