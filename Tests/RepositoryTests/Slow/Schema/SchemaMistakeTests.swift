import Foundation
import Query
import Repository
import TestSupport
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
    try repository.blocking.save([Fighter(id: 1, attack: 5, defense: 5)])
    expectError(
      .invalidSchema, summary: "reading fighter swaps the values of defense and attack",
      suggestion: "swap defense and attack in the schema"
    ) {
      try repository.blocking.save([Fighter(id: 2, attack: 9, defense: 5)])
    }
    #expect(try repository.blocking.count(.true) == 1)
  }

  @Test("A generated key whose property is not optional is refused")
  func generatedAlways() {
    struct Note: Entity {
      let id: Int
      static let schema = Schema("note", Note.init, Column("id", \.id, .generated))
    }
    let error = #expect(throws: RepositoryError.self) { try MemoryRepository<Note>() }
    #expect(error?.code == .invalidSchema)
    #expect(error?.reason?.hasPrefix("id is generated, and its property is not optional") == true)
  }

  @Test("Two columns that store the same property are refused")
  func repeatedProperty() {
    struct Twin: Entity {
      let id: Int
      var a: Int
      var b: Int
      static let schema = Schema<Twin>(table: "twin") {
        Parameters(of: Twin.init)
        Column("id", \.id)
        Column("a", \.a)
        Column("b", \.a)
      }
    }
    expectError(
      .invalidSchema, summary: "the schema of twin is not valid",
      reason: "the columns a and b store the same property, \\Twin.a"
    ) {
      try MemoryRepository<Twin>()
    }
  }

  @Test("A default that no column can store is refused, and a default of the property's type is the column's")
  func defaults() throws {
    enum Kind: String, ValueConvertible { case fire, water }
    struct Priced: Storable {
      let id: Int
      var kind: Kind
      var price: Decimal
    }
    func table(_ price: Decimal) throws -> TableSchema {
      try Schema<Priced>(table: "priced") {
        Parameters(of: Priced.init)
        Column("id", \.id)
        Column("kind", \.kind, .default(Kind.water))
        Column("price", \.price, .default(price))
      }.table()
    }
    let price = Decimal(1.5)
    #expect(try table(price).columns.compactMap(\.defaultValue) == ["water", try price.makeValue()])
    expectError(.invalidSchema, "the default of price") { try table(.nan) }
  }

  @Test("Columns in another order than the initialiser's are found when an element is read")
  func swappedOnRead() async throws {
    let store = MemoryStore()
    let table = try Fighter.schema.table()
    try await store.repository(Schema(table)).save(Record(["id": 1, "attack": 9, "defense": 5], for: table))
    let fighters = try store.repository(of: Fighter.self)
    await expectError(.invalidSchema, summary: "reading fighter swaps the values of defense and attack") {
      try await fighters.findAll()
    }
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
    #expect(try MemoryRepository([person], schema: right).blocking.find("1")?.town == "Pallet")
    let wrong = Schema("person", Person.init, Column("id", \.id), Column("town", \.town), Column("name", \.name))
    expectError(summary: "reading person swaps the values of town and name") {
      try MemoryRepository([person], schema: wrong)
    }
  }

  @Test("A primary key that is not the element's id is found")
  func primaryKeyIsNotID() throws {
    let schema = Schema(
      "person", Person.init, Column("id", \.id), Column("name", \.name, .primaryKey), Column("town", \.town))
    expectError(.invalidSchema, summary: "the primary key of person is not the id of its elements") {
      try MemoryRepository([Person(id: "1", name: "Ash", town: "Pallet")], schema: schema)
    }
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
        "the schema of person is not valid", "two columns have the name name"
      ),
      (
        Schema("person", Person.init, Column("id", \.id), Column("name", \.name), Column("Name", \.town)),
        "the schema of person is not valid", "two columns have the name Name"
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
    expectError(.invalidSchema, summary: summary, reason: reason) { try MemoryStore().repository(schema) }
    #expect(throws: RepositoryError.self) { try schema.table() }
  }

  struct Anonymous: Entity {
    let id: String?
    static let schema = Schema("anonymous", Anonymous.init, Column("id", \.id))
  }

  @Test("A key that may be null is refused")
  func nullableKey() throws {
    expectError(.invalidSchema, reason: "id is a part of the primary key and may be null") {
      try MemoryRepository<Anonymous>()
    }
  }
}

/// The initialisers over a number of columns read them in their order, as the one over a parameter pack does.
@Suite("A schema of any number of columns")
struct ArityTests {
  struct Wide: Entity, Equatable {
    var values: [Int]
    var id: Int { values[0] }
    subscript(position: Int) -> Int { values[position] }
    static let schema = Schema("wide", { (a0: Int) in Wide(values: [a0]) }, wideColumn(0))
  }

