import Repository
import Synchronization
import Testing

@Suite("Related elements of a whole result come by one further query")
struct RelationTests {
  private let trainers: CountingRepository<Trainer>
  private let pets: CountingRepository<Pet>

  init() throws {
    trainers = CountingRepository(
      try MemoryRepository([
        Trainer(id: "Ash"), Trainer(id: "Misty"), Trainer(id: "é"), Trainer(id: "e\u{301}"), Trainer(id: "Nobody"),
      ]))
    pets = CountingRepository(
      try MemoryRepository([
        Pet(id: 1, trainerID: "Ash", weight: 6), Pet(id: 2, trainerID: nil, weight: 1),
        Pet(id: 3, trainerID: "Misty", weight: 34.5), Pet(id: 4, trainerID: "Ash", weight: 90.5),
        Pet(id: 5, trainerID: "e\u{301}", weight: 2), Pet(id: 6, trainerID: "gone", weight: 3),
      ]))
  }

  @Test("the elements to which a result refers, each asked for once")
  func parents() async throws {
    let found = try await pets.findAll()
    let parents = try await trainers.parents(of: found, by: \.trainerID)
    #expect(
      trainers.requests == [FetchRequest(.in(key: "id", values: ["Ash", "Misty", "e\u{301}", "gone"]))])
    #expect(found.map { parents[$0.trainerID]?.id } == ["Ash", nil, "Misty", "Ash", "e\u{301}", nil])
    #expect(parents.all.map(\.id) == ["Ash", "Misty", "e\u{301}"])
  }

  @Test("the elements that refer to a result, in the order that was asked for")
  func children() async throws {
    let found = try await trainers.findAll()
    let teams = try await pets.children(
      of: found, by: \.trainerID, where: { $0.weight > 2.5 }, sortedBy: .descending(\.weight))
    #expect(pets.requests.count == 1)
    #expect(teams["Ash"].map(\.id) == [4, 1])
    #expect(teams["Misty"].map(\.id) == [3])
    #expect(teams["Nobody"].isEmpty && teams["gone"].isEmpty)
    #expect(teams.all.map(\.id) == [4, 3, 1])
  }

  @Test("Keys that differ in their bytes alone are two, although they are one String")
  func bytes() async throws {
    let both = try await trainers.findAll().filter { $0.id == "é" }
    #expect(both.count == 2)
    let teams = try await pets.children(of: both, by: \.trainerID)
    #expect(teams["e\u{301}"].map(\.id) == [5])
    #expect(teams["é"].isEmpty)
    let parents = try await trainers.parents(of: teams.all, by: \.trainerID)
    #expect(parents["e\u{301}"] != nil)
    #expect(parents["é"] == nil)
  }

  @Test("a tree takes one query a level, and keeps the order of each")
  func tree() async throws {
    let tree = try await trainers.findAll().including(
      .children(
        in: pets, by: \.trainerID, where: { $0.weight > 2.5 }, sortedBy: .descending(\.weight),
        including: .parent(in: trainers, by: \.trainerID)),
      .children(in: pets, by: \.trainerID))
    #expect(trainers.requests.count == 1 && pets.requests.count == 2)
    let expected = ["Ash: 4 of Ash, 1 of Ash; 1, 4", "Misty: 3 of Misty; 3", "Nobody: ; "]
    let found = tree.map { trainer, heavy, all in
      let names = heavy.map { pet, owner in "\(pet.id) of \(owner?.id ?? "nobody")" }
      return "\(trainer.id): \(names.joined(separator: ", ")); \(all.map { "\($0.id)" }.joined(separator: ", "))"
    }
    #expect(found.prefix(3) == expected[...])
    // Where nothing was found, no further level is asked for.
    let none = try await trainers.findAll(where: { $0.id == "none" }).including(
      .children(in: pets, by: \.trainerID, including: .parent(in: trainers, by: \.trainerID)))
    #expect(none.isEmpty && trainers.requests.count == 2 && pets.requests.count == 2)
  }

  @Test("Where there is nothing to ask for, nothing is asked")
  func nothing() async throws {
    let wild = try await pets.findAll(where: { $0.trainerID == nil })
    #expect(try await trainers.parents(of: wild, by: \.trainerID).all.isEmpty)
    #expect(try await trainers.parents(of: [Pet](), by: \.trainerID).all.isEmpty)
    #expect(trainers.requests.isEmpty)
    let before = pets.requests.count
    #expect(try await pets.children(of: [Trainer](), by: \.trainerID).all.isEmpty)
    #expect(pets.requests.count == before)
  }

  @Test("A foreign key that is never nil, and one that is made of several properties")
  func composite() async throws {
    let rooms = CountingRepository(
      try MemoryRepository([
        Room(house: "A", number: 1), Room(house: "A", number: 2), Room(house: "B", number: 1),
        Room(house: "B", number: 2),
      ]))
    let guests = CountingRepository(
      try MemoryRepository([Guest(id: 1, house: "A", room: 2), Guest(id: 2, house: "B", room: 1)]))
    let found = try await guests.findAll()
    let parents = try await rooms.parents(of: found, by: { Room.ID(house: $0.house, number: $0.room) })
    #expect(rooms.requests.count == 1)
    #expect(parents.all.map(\.id) == [Room.ID(house: "A", number: 2), Room.ID(house: "B", number: 1)])
    #expect(parents[Room.ID(house: "A", number: 2)]?.number == 2)
    #expect(parents[Room.ID(house: "A", number: 1)] == nil)
    let numbers = try await guests.children(of: [Owner(id: 2), Owner(id: 2), Owner(id: 3)], by: \.room)
    #expect(numbers[2].map(\.id) == [1])
  }

  @Test("A key of several columns, and one that is generated, have children, too")
  func otherKeys() async throws {
    let guests = CountingRepository(
      try MemoryRepository([
        Guest(id: 1, house: "A", room: 2), Guest(id: 2, house: "B", room: 1), Guest(id: 3, house: "A", room: 1),
        Guest(id: 4, house: "A", room: 2),
      ]))
    let rooms = [Room(house: "A", number: 2), Room(house: "B", number: 1), Room(house: "C", number: 1)]
    let found = try await guests.children(of: rooms, by: \.house, \.room, sortedBy: .descending(\.id))
    #expect(guests.requests.count == 1)
    #expect(found[rooms[0].id].map(\.id) == [4, 1])
    #expect(found[rooms[1].id].map(\.id) == [2])
    #expect(found[rooms[2].id].isEmpty)
    #expect(found.all.map(\.id) == [4, 2, 1])
    let rule = await #expect(throws: RepositoryError.self) {
      try await guests.children(of: rooms, by: \.house, \.room, \.id)
    }
    #expect(rule?.code == .invalidQuery)
    let tree = try await rooms.including(.children(in: guests, by: \.house, \.room, sortedBy: .descending(\.id)))
    #expect(tree.map { $0.1.map(\.id) } == rooms.map { found[$0.id].map(\.id) })

    // What has no key yet has no children.
    let generated = [Generated(id: 1), Generated(id: nil)]
    let numbers = try await guests.children(of: generated, by: \.room)
    #expect(numbers[1].map(\.id) == [2, 3])
    #expect(numbers[nil].isEmpty)
    let loose = try await pets.children(of: [Nullable(id: "Ash"), Nullable(id: nil)], by: \.trainerID)
    #expect(loose["Ash"].map(\.id) == [1, 4])
    #expect(loose.all.count == 2)
  }

  @Test("Ten thousand keys are one query")
  func many() async throws {
    let base = try MemoryRepository<Pet>()
    try await base.save((1...10_000).map { Pet(id: $0, trainerID: "trainer \($0 % 5_000)", weight: 1) })
    let owners = CountingRepository(try MemoryRepository((0..<10_000).map { Trainer(id: "trainer \($0)") }))
    let parents = try await owners.parents(of: try base.findAll(FetchRequest()), by: \.trainerID)
    #expect(parents.all.count == 5_000)
    let counting = CountingRepository(base)
    let teams = try await counting.children(of: try await owners.findAll(), by: \.trainerID)
    #expect(teams["trainer 1"].map(\.id) == [1, 5_001])
    #expect(teams["trainer 0"].map(\.id) == [5_000, 10_000])
    #expect(teams["trainer 7000"].isEmpty)
    #expect(owners.requests.count == 1 && counting.requests.count == 1)
  }
}

