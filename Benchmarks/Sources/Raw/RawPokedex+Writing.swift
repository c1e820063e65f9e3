import CSystemSQLite
package import Model

extension RawPokedex {
  private static let placeholders = "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
  private static let assignments = Pokemon.CodingKeys.allCases.dropFirst().map {
    "\"\($0.rawValue)\" = excluded.\"\($0.rawValue)\""
  }.joined(separator: ", ")

  /// Inserts rows in one transaction.
  package func insert(_ list: [Pokemon]) throws(RawError) {
    try write(list, by: try statement(.insert, "INSERT INTO pokemon (\(Self.columns)) \(Self.placeholders)"))
  }

  /// Inserts rows, or puts them in the place of those that have their keys, in one transaction.
  package func save(_ list: [Pokemon]) throws(RawError) {
    try write(list, by: try upsert)
  }

  /// The same for one row, which is a transaction of its own.
  package func save(_ pokemon: Pokemon) throws(RawError) {
    try Self.write(pokemon, by: try upsert)
  }

  private var upsert: RawStatement {
    get throws(RawError) {
      try statement(
        .upsert,
        """
        INSERT INTO pokemon (\(Self.columns)) \(Self.placeholders) ON CONFLICT (id) DO UPDATE SET \(Self.assignments)
        """)
    }
  }

  private func write(_ list: [Pokemon], by statement: RawStatement) throws(RawError) {
    try run(.begin, "BEGIN IMMEDIATE")
    do throws(RawError) {
      for pokemon in list { try Self.write(pokemon, by: statement) }
    } catch {
      try execute("ROLLBACK")
      throw error
    }
    try run(.commit, "COMMIT")
  }

  private func run(_ name: StatementName, _ sql: String) throws(RawError) {
    let statement = try statement(name, sql)
    defer { statement.reset() }
    _ = try statement.step()
  }

  /// Binds the texts where they are: none is copied but those that Swift keeps within the `String` itself.
  @inline(__always)
  private static func write(_ pokemon: Pokemon, by statement: RawStatement) throws(RawError) {
    var (name, type, text) = (pokemon.name, pokemon.type.rawValue, pokemon.text)
    var (secondType, habitat) = (pokemon.secondType?.rawValue ?? "", pokemon.habitat ?? "")
    let isSingle = pokemon.secondType == nil
    let isHomeless = pokemon.habitat == nil
    defer { statement.reset() }
    let error: RawError? = name.withUTF8 { name in
      type.withUTF8 { type in
        secondType.withUTF8 { secondType in
          habitat.withUTF8 { habitat in
            text.withUTF8 { text in
              statement.bind(pokemon.id, at: 1)
              statement.bind(static: name, at: 2)
              statement.bind(static: type, at: 3)
              statement.bind(static: isSingle ? UnsafeBufferPointer(start: nil, count: 0) : secondType, at: 4)
              statement.bind(pokemon.weight, at: 5)
              statement.bind(pokemon.height, at: 6)
              statement.bind(pokemon.generation, at: 7)
              statement.bind(pokemon.isLegendary ? 1 : 0, at: 8)
              statement.bind(static: isHomeless ? UnsafeBufferPointer(start: nil, count: 0) : habitat, at: 9)
              statement.bind(static: text, at: 10)
              do throws(RawError) {
                _ = try statement.step()
                return nil
              } catch {
                return error
              }
            }
          }
        }
      }
    }
    if let error { throw error }
  }
}
