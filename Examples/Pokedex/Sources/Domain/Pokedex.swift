import ErrorHandling
import Repository

/// What can be asked of a Pokédex, whatever keeps its rows: SQLite or PostgreSQL in the program, memory in its tests.
///
/// Rows come up from the repository and leave as entries, errors of the repository leave as errors of the domain.
struct Pokedex {
  private let pokemon: AnyRepository<Pokemon>
  private let translator: Translator<Pokemon, Entry>

  init(_ pokemon: AnyRepository<Pokemon>, translator: Translator<Pokemon, Entry> = .entry) {
    self.pokemon = pokemon
    self.translator = translator
  }

  /// Adds rows, all or none; each has to make an entry.
  func add(_ rows: [Pokemon]) async throws(DomainError) {
    _ = try translator(rows)
    try await DomainError.translating { () throws(RepositoryError) in try await pokemon.save(rows) }
  }

  /// The entries that a filter lets through.
  func list(
    _ filter: PokemonFilter = PokemonFilter(), sortedBy sort: AnySort = .primaryKey, limit: Int? = nil
  ) async throws(DomainError) -> [Entry] {
    try await entries(FetchRequest(AnyQuery(filter), sortedBy: sort, limit: limit))
  }

  /// The entry with a number, or with an English or Japanese name in upper or lower case.
  ///
  /// - Throws: ``DomainError`` with the code `notFound` and similar names where there is none.
  func entry(_ nameOrNumber: String) async throws(DomainError) -> Entry {
    if let number = Int(nameOrNumber) {
      let row = try await DomainError.translating { () throws(RepositoryError) in try await pokemon.find(number) }
      guard let row else { throw .unknownPokemon(nameOrNumber, similar: []) }
      return try translator(row)
    }
    // `like` matches the whole name; what has a meaning in a pattern is escaped.
    let pattern = String(nameOrNumber.flatMap { "%_\\".contains($0) ? ["\\", $0] : [$0] })
    let named = AnyQuery(Pokemon.self) {
      $0.name.like(pattern, ignoringCase: true) || $0.japaneseName == nameOrNumber
    }
    if let found = try await entries(FetchRequest(named, limit: 1)).first { return found }
    let similar = AnyQuery(Pokemon.self) {
      $0.name.contains(nameOrNumber, ignoringCase: true)
        || $0.name.hasPrefix(String(nameOrNumber.prefix(3)), ignoringCase: true)
    }
    throw .unknownPokemon(nameOrNumber, similar: try await entries(FetchRequest(similar, limit: 5)).map(\.name))
  }

  /// What somebody sees who opens the Pokédex and asks for nothing.
  func highlights() async throws(DomainError) -> Highlights {
    let isLegendary = AnyQuery(Pokemon.self) { $0.isLegendary == true }
    return Highlights(
      count: try await DomainError.translating { () throws(RepositoryError) in try await pokemon.count() },
      heaviest: try await entries(FetchRequest(sortedBy: .descending(key: "weight"), limit: 5)),
      fastest: try await entries(FetchRequest(!isLegendary, sortedBy: .descending(key: "speed"), limit: 5)),
      legendary: try await entries(FetchRequest(isLegendary)))
  }

  private func entries(_ request: FetchRequest) async throws(DomainError) -> [Entry] {
    try translator(
      try await DomainError.translating { () throws(RepositoryError) in try await pokemon.findAll(request) })
  }
}

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

// What can go wrong with a Pokédex and with nothing else.
extension DomainError {
  /// A name or number that no entry has.
  ///
  /// - Parameter similar: names that somebody may have meant.
  static func unknownPokemon(_ nameOrNumber: String, similar: [String]) -> DomainError {
    DomainError(
      .notFound, "there is no Pokémon \(nameOrNumber)",
      suggestion: similar.isEmpty ? nil : "did you mean \(similar.joined(separator: ", "))?")
  }

  /// A row that no Pokémon can have.
  static func impossibleEntry(_ number: Int, because reason: String) -> DomainError {
    DomainError(
      .translationFailed, "No. \(number) is no Pokémon", reason: reason,
      suggestion: "correct it in the file that it was read from")
  }
}
