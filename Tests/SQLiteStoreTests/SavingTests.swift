import Query
import Repository
import SQL
import Testing

@testable import SQLiteStore

@Suite("Saving is all or nothing")
struct SavingTests {
  private let store: SQLiteStore
  private let pokedex: SQLiteRepository<Pokemon>

  init() throws {
    // Other tests may keep all threads busy for long.
    store = try SQLiteStore.inMemory(timeout: .seconds(120))
    pokedex = try store.repository(of: Pokemon.self)
    try pokedex.save([Pokemon(id: 1, name: "Bulbasaur", type: .grass, weight: 6.9)])
  }

  @Test("a conflict names the column, not the value, and undoes the batch")
  func conflict() throws {
    let error = #expect(throws: RepositoryError.self) {
      try pokedex.save([
        Pokemon(id: 4, name: "Charmander", type: .fire, weight: 8.5),
        Pokemon(id: 5, name: "Bulbasaur", type: .fire, weight: 8.5),
      ])
    }
    #expect(error?.code == .conflict)
    #expect(error?.summary == "another row of pokemon has the same name (a text)")
    #expect(error?.description.contains("Bulbasaur") == false)
    #expect(try pokedex.count(.true) == 1)
    // The connection is as good as before.
    try pokedex.save([Pokemon(id: 4, name: "Charmander", type: .fire, weight: 8.5)])
    #expect(try pokedex.count(.true) == 2)
  }

  @Test("a transaction is undone by errors of every type")
  func transaction() throws {
    struct Stop: Error {}
    let table = try Pokemon.schema.table()
    #expect(throws: Stop.self) {
      try store.transaction { transaction in
        try transaction.writer(for: table, replacing: false).write([2, "Ivysaur", "grass", 13.0])
        throw Stop()
      }
    }
    #expect(try pokedex.count(.true) == 1)
  }

  @Test("a stored value that no longer fits its property is an error that names table, row and column")
  func unreadable() throws {
    try store.runBlocking(.write) { connection throws(RepositoryError) in
      _ = try connection.execute("UPDATE pokemon SET type = 'ghost'")
    }
    let error = #expect(throws: RepositoryError.self) { try pokedex.find(1) }
    #expect(error?.code == .unreadableRow)
    #expect(error?.summary == "row 1 of pokemon can't be read, column type")
  }

  @Test("a table that differs from the schema is named column by column")
  func mismatch() throws {
    struct Other: Entity {
      let id: Int
      var name: String?
      var weight: String
      static let schema = Schema(
        "pokemon", Other.init, Column("id", \.id), Column("name", \.name), Column("wight", \.weight))
    }
    let error = #expect(throws: RepositoryError.self) { try store.repository(of: Other.self) }
    #expect(error?.code == .schemaMismatch)
    #expect(
      error?.reason == """
        column name may not be null; column wight is missing; column type is not in the schema and may not be null
        """)
  }

  @Test("statements of one shape are kept, and nested uses of one don't meet")
  func statements() throws {
    try store.runBlocking(.write) { connection throws(RepositoryError) in
      for id in [2, 3] {
        try connection.execute("INSERT INTO pokemon VALUES (?, ?, 'fire', 1.0)", [.integer(Int64(id)), .text("\(id)")])
      }
      let all = CompiledStatement(sql: "SELECT id FROM pokemon ORDER BY id", bindings: [])
      var pairs = 0
      try connection.query(all) { _ throws(RepositoryError) in
        try connection.query(all) { _ in pairs += 1 }
      }
      #expect(pairs == 9)
    }
  }

  @Test("many tasks use one store at once")
  func tasks() async throws {
    let erased = AnyRepository(pokedex)
    try await withThrowingTaskGroup { group in
      for task in 0..<16 {
        group.addTask {
          for step in 0..<50 {
            let id = 100 + task * 50 + step
            try await erased.save(Pokemon(id: id, name: "\(id)", type: .water, weight: nil))
            _ = try await erased.findAll(where: { $0.name.hasPrefix("1") }, limit: 3)
            _ = try await erased.find(id)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await erased.count() == 801)
  }
}