/// A repository that notes what it is asked.
private final class CountingRepository<Model: Entity>: Repository {
  private let base: MemoryRepository<Model>
  private let log = Mutex<[FetchRequest]>([])

  init(_ base: MemoryRepository<Model>) {
    self.base = base
  }

  var requests: [FetchRequest] { log.withLock(\.self) }

  func find(_ id: Model.ID) throws(RepositoryError) -> Model? {
    throw RepositoryError(.unsupported, "elements are not to be asked for one by one")
  }

  func findAll(_ request: FetchRequest) throws(RepositoryError) -> [Model] {
    if request != FetchRequest() { log.withLock { $0.append(request) } }
    return try base.findAll(request)
  }

  func count(_ query: AnyQuery) throws(RepositoryError) -> Int { try base.count(query) }
  func save(_ elements: [Model]) throws(RepositoryError) { try base.save(elements) }
  func delete(_ ids: [Model.ID]) throws(RepositoryError) -> Int { try base.delete(ids) }
}

private struct Trainer: Entity {
  let id: String
  static let schema = Schema("trainer", Trainer.init, Column("id", \.id))
}

private struct Pet: Entity {
  let id: Int
  var trainerID: String?
  var weight: Double
  static let schema = Schema(
    "pet", Pet.init, Column("id", \.id), Column("trainer_id", \.trainerID, .indexed), Column("weight", \.weight))
}

private struct Room: Entity {
  struct ID: PrimaryKey {
    let house: String
    let number: Int
    func keyValues() -> [Value] { [.text(house), .integer(Int64(number))] }
  }

  let house: String
  let number: Int
  var id: ID { ID(house: house, number: number) }
  static let schema = Schema(
    "room", Room.init, Column("house", \.house, .primaryKey), Column("number", \.number, .primaryKey))
}

private struct Guest: Entity {
  let id: Int
  var house: String
  var room: Int
  static let schema = Schema(
    "guest", Guest.init, Column("id", \.id), Column("house", \.house), Column("room", \.room))
}

/// Anything with a key can be a parent.
private struct Owner: Identifiable {
  let id: Int
}

private struct Generated: Identifiable {
  let id: Int?
}

private struct Nullable: Identifiable {
  let id: String?
}
