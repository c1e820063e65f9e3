import SQL

extension SQLToken {
  /// Returns the positions of the deferred references in the definition of a table, in their order.
  ///
  /// A clause belongs to the reference before it, as for SQLite: https://www.sqlite.org/foreignkeys.html#fk_deferred
  static func deferredReferences(in definition: String) -> Set<Int> {
    guard definition.uppercased().contains("DEFERRABLE") else { return [] }
    let tokens = tokens(of: definition).filter { $0.kind != .comment }
    var (deferred, position) = (Set<Int>(), -1)
    for (index, token) in tokens.enumerated() {
      if token.isKeyword("REFERENCES") { position += 1 }
      guard token.isKeyword("DEFERRABLE"), position >= 0 else { continue }
      let isDeferred =
        index > 0 && !tokens[index - 1].isKeyword("NOT") && index + 2 < tokens.count
        && tokens[index + 1].isKeyword("INITIALLY") && tokens[index + 2].isKeyword("DEFERRED")
      if isDeferred { deferred.insert(position) } else { deferred.remove(position) }
    }
    return deferred
  }
}
