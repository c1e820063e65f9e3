/// A name or number that no entry has.
struct UnknownPokemon: Error, Hashable, CustomStringConvertible {
  let nameOrNumber: String
  /// Names that somebody may have meant.
  let similar: [String]

  init(_ nameOrNumber: String, similar: [String]) {
    self.nameOrNumber = nameOrNumber
    self.similar = similar
  }

  var description: String {
    let suggestion = similar.isEmpty ? "" : "; did you mean \(similar.joined(separator: ", "))?"
    return "there is no Pokémon \(nameOrNumber)\(suggestion)"
  }
}
