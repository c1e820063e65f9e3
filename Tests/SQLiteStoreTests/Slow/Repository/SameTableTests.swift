import Query
import Repository
import SQLiteStore
import TestSupport
import Testing

@Suite("What a table may be, and what is saved over what, is the same in every store")
struct SameTableTests {
  enum Kind: CaseIterable {
    case memory, sqlite

    func store() throws -> any Store {
      switch self {
      case .memory: MemoryStore()
      case .sqlite: try SQLiteStore.inMemory()
      }
    }
  }

  private static func table(_ name: String, columns: Int = 1) throws -> TableSchema {
    try TableSchema(
      name, columns: (0..<columns).map { ColumnSchema("c\($0)", .integer, isNullable: $0 > 0) }, primaryKey: ["c0"])
  }

  @Test(
    "tables that a database could not hold are refused early", arguments: Kind.allCases,
    [
      ("sqlite_x", 1, "begin with sqlite_"), ("SQLite_stat1", 1, "begin with sqlite_"),
      ("t", 2_001, "the table has 2001 columns"), ("CITY", 1, "from the table city only in case"),
    ])
  func refused(kind: Kind, table: (name: String, columns: Int, reason: String)) throws {
    let store = try kind.store()
    let _: AnyRepository<Record> = try store.repository(Schema(try Self.table("city")))
    let error = #expect(throws: RepositoryError.self) {
      let _: AnyRepository<Record> = try store.repository(Schema(Self.table(table.name, columns: table.columns)))
    }
    #expect(error?.code == .invalidSchema)
    #expect(error?.reason?.contains(table.reason) == true, "\(String(describing: error))")
  }

  @Test(
    "a table that cascades would mistake for the deleted row is refused, also by a migration", arguments: Kind.allCases,
    [
      ("old", DeleteRule.cascade, true), ("OLD", .setNull, true), ("old", .restrict, false), ("new", .cascade, false),
      ("older", .cascade, false),
    ])
  func cascades(kind: Kind, example: (name: String, rule: DeleteRule, isRefused: Bool)) async throws {
    let store = try kind.store()
    let cities: AnyRepository<Record> = try store.repository(Schema(try Self.table("city")))
    let table = try TableSchema(
      example.name,
      columns: [ColumnSchema("c0", .integer), ColumnSchema("city", .integer, isNullable: true)], primaryKey: ["c0"],
      references: [ReferenceRule(["city"], to: "city", key: ["c0"], onDelete: example.rule)])
    guard !example.isRefused else {
      expectError(.invalidSchema, "choose another name") {
        let _: AnyRepository<Record> = try store.repository(Schema(table))
      }
      await expectError(.invalidSchema, "choose another name") {
        try await SQLiteStore.inMemory().migrate([Migration("old") { try $0.create(table) }])
      }
      return
    }
    let rows: AnyRepository<Record> = try store.repository(Schema(table))
    let city = try TableSchema("city", columns: [ColumnSchema("c0", .integer)], primaryKey: ["c0"])
    try await cities.save([1, 2].map { Record(values: [$0], in: city) })
    try await rows.save([[1, 2], [2, 2], [3, .null]].map { Record(values: $0, in: table) })
    #expect(try await cities.delete(where: .equal(key: "c0", value: 1)) == 1)
    #expect(try await rows.count(.true) == 3)
  }

  @Test("2,000 columns and names that look alike are no reason", arguments: Kind.allCases)
  func accepted(kind: Kind) async throws {
    let store = try kind.store()
    for (name, columns) in [("t", 2_000), ("sqlit", 1), ("ÄB", 1), ("äb", 1), (" t", 1)] {
      let table = try Self.table(name, columns: columns)
      let repository: AnyRepository<Record> = try store.repository(Schema(table))
      try await repository.save([Record(values: [1] + Array(repeating: .null, count: columns - 1), in: table)])
      #expect(try await repository.count(.true) == 1)
    }
  }

  @Test("a key stays as it was written first", arguments: Kind.allCases)
  func keys(kind: Kind) async throws {
    let table = try TableSchema(
      "t", columns: [ColumnSchema("key", .any), ColumnSchema("note", .any)], primaryKey: ["key"])
    let repository: AnyRepository<Record> = try kind.store().repository(Schema(table))
    for (first, second) in [(0, 0.0), (2.0, 2)] as [(Value, Value)] {
      try await repository.save([Record(values: [first, first], in: table)])
      try await repository.save([Record(values: [second, second], in: table)])
      let found = try await repository.findAll(FetchRequest(.equal(key: "key", value: first)))
      // Equal numbers are told apart by their texts.
      #expect(found.map { $0.values.map(\.description) } == [[first.description, second.description]])
    }
  }

  struct Person: Entity, Equatable {
    let id: Int
    var name: String
    var age: Int?
    var note: String?

    static let schema = Schema(
      "person", Person.init, Column("id", \.id), Column("name", \.name), Column("age", \.age), Column("note", \.note))
  }

  struct NamedPerson: Entity, Equatable {
    var name: String
    let id: Int

    static let schema = Schema("person", NamedPerson.init, Column("name", \.name), Column("id", \.id))
  }

  @Test("a smaller entity over the same table has its columns alone, and keeps the others", arguments: Kind.allCases)
  func smallerEntity(kind: Kind) async throws {
    let store = try kind.store()
    let people = try store.repository(of: Person.self)
    let names = try store.repository(of: NamedPerson.self)
    let ada = Person(id: 1, name: "Ada", age: 36, note: "first")
    try await people.save([ada, Person(id: 2, name: "Bob", age: nil, note: nil)])
    #expect(try await names.findAll(sortedBy: { $0.name.ascending }).map(\.name) == ["Ada", "Bob"])
    #expect(try await names.find(1) == NamedPerson(name: "Ada", id: 1))
    try await names.save([NamedPerson(name: "Eve", id: 1), NamedPerson(name: "Cid", id: 3)])
    try await names.insert([NamedPerson(name: "Dan", id: 4)])
    #expect(try await names.update(where: .equal(key: "name", value: "Dan"), set: [Assignment("name", "Don")]) == 1)
    #expect(try await names.delete(where: .equal(key: "name", value: "Bob")) == 1)
    #expect(
      try await people.findAll(FetchRequest()) == [
        Person(id: 1, name: "Eve", age: 36, note: "first"), Person(id: 3, name: "Cid", age: nil, note: nil),
        Person(id: 4, name: "Don", age: nil, note: nil),
      ])
    await expectError(.invalidQuery) {
      try await names.count(.equal(key: "age", value: 36))
    }
    await #expect(throws: RepositoryError.self) { try await names.insert([NamedPerson(name: "x", id: 1)]) }
    #expect(try await names.delete([1, 3, 9]) == 2)
    #expect(try await people.count(.true) == 1)
  }

  struct Street: Entity, Equatable {
    let id: Int
    var name: String
    static let schema = Schema("street", Street.init, Column("id", \.id), Column("name", \.name))
  }

  struct House: Entity, Equatable {
    let id: Int
    var street: Int
    static let road = ToOne(\House.street, to: Street.self)
    static let schema = Schema(
      "house", House.init, Column("id", \.id), Column("street", \.street)
    ).references(road)
  }

  struct PlainHouse: Entity, Equatable {
    let id: Int
    var street: Int
    static let schema = Schema("house", PlainHouse.init, Column("id", \.id), Column("street", \.street))
  }

  @Test("an entity that leaves a rule out keeps it all the same", arguments: Kind.allCases)
  func fewerRules(kind: Kind) async throws {
    let store = try kind.store()
    let houses = try store.repository(of: House.self)
    let plain = try store.repository(of: PlainHouse.self)
    await expectError(.foreignKeyViolation) { try await plain.save([PlainHouse(id: 1, street: 7)]) }
    #expect(try await houses.count(.true) == 0)
  }

  @Test(
    "a rule for conflicts is about the columns of its schema, wherever the table has them", arguments: Kind.allCases)
  func ruleOfFewerColumns(kind: Kind) async throws {
    let store = try kind.store()
    let (note, id, name) = (
      ColumnSchema("note", .text, isNullable: true), ColumnSchema("id", .integer),
      ColumnSchema("name", .text, isUnique: true)
    )
    let _: AnyRepository<Record> = try store.repository(
      Schema(try TableSchema("t", columns: [note, id, name], primaryKey: ["id"])))
    let table = try TableSchema("t", columns: [id, name], primaryKey: ["id"])
    let rows: AnyRepository<Record> = try store.repository(Schema(table))
    try await rows.save([Record(values: [1, "a"], in: table)])
    let kept = try await rows.insert([Record(values: [2, "a"], in: table)], onConflict: .update(by: ["name"]))
    #expect(kept.map(\.values) == [[1, "a"]])
  }
}
