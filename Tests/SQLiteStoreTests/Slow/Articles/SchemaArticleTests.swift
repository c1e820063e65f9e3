import SQLiteStore
import TestSupport
import Testing

/// Runs what the article *Schema over time* says.
@Suite("The article Schema over time tells the truth")
struct SchemaArticleTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  struct Pokemon: Entity {
    let id: Int
    var name: String
    var weight: Double
    var nickname: String?

    static let schema = Schema<Pokemon>(table: "pokemon") {
      Parameters(of: Pokemon.init)
      Column("id", \.id)
      Column("name", \.name)
      Column("weight", \.weight)
      Column("nickname", \.nickname)
    }
  }

  private static let article = Result { try Article("Sources/SQLiteStore/SQLiteStore.docc/SchemaOverTime.md") }

  @Test("the examples run, and print what they are said to print")
  func examples() async throws {
    let store = try SQLiteStore(path: folder.path("a.sqlite"))
    let firstPokemon = try TableSchema(
      "pokemon", columns: [ColumnSchema("id", .integer), ColumnSchema("name", .text), ColumnSchema("weight", .real)],
      primaryKey: ["id"])
    let migrations = [
      Migration("create pokemon") { try $0.create(firstPokemon) },
      Migration("add nickname") { try $0.addColumn(ColumnSchema("nickname", .text, isNullable: true), to: "pokemon") },
      Migration("weigh in hectograms") { try $0.execute("UPDATE pokemon SET weight = weight * \(10)") },
    ]
    var printed: [String] = []
    func print(_ value: some Any) { printed.append("\(value)") }

    let plan = try store.migrationPlan(migrations)
    print(plan)
    #expect(try printed == Self.article.get().blocks("sql"))

    // A table of the first version.
    try await store.migrate([migrations[0]])
    try await store.sql.execute("INSERT INTO pokemon VALUES (1, ' Bulbasaur', 6.9)")
    printed = []
    let differences = try store.schemaDifferences(of: Pokemon.schema)
    for difference in differences { print(difference) }
    #expect(try printed.map { $0 + "\n" } == Self.article.get().blocks(""))
    do {
      let other = try SQLiteStore(path: folder.path("b.sqlite"))
      _ = try other.repository(Schema<Record>(firstPokemon))
      let store = other
      let pokedex = try store.repository(of: Pokemon.self, adding: .columns)
      try await pokedex.save([Pokemon(id: 1, name: "a", weight: 1, nickname: nil)])
    }

    do {
      let oldStore = try SQLiteStore(path: folder.path("old.sqlite"))
      let newStore = try SQLiteStore(path: folder.path("new.sqlite"))
      let tables = try oldStore.repository(Schema<Record>(firstPokemon))
      try await tables.save(Record(["id": 1, "name": "a", "weight": 1.5], for: firstPokemon))
      let sinceThen = [
        Migration("first tables") { try $0.create(firstPokemon, ifMissing: true) },
        Migration("add nickname") {
          try $0.addColumn(ColumnSchema("nickname", .text, isNullable: true), to: "pokemon")
        },
      ]
      let (old, new) = (try await oldStore.migrate(sinceThen), try await newStore.migrate(sinceThen))
      #expect(old.count == 2 && new.count == 2)
      #expect(try await oldStore.repository(of: Pokemon.self).find(1)?.name == "a")
      #expect(try await newStore.repository(of: Pokemon.self).count() == 0)
    }

    let newer = try SQLiteStore(path: folder.path("c.sqlite"))
    let fresh = try await newer.migrate(migrations)
    printed = []
    do {
      let applied = fresh
      print(applied.map(\.name))  // ["create pokemon", "add nickname", "weigh in hectograms"]
    }
    #expect(printed == [#"["create pokemon", "add nickname", "weigh in hectograms"]"#])

    let applied = try await store.migrate(migrations)
    #expect(applied.count == 2)
    let grams = try TableSchema(
      "pokemon",
      columns: [
        ColumnSchema("id", .integer), ColumnSchema("name", .text), ColumnSchema("weight", .integer),
        ColumnSchema("nickname", .text, isNullable: true),
      ], primaryKey: ["id"])
    try await store.migrate(
      migrations + [
        Migration("trim names") {
          try $0.run("trim names") { transaction in
            let pokemon = try transaction.sqlRepository(Schema(firstPokemon))
            for record in try await pokemon.findAll() {
              guard case .text(let name)? = record["name"], let id = record["id"] else { continue }
              let trimmed = String(name.drop { $0 == " " })
              try await transaction.sql.execute("UPDATE pokemon SET name = \(trimmed) WHERE id = \(id)")
            }
          }
        },
        Migration("weigh in grams") {
          try $0.rebuild("pokemon", as: grams, taking: ["weight": "CAST(weight * 100 AS INTEGER)"])
        },
      ])
    let rows = try await store.sql.query("SELECT * FROM pokemon")
    #expect(rows.map(\.values) == [[1, "Bulbasaur", 6900, .null]])
  }

  @Test("every line of Swift in it stands in this file")
  func snippets() throws {
    let snippets = try Self.article.get().snippets()
    #expect(snippets.count > 25 && snippets.missing.isEmpty)
  }
}
