import SQLiteStore
import Testing

/// Properties that are no single value of a column, in conditions, lookups and updates.
@Suite("Composite keys, optional properties and JSON")
struct FieldValueTests {
  struct Berth: Entity, Hashable {
    struct ID: PrimaryKey {
      let ship: Int
      let deck: String
      func keyValues() throws(ValueError) -> [Value] { [try ship.makeValue(), deck.makeValue()] }
    }

    let ship: Int
    let deck: String
    var guests: Int?
    var fare: Double?
    var extras: [String]
    var id: ID { ID(ship: ship, deck: deck) }

    static let schema = Schema(table: "berth") {
      Parameters(of: Berth.init)
      Column("ship", \.ship, .primaryKey)
      Column("deck", \.deck, .primaryKey)
      Column("guests", \.guests)
      Column("fare", \.fare)
      Column("extras", json: \.extras)
    }
  }

  private static let berths = [
    Berth(ship: 1, deck: "a", guests: 2, fare: 10, extras: []),
    Berth(ship: 1, deck: "b", guests: nil, fare: nil, extras: ["bar", "spa"]),
    Berth(ship: 2, deck: "a", guests: 3, fare: 30, extras: ["spa"]),
  ]

  private static func open(inMemory: Bool) async throws -> AnyRepository<Berth> {
    let store: any Store = inMemory ? MemoryStore() : try SQLiteStore.inMemory()
    let berths = try store.repository(of: Berth.self)
    try await berths.insert(Self.berths)
    return berths
  }

  @Test("are found by keys, in the order of the keys", arguments: [true, false])
  func keys(inMemory: Bool) async throws {
    let berths = try await Self.open(inMemory: inMemory)
    let (first, third) = (Self.berths[0].id, Self.berths[2].id)
    let missing = Berth.ID(ship: 2, deck: "b")
    #expect(try await berths.find([third, missing, first, third]).map(\.id) == [third, first, third])
    #expect(try await berths.find([]).isEmpty)
    #expect(try await berths.filter { $0.id == first }.all().map(\.id) == [first])
    #expect(try await berths.filter { $0.id.in([third, missing]) }.all().map(\.id) == [third])
    // More keys than are looked up at a time.
    let many = (0..<1_200).map { Berth.ID(ship: 1_200 - $0, deck: "a") }
    #expect(try await berths.find(many).map(\.id) == [third, first])
  }

  @Test("are compared with JSON", arguments: [true, false])
  func json(inMemory: Bool) async throws {
    let berths = try await Self.open(inMemory: inMemory)
    #expect(try await berths.filter { $0.extras == ["bar", "spa"] }.all() == [Self.berths[1]])
    #expect(try await berths.filter { $0.extras != [] }.all() == Array(Self.berths[1...]))
  }

  @Test("are updated where they are not nil", arguments: [true, false])
  func optionals(inMemory: Bool) async throws {
    let berths = try await Self.open(inMemory: inMemory)
    let changed = try await berths.selection().updateReturning {
      $0.guests += 1
      $0.fare *= 2
    }
    #expect(changed.map(\.guests) == [3, nil, 4] && changed.map(\.fare) == [20, nil, 60])
    let set = try await berths.filter { $0.ship == 1 }.updateReturning { $0[\.guests] = 9 }
    #expect(set.map(\.guests) == [9, 9])
  }
}
