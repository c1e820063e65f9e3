import ErrorHandling

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
