import Foundation
import Query
import Repository
import SQL
@testable import SQLStore
@testable import SQLiteStore
import SQLiteStore
import TestSupport
import Testing

@Suite("Saving is all or nothing")
struct SavingTests {
  private let store: SQLiteStore
  private let pokedex: SQLiteRepository<Pokemon>

  init() throws {
    // Other tests may keep all threads busy for long.
    store = try SQLiteStore.inMemory(timeout: .seconds(120))
    pokedex = try store.sqlRepository(of: Pokemon.self)
    try pokedex.blocking.save([Pokemon(id: 1, name: "Bulbasaur", type: .grass, weight: 6.9)])
  }

  @Test("columns keep when elements were written")
  func timestamps() async throws { try await checkTimestamps(in: store) }

  @Test("decimals are kept exactly, and compared as numbers")
  func decimals() async throws {
    try await checkDecimals(in: store)
    try await checkRandomDecimals(in: SQLiteStore.inMemory(), rounds: Effort.rounds(3_000))
  }

  @Test("each value of a column of any type is kept, however many rows were before it")
  func valuesOfAnyType() async throws {
    let table = try TableSchema(
      "t", columns: [ColumnSchema("id", .integer), ColumnSchema("value", .any, isNullable: true)], primaryKey: ["id"])
    let records = try store.repository(Schema(table))
    let values: [Value] = [1, "a", .null, 2.5, .blob([1])]
    let rows = try (0..<200).map { id in
      try Record(["id": .integer(Int64(id)), "value": values[id % values.count]], for: table)
    }
    try await records.save(rows)
    #expect(try await records.findAll() == rows)
  }

  @Test("a column of decimals in another form is not read as one, nor opened")
  func otherDecimals() async throws {
    struct Bill: Entity {
      let id: Int
      var total: Decimal
      static let schema = Schema("bill", Bill.init, Column("id", \.id), Column("total", \.total))
    }
    try await store.sql.execute("CREATE TABLE bill (id INTEGER PRIMARY KEY NOT NULL, total TEXT NOT NULL) STRICT")
    try await store.sql.execute("INSERT INTO bill VALUES (1, '9.99')")
    let error = #expect(throws: RepositoryError.self) { try store.repository(of: Bill.self) }
    #expect(
      error?.code == .schemaMismatch
        && "\(error?.description ?? "")".contains("without the digits that define the order"))
    try await store.sql.execute("UPDATE bill SET total = '001 9.99'")
    #expect(try await store.repository(of: Bill.self).get(1).total == Decimal(string: "9.99"))
  }

  @Test("a conflict names the column, not the value, and undoes the batch")
  func conflict() throws {
    let error = #expect(throws: RepositoryError.self) {
      try pokedex.blocking.save([
        Pokemon(id: 4, name: "Charmander", type: .fire, weight: 8.5),
        Pokemon(id: 5, name: "Bulbasaur", type: .fire, weight: 8.5),
      ])
    }
    #expect(error?.code == .conflict)
    #expect(error?.summary == "another row of pokemon has the same name (text)")
    #expect(error?.description.contains("Bulbasaur") == false)
    #expect(try pokedex.blocking.count(.true) == 1)
    // The connection is as good as before.
    try pokedex.blocking.save([Pokemon(id: 4, name: "Charmander", type: .fire, weight: 8.5)])
    #expect(try pokedex.blocking.count(.true) == 2)
  }

  @Test("a transaction is undone by errors of every type")
  func transaction() throws {
    struct Stop: Error {}
    let table = try Pokemon.schema.table()
    #expect(throws: Stop.self) {
      try store.blocking.transaction(.writing) { transaction in
        try transaction.writer(for: table, replacing: false).write([2, "Ivysaur", "grass", 13.0])
        throw Stop()
      }
    }
    #expect(try pokedex.blocking.count(.true) == 1)
  }

  @Test("a stored value that no longer fits its property is an error that names table, row and column")
  func unreadable() throws {
    try store.runBlocking(.write) { connection throws(RepositoryError) in
      _ = try connection.execute("UPDATE pokemon SET type = 'ghost'")
    }
    expectError(.unreadableRow, summary: "can't read row 1 of pokemon, column type") { try pokedex.blocking.find(1) }
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
    expectError(
      .schemaMismatch,
      reason: """
        column name may not be null; column wight is missing; column type is not in the schema and may not be null
        """
    ) { try store.repository(of: Other.self) }
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

@Suite("Live results of a file")
struct LiveTests {
  @Test("Commits of other connections are noticed")
  func otherStore() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("cities.sqlite")
    let (one, other) = (try SQLiteStore(path: path), try SQLiteStore(path: path))
    var results = try one.repository(of: City.self).selection().changes().makeAsyncIterator()
    #expect(try await results.next() == [])
    try await other.repository(of: City.self).save(City.all)
    #expect(try await results.next() == City.all)
    try await other.sql.execute("DELETE FROM city WHERE id > 1")
    #expect(try await results.next() == [City.all[0]])
    let reader = try SQLiteStore(path: path, mode: .readOnly)
    var read = try reader.repository(of: City.self).selection().changes().makeAsyncIterator()
    #expect(try await read.next() == [City.all[0]])
    try await one.sql.execute("DELETE FROM city")
    #expect(try await read.next() == [])
  }

  @Test("Statements, triggers and foreign keys are noticed too")
  func statements() async throws {
    let store = try City.store()
    try await store.sql.execute("CREATE TABLE log (id INTEGER PRIMARY KEY)")
    try await store.sql.execute(
      "CREATE TRIGGER logged AFTER INSERT ON log BEGIN DELETE FROM city WHERE id = new.id; END")
    var results = try store.repository(of: City.self).selection().changes().makeAsyncIterator()
    #expect(try await results.next() == City.all)
    try await store.sql.execute("INSERT INTO log VALUES (1)")
    #expect(try await results.next() == Array(City.all.dropFirst()))
  }

  @Test(
    "Changes of other programs are not looked for any more once the last observer is gone")
  func ending() async throws {
    let folder = try TemporaryFolder()
    weak var weakStore: SQLiteStore?
    do {
      let store = try SQLiteStore(path: folder.path("cities.sqlite"))
      weakStore = store
      for try await cities in try store.repository(of: City.self).selection().changes() where cities.isEmpty { break }
    }
    #expect(weakStore == nil)
  }
}
