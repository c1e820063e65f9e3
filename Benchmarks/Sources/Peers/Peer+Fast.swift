package import GRDB
package import Model
package import Raw

// SQL by hand, statements that GRDB keeps, rows read by position.
extension Peer {
  private func fetch(
    _ sql: String, _ arguments: StatementArguments = [], reserving count: Int = 0
  ) throws -> [Pokemon] {
    try pool.read { database in
      let statement = try database.cachedStatement(sql: sql)
      let cursor = try Row.fetchCursor(statement, arguments: arguments)
      var list: [Pokemon] = []
      list.reserveCapacity(count)
      while let row = try cursor.next() { list.append(Pokemon(row)) }
      return list
    }
  }

  package func all(_ expected: Int = 0) throws -> [Pokemon] {
    try fetch("\(Self.select) ORDER BY id", reserving: expected)
  }

  package func allRows() throws -> [Row] {
    try pool.read { try Row.fetchAll($0, sql: "\(Self.select) ORDER BY id") }
  }

  private static let findSQL = "\(select) WHERE id = ?"

  package func find(_ id: Int) throws -> Pokemon? {
    try pool.read { database in
      let statement = try database.cachedStatement(sql: Self.findSQL)
      return try FastPokemon.fetchOne(statement, arguments: [id])?.pokemon
    }
  }

  package func findAsync(_ id: Int) async throws -> Pokemon? {
    try await pool.read { database in
      let statement = try database.cachedStatement(sql: Self.findSQL)
      return try FastPokemon.fetchOne(statement, arguments: [id])?.pokemon
    }
  }

  package func find(_ ids: [Int]) throws -> [Pokemon] {
    try fetch(
      "\(Self.select) WHERE id IN (\(ids.map { _ in "?" }.joined(separator: ", "))) ORDER BY id",
      StatementArguments(ids), reserving: ids.count)
  }

  package func find(list ids: [Int]) throws -> [Pokemon] {
    try fetch(
      "\(Self.select) WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
      ["[\(ids.map(String.init).joined(separator: ","))]"], reserving: ids.count)
  }

  private static let filterSQL = """
    \(select) WHERE id >= ? AND id < ? AND weight > ? AND type <> ? ORDER BY weight DESC, name LIMIT 20
    """

  package func filter(_ question: FilterQuestion) throws -> [Pokemon] {
    try fetch(
      Self.filterSQL,
      [question.ids.lowerBound, question.ids.upperBound, question.weight, question.type.rawValue], reserving: 20)
  }

  package func scan(_ question: FilterQuestion) throws -> [Pokemon] {
    try fetch(
      "\(Self.select) WHERE weight > ? AND type <> ? ORDER BY weight DESC, name LIMIT 20",
      [question.weight, question.type.rawValue], reserving: 20)
  }

  package func count(_ question: FilterQuestion) throws -> Int {
    try pool.read { database in
      let statement = try database.cachedStatement(sql: "SELECT count(*) FROM pokemon WHERE weight > ? AND type <> ?")
      return try Int.fetchOne(statement, arguments: [question.weight, question.type.rawValue]) ?? 0
    }
  }

  package func contains(_ word: String) throws -> [Pokemon] {
    try fetch("\(Self.select) WHERE instr(text, ?) > 0 ORDER BY id", [word])
  }

  package func hasPrefix(_ word: String) throws -> [Pokemon] {
    try fetch(
      "\(Self.select) WHERE text >= ? AND text < ? ORDER BY id", [word, RawPokedex.after(prefix: word)])
  }

  package func hasSuffix(_ word: String) throws -> [Pokemon] {
    try fetch("\(Self.select) WHERE text GLOB ? ORDER BY id", ["*\(word)"])
  }

  package func nameHasPrefix(_ word: String) throws -> [Pokemon] {
    try fetch("\(Self.select) WHERE name >= ? AND name < ? ORDER BY id", [word, RawPokedex.after(prefix: word)])
  }

  package func page(after name: String) throws -> [Pokemon] {
    try fetch("\(Self.select) WHERE name > ? ORDER BY name LIMIT 20", [name], reserving: 20)
  }

  package func page(at offset: Int) throws -> [Pokemon] {
    try fetch("\(Self.select) ORDER BY name LIMIT 20 OFFSET ?", [offset], reserving: 20)
  }

  private static let placeholders = "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
  private static let insertSQL = "INSERT INTO pokemon (\(columns)) \(placeholders)"
  private static let assignments = Pokemon.CodingKeys.allCases.dropFirst().map {
    "\"\($0.rawValue)\" = excluded.\"\($0.rawValue)\""
  }.joined(separator: ", ")
  private static let upsertSQL = "\(insertSQL) ON CONFLICT (id) DO UPDATE SET \(assignments)"

  package func insert(_ list: [Pokemon]) throws { try write(list, by: Self.insertSQL) }

  package func save(_ list: [Pokemon]) throws { try write(list, by: Self.upsertSQL) }

  package func save(_ pokemon: Pokemon) throws { try write([pokemon], by: Self.upsertSQL) }

  private func write(_ list: [Pokemon], by sql: String) throws {
    try pool.write { database in
      let statement = try database.cachedStatement(sql: sql)
      for pokemon in list { try statement.execute(arguments: pokemon.arguments) }
    }
  }
}

extension Peer {
  /// The values of a row that nobody knows a struct for.
  package static func values(of row: Row) -> [RawValue] {
    row.databaseValues.map { value in
      switch value.storage {
      case .null, .blob: .null
      case .int64(let number): .integer(number)
      case .double(let number): .real(number)
      case .string(let text): .text(text)
      }
    }
  }
}

extension Peer {
  package func saveAsync(_ pokemon: Pokemon) async throws {
    try await pool.write { database in
      try database.cachedStatement(sql: Self.upsertSQL).execute(arguments: pokemon.arguments)
    }
  }
}
