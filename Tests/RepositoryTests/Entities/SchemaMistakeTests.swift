import Repository
import Testing

@Suite("Mistakes in a schema are found and named")
struct SchemaMistakeTests {
  struct Fighter: Entity {
    let id: Int
    var attack: Int
    var defense: Int
    /// The initialiser takes the attack first.
    static let schema = Schema(
      "fighter", Fighter.init, Column("id", \.id), Column("defense", \.defense), Column("attack", \.attack))
  }

  @Test("Columns in another order than the initialiser's are found when an element is saved")
  func swappedOnSave() throws {
    // A schema of its own for each test: it looks at the first elements that come its way.
    let schema = Schema(
      "fighter", Fighter.init, Column("id", \.id), Column("defense", \.defense), Column("attack", \.attack))
    let repository = try MemoryRepository(schema: schema)
    // Equal values tell nothing.
    try repository.save([Fighter(id: 1, attack: 5, defense: 5)])
    let error = #expect(throws: RepositoryError.self) { try repository.save([Fighter(id: 2, attack: 9, defense: 5)]) }
    #expect(error?.code == .invalidSchema)
    #expect(error?.summary == "defense and attack of fighter come back with each other's values")
    #expect(error?.suggestion == "swap defense and attack in the schema")
    #expect(try repository.count(.true) == 1)
  }

  @Test("Columns in another order than the initialiser's are found when an element is read")
  func swappedOnRead() async throws {
    let store = MemoryStore()
    let table = try Fighter.schema.table()
    try await store.repository(Schema(table)).save(Record(["id": 1, "attack": 9, "defense": 5], for: table))
    let fighters: AnyRepository<Fighter> = try store.repository()
    let error = await #expect(throws: RepositoryError.self) { try await fighters.findAll() }
    #expect(error?.code == .invalidSchema)
    #expect(error?.summary == "defense and attack of fighter come back with each other's values")
  }

  struct Person: Storable {
    let id: String
    var name: String
    var town: String
  }

  @Test("Texts in another order are found too, and columns in the right order are let be")
  func swappedTexts() throws {
    let person = Person(id: "1", name: "Ash", town: "Pallet")
    let right = Schema("person", Person.init, Column("id", \.id), Column("name", \.name), Column("town", \.town))
    #expect(try MemoryRepository([person], schema: right).find("1")?.town == "Pallet")
    let wrong = Schema("person", Person.init, Column("id", \.id), Column("town", \.town), Column("name", \.name))
    let error = #expect(throws: RepositoryError.self) { try MemoryRepository([person], schema: wrong) }
    #expect(error?.summary == "town and name of person come back with each other's values")
  }

  @Test("A primary key that is not the element's id is found")
  func keyIsNotID() throws {
    let schema = Schema(
      "person", Person.init, Column("id", \.id), Column("name", \.name, .primaryKey), Column("town", \.town))
    let error = #expect(throws: RepositoryError.self) {
      try MemoryRepository([Person(id: "1", name: "Ash", town: "Pallet")], schema: schema)
    }
    #expect(error?.code == .invalidSchema)
    #expect(error?.summary == "the primary key of person is not the id of its elements")
  }

  @Test(
    "A schema that contradicts itself is refused when it is opened",
    arguments: [
      (
        Schema("person", Person.init, Column("key", \.id), Column("name", \.name), Column("town", \.town)),
        "the schema of person has no primary key", String?.none
      ),
      (
        Schema("person", Person.init, Column("id", \.id), Column("name", \.name), Column("name", \.town)),
        "the schema of person is not valid", "two columns are called name"
      ),
      (
        Schema("person", Person.init, Column("id", \.id), Column("name", \.name), Column("Name", \.town)),
        "the schema of person is not valid", "two columns are called Name"
      ),
      (
        Schema("", Person.init, Column("id", \.id), Column("name", \.name), Column("town", \.town)),
        "the schema of a table is not valid", "the table has no name"
      ),
      (
        Schema("person", Person.init, Column("id", \.id), Column("", \.name), Column("town", \.town)),
        "the schema of person is not valid", "a column has no name"
      ),
    ])
  func contradictions(schema: Schema<Person>, summary: String, reason: String?) throws {
    let error = #expect(throws: RepositoryError.self) { try MemoryStore().repository(schema) }
    #expect(error?.code == .invalidSchema)
    #expect(error?.summary == summary)
    #expect(error?.reason == reason)
    #expect(throws: RepositoryError.self) { try schema.table() }
  }

  struct Anonymous: Entity {
    let id: String?
    static let schema = Schema("anonymous", Anonymous.init, Column("id", \.id))
  }

  @Test("A key that may be null is refused")
  func nullableKey() throws {
    let error = #expect(throws: RepositoryError.self) { try MemoryRepository<Anonymous>() }
    #expect(error?.code == .invalidSchema)
    #expect(error?.reason == "id is part of the primary key and may be null")
  }
}
