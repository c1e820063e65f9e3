import GRDB
package import Model

private typealias Columns = Pokemon.CodingKeys
extension Pokemon.CodingKeys: ColumnExpression {}

// Codable records and the query interface: what GRDB's documentation shows first.
extension Peer {
  package func usualAll() throws -> [Pokemon] {
    try pool.read { try Pokemon.order(Columns.id).fetchAll($0) }
  }

  package func usualFind(_ id: Int) throws -> Pokemon? {
    try pool.read { try Pokemon.fetchOne($0, key: id) }
  }

  package func usualFindAsync(_ id: Int) async throws -> Pokemon? {
    try await pool.read { try Pokemon.fetchOne($0, key: id) }
  }

  package func usualFind(_ ids: [Int]) throws -> [Pokemon] {
    try pool.read { try Pokemon.filter(keys: ids).order(Columns.id).fetchAll($0) }
  }

  package func usualFilter(_ question: FilterQuestion) throws -> [Pokemon] {
    try pool.read { database in
      try Pokemon
        .filter(
          question.ids.contains(Columns.id) && Columns.weight > question.weight
            && Columns.type != question.type.rawValue
        )
        .order(Columns.weight.desc, Columns.name).limit(20).fetchAll(database)
    }
  }

  package func usualScan(_ question: FilterQuestion) throws -> [Pokemon] {
    try pool.read { database in
      try Pokemon.filter(Columns.weight > question.weight && Columns.type != question.type.rawValue)
        .order(Columns.weight.desc, Columns.name).limit(20).fetchAll(database)
    }
  }

  package func usualCount(_ question: FilterQuestion) throws -> Int {
    try pool.read { database in
      try Pokemon.filter(Columns.weight > question.weight && Columns.type != question.type.rawValue)
        .fetchCount(database)
    }
  }

  /// All rows whose text, or name, is like a pattern.
  package func usualLike(_ pattern: String, isName: Bool = false) throws -> [Pokemon] {
    try pool.read { database in
      try Pokemon.filter((isName ? Columns.name : Columns.text).like(pattern)).order(Columns.id).fetchAll(database)
    }
  }

  package func usualPage(after name: String) throws -> [Pokemon] {
    try pool.read { try Pokemon.filter(Columns.name > name).order(Columns.name).limit(20).fetchAll($0) }
  }

  package func usualPage(at offset: Int) throws -> [Pokemon] {
    try pool.read { try Pokemon.order(Columns.name).limit(20, offset: offset).fetchAll($0) }
  }

  package func usualInsert(_ list: [Pokemon]) throws {
    try pool.write { database in
      for pokemon in list { try pokemon.insert(database) }
    }
  }

  package func usualSave(_ list: [Pokemon]) throws {
    try pool.write { database in
      for pokemon in list { try pokemon.upsert(database) }
    }
  }

  package func usualSave(_ pokemon: Pokemon) throws {
    try pool.write { try pokemon.upsert($0) }
  }
}

extension Peer {
  package func usualSaveAsync(_ pokemon: Pokemon) async throws {
    try await pool.write { try pokemon.upsert($0) }
  }
}