  private static func column(_ position: Int) -> Column<Wide, Int> { wideColumn(position) }

  static let schemas: [Schema<Wide>] = [
    Schema("wide", { (a0: Int) in Wide(values: [a0]) }, column(0)),
    Schema("wide", { (a0: Int, a1: Int) in Wide(values: [a0, a1]) }, column(0), column(1)),
    Schema("wide", { (a0: Int, a1: Int, a2: Int) in Wide(values: [a0, a1, a2]) }, column(0), column(1), column(2)),
    Schema(
      "wide", { (a0: Int, a1: Int, a2: Int, a3: Int) in Wide(values: [a0, a1, a2, a3]) }, column(0), column(1),
      column(2), column(3)),
    Schema(
      "wide", { (a0: Int, a1: Int, a2: Int, a3: Int, a4: Int) in Wide(values: [a0, a1, a2, a3, a4]) }, column(0),
      column(1), column(2), column(3), column(4)),
    Schema(
      "wide", { (a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int) in Wide(values: [a0, a1, a2, a3, a4, a5]) },
      column(0), column(1), column(2), column(3), column(4), column(5)),
    Schema(
      "wide",
      { (a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int) in Wide(values: [a0, a1, a2, a3, a4, a5, a6]) },
      column(0), column(1), column(2), column(3), column(4), column(5), column(6)),
    Schema(
      "wide",
      { (a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int, a7: Int) in
        Wide(values: [a0, a1, a2, a3, a4, a5, a6, a7])
      }, column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7)),
    Schema(
      "wide",
      { (a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int, a7: Int, a8: Int) in
        Wide(values: [a0, a1, a2, a3, a4, a5, a6, a7, a8])
      }, column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8)),
    Schema(
      "wide",
      { (a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int, a7: Int, a8: Int, a9: Int) in
        Wide(values: [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9])
      }, column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8), column(9)),
    Schema(
      "wide",
      { (a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int, a7: Int, a8: Int, a9: Int, a10: Int) in
        Wide(values: [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10])
      }, column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8), column(9),
      column(10)),
    Schema(
      "wide",
      {
        (a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int, a7: Int, a8: Int, a9: Int, a10: Int, a11: Int)
        in Wide(values: [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11])
      }, column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8), column(9),
      column(10), column(11)),
    Schema(
      "wide",
      {
        (
          a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int, a7: Int, a8: Int, a9: Int, a10: Int, a11: Int,
          a12: Int
        ) in Wide(values: [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12])
      }, column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8), column(9),
      column(10), column(11), column(12)),
    Schema(
      "wide",
      {
        (
          a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int, a7: Int, a8: Int, a9: Int, a10: Int, a11: Int,
          a12: Int, a13: Int
        ) in Wide(values: [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13])
      }, column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8), column(9),
      column(10), column(11), column(12), column(13)),
    Schema(
      "wide",
      {
        (
          a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int, a7: Int, a8: Int, a9: Int, a10: Int, a11: Int,
          a12: Int, a13: Int, a14: Int
        ) in Wide(values: [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14])
      }, column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8), column(9),
      column(10), column(11), column(12), column(13), column(14)),
    Schema(
      "wide",
      {
        (
          a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int, a7: Int, a8: Int, a9: Int, a10: Int, a11: Int,
          a12: Int, a13: Int, a14: Int, a15: Int
        ) in Wide(values: [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15])
      }, column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8), column(9),
      column(10), column(11), column(12), column(13), column(14), column(15)),
    Schema(
      "wide",
      {
        (
          a0: Int, a1: Int, a2: Int, a3: Int, a4: Int, a5: Int, a6: Int, a7: Int, a8: Int, a9: Int, a10: Int, a11: Int,
          a12: Int, a13: Int, a14: Int, a15: Int, a16: Int
        ) in Wide(values: [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16])
      }, column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7), column(8), column(9),
      column(10), column(11), column(12), column(13), column(14), column(15), column(16)),
  ]

  @Test("reads and writes each in its place")
  func order() throws {
    for (index, schema) in Self.schemas.enumerated() {
      let wide = Wide(values: (0...index).map { $0 * 7 + 1 })
      let table = try schema.table()
      #expect(table.columns.count == index + 1)
      for _ in 0..<3 { #expect(try schema.element(from: schema.row(from: wide, in: table), in: table) == wide) }
      let repository = try MemoryRepository([wide], schema: schema)
      #expect(try repository.blocking.findAll(FetchRequest()) == [wide])
    }
  }
}

private func wideColumn(_ position: Int) -> Column<ArityTests.Wide, Int> {
  Column(position == 0 ? "id" : "c\(position)", \.[position])
}
