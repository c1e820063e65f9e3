import Foundation
import Query
import Repository
import TestSupport
import Testing

@Suite("Rules of a schema")
struct SchemaRuleTests {
  struct Trainer: Entity {
    let name: String
    /// The types refer to each other.
    var favourite: Int?
    var id: String { name }
    static let pet = ToOne(\Trainer.favourite, to: Pet.self, onDelete: .setNull)
    static let schema = Schema(
      "trainer", Trainer.init, Column("name", \.name, .primaryKey),
      Column("favourite", \.favourite)
    ).references(pet)
  }

  struct Pet: Entity {
    let id: Int?
    var name: String
    var home: String
    var weight: Double?
    var trainer: String
    static let owner = ToOne(\Pet.trainer, to: Trainer.self, onDelete: .cascade)
    static let schema = Schema(
      "pet", Pet.init, Column("id", \.id, .generated), Column("name", \.name), Column("home", \.home),
      Column("weight", \.weight), Column("trainer", \.trainer)
    ).references(owner)
      .unique(\.name, \.home)
      .check("has weight") { $0.weight == nil || $0.weight > 0 }
  }

  @Test("become rules of the table, and references are read when it is asked for")
  func table() throws {
    let table = try Pet.schema.table()
    #expect(table.uniqueSets == [[1, 2]])
    #expect(
      table.checks == [
        CheckRule("has weight", .isNull(key: "weight") || .greaterThan(key: "weight", value: 0.0))
      ])
    #expect(table.references == [ReferenceRule(["trainer"], to: "trainer", key: ["name"], onDelete: .cascade)])
    #expect(table.columns[0] == ColumnSchema("id", .integer, isGenerated: true))
    #expect(table.columns[4].isIndexed)
    #expect(try Pet.schema.tables().map(\.name) == ["pet", "trainer"])
    #expect(try Trainer.schema.tables().map(\.name) == ["trainer", "pet"])
  }

  struct Stray: Entity {
    let id: Int
    var trainer: Int
    var drawer: Int?
    static let schema = Schema(
      "stray", Stray.init, Column("id", \.id), Column("trainer", \.trainer), Column("drawer", \.drawer))
  }

  @Test("that can't be kept are refused when the schema is used")
  func mistakes() throws {
    let cases: [(Schema<Stray>, String)] = [
      (
        Stray.schema.references(ToOne(\.trainer, \.drawer, to: Pet.self)),
        "trainer and drawer can't refer to pet, whose key has 1 columns"
      ),
      (
        Stray.schema.references(ToOne(\.trainer, to: Pet.self, onDelete: .setNull)),
        "trainer becomes null when a row of pet is deleted, but trainer may not be null"
      ),
      (Stray.schema.unique(\.id), "id are already unique"),
      (
        Stray.schema.check("big") { _ in .equal(key: "size", value: 1) },
        "the check big is invalid: no column size in stray"
      ),
      (Stray.schema.unique(\.id) { $0.trainer == 1 }, "id is unique in all rows already"),
      (
        Stray.schema.unique(\.trainer) { _ in .equal(key: "size", value: 1) },
        "the condition of the partial unique constraint of trainer is invalid: no column size in stray"
      ),
      (
        Stray.schema.unique(\.trainer) { _ in .true },
        "the condition of the partial unique constraint of trainer is the same for every row"
      ),
      (
        Stray.schema.unique(\.trainer) { $0.drawer == 1 }.unique(\.trainer) { $0.drawer == 1 },
        "two partial unique constraints of trainer are the same"
      ),
      (
        Stray.schema.unique(\.trainer) { $0.drawer == nil }.references(
          ToOne(\.drawer, to: Pet.self, onDelete: .setNull)),
        "the condition of the partial unique constraint of trainer reads drawer, which becomes null when a row of pet is deleted"
      ),
    ]
    for (schema, reason) in cases {
      expectError(.invalidSchema, reason: reason) { try MemoryRepository(schema: schema) }
    }
    #expect(try Stray.schema.references(ToOne(\.drawer, to: Pet.self)).table().references.count == 1)
  }

  /// A type that makes other values than it says.
  struct Odd: ValueConvertible {
    let value: Value
    static var valueType: ValueType { .integer }
    init(value: Value) { self.value = value }
    func makeValue() -> Value { value }
  }

  struct Thing: Entity {
    let id: Int
    var odd: Odd
    static let schema = Schema("thing", Thing.init, Column("id", \.id), Column("odd", \.odd))
  }

  @Test("a value that its column can't hold is refused, whatever the type says")
  func oddValues() throws {
    let things = try MemoryRepository<Thing>()
    try things.blocking.save([Thing(id: 1, odd: Odd(value: 5.0))])
    #expect(try "\(things.blocking.find(1)?.odd.value ?? .null)" == "5")
    for value in [Value.null, "x", 1.5, .blob([])] {
      expectError(.invalidValue, summary: "can't store this value in thing, column odd") {
        try things.blocking.save([Thing(id: 2, odd: Odd(value: value))])
      }
    }
  }

  @Test("an update sets columns by their types, JSON too, and refuses a property without a column")
  func assignments() async throws {
    struct Team: Entity {
      let id: Int
      var members: [String]
      var size: Int { members.count }
      static let schema = Schema("team", Team.init, Column("id", \.id), Column("members", json: \.members))
    }
    let teams = AnyRepository(try MemoryRepository([Team(id: 1, members: [])]))
    #expect(try await teams.filter { $0.id == 1 }.update { $0.members = ["a", "b"] } == 1)
    #expect(try await teams.find(1)?.members == ["a", "b"])
    await expectError(.invalidQuery) {
      try await teams.filter { $0.id == 1 }.update { $0.size = 5 }
    }
  }
}
