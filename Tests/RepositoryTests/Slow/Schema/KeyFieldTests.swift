import Query
import Repository
import TestSupport
import Testing

@Suite("The primary key in a closure")
struct KeyFieldTests {
  struct LineID: PrimaryKey {
    var order: Int
    var number: Int
    func keyValues() throws(ValueError) -> [Value] { [try order.makeValue(), try number.makeValue()] }
  }

  /// The key is a property whose own properties have columns, and so is another property of its type.
  struct Line: Entity {
    let id: LineID
    var previous: LineID
    static let schema = Schema<Line>(table: "line") {
      Parameters { Line(id: LineID(order: $0, number: $1), previous: LineID(order: $2, number: $3)) }
      Column("number", \.id.order, .primaryKey)
      Column("order", \.id.number, .primaryKey)
      Column("previous_order", \.previous.order)
      Column("previous_number", \.previous.number)
    }
  }

  /// The key is computed from properties with columns.
  struct Drawer: Entity {
    var cabinet: Int
    var number: Int
    var id: LineID { LineID(order: cabinet, number: number) }
    static let schema = Schema<Drawer>(table: "drawer") {
      Parameters(of: Drawer.init)
      Column("cabinet", \.cabinet, .primaryKey)
      Column("number", \.number, .primaryKey)
    }
  }

  struct Species: Entity {
    var number: Int
    var id: Int { number }
    static let schema = Schema<Species>(table: "species") {
      Parameters(of: Species.init)
      Column("number", \.number, .primaryKey)
    }
  }

  @Test("of several columns is compared as a whole, whether stored or computed")
  func composite() async throws {
    let ids = [LineID(order: 1, number: 1), LineID(order: 1, number: 2), LineID(order: 2, number: 1)]
    let lines = AnyRepository(try MemoryRepository(ids.map { Line(id: $0, previous: ids[0]) }))
    let drawers = AnyRepository(try MemoryRepository(ids.map { Drawer(cabinet: $0.order, number: $0.number) }))
    #expect(try await lines.filter { $0.id == ids[1] }.all().map(\.id) == [ids[1]])
    #expect(try await drawers.filter { $0.id == ids[1] }.all().map(\.id) == [ids[1]])
    #expect(try await drawers.filter { $0.id != ids[1] }.all().map(\.id) == [ids[0], ids[2]])
    #expect(try await drawers.filter { $0.id.in([ids[2], ids[0]]) }.all().map(\.id) == [ids[0], ids[2]])
    #expect(try await drawers.filter { !$0.id.in(ids[1...]) }.all().map(\.id) == [ids[0]])
    #expect(try await drawers.filter { $0.id.in([]) }.count() == 0)
    #expect(try await lines.filter { $0.id.number == 2 && $0.id == ids[1] }.count() == 1)
    #expect(try await lines.filter { $0.id.order > 1 }.all().map(\.id) == [ids[2]])
    await expectError(.invalidQuery, summary: "\\Drawer.id.order has no column in drawer") {
      try await drawers.filter { $0.id.order > 1 }.all()
    }
  }

  @Test("is not mistaken for another property of its type")
  func otherProperty() async throws {
    let lines = AnyRepository(try MemoryRepository<Line>())
    await expectError(.invalidQuery, summary: "\\Line.previous has no column in line") {
      try await lines.filter { $0.previous == LineID(order: 1, number: 1) }.all()
    }
  }

  @Test("of one column is a field, whatever the name of the column")
  func single() async throws {
    let species = AnyRepository(try MemoryRepository([Species(number: 1), Species(number: 2)]))
    #expect(try await species.filter { $0.id > 1 && [2, 3].contains($0.id) }.all().map(\.id) == [2])
    #expect(try await species.sorted { $0.id.descending }.select { $0.id + 1 } == [3, 2])
  }

  @Test("with another number of values than columns is refused")
  func count() async throws {
    struct Wide: Entity {
      var a: Int
      var b: Int
      var c: Int
      var id: LineID { LineID(order: a, number: b) }
      static let schema = Schema<Wide>(table: "wide") {
        Parameters(of: Wide.init)
        Column("a", \.a, .primaryKey)
        Column("b", \.b, .primaryKey)
        Column("c", \.c, .primaryKey)
      }
    }
    let wide = AnyRepository(try MemoryRepository<Wide>())
    await expectError(.invalidQuery, "the key of Wide has 3 columns, not 2") {
      try await wide.filter { $0.id == LineID(order: 1, number: 1) }.all()
    }
  }
}
