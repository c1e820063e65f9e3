import Repository
import Synchronization
import TestSupport
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
    let found = try await pets.findAll().including(Pet.trainer.from(trainers))
    #expect(
      trainers.requests == [FetchRequest(.in(key: "id", values: ["Ash", "Misty", "e\u{301}", "gone"]))])
    #expect(found.map { $0.1?.id } == ["Ash", nil, "Misty", "Ash", "e\u{301}", nil])
  }

  @Test("the elements that refer to a result, in the order that was asked for")
  func children() async throws {
    let found = try await trainers.selection().including(
      Trainer.pets.from(pets.filter { $0.weight > 2.5 }.sorted { $0.weight.descending })
    ).all()
    #expect(pets.requests.count == 1)
    #expect(found.prefix(3).map { $0.1.map(\.id) } == [[4, 1], [3], []])
  }

  @Test("Keys that differ in their bytes alone are two, although they are one String")
  func bytes() async throws {
    let both = try await trainers.findAll().filter { $0.id == "é" }
    #expect(both.count == 2)
    let teams = try await both.including(
      Trainer.pets.from(pets.selection().including(Pet.trainer.from(trainers))))
    for (trainer, pets) in teams {
      let isDecomposed = trainer.id.utf8.count == 3
      #expect(pets.map { $0.0.id } == (isDecomposed ? [5] : []))
      #expect(pets.map { $0.1?.id.utf8.count } == (isDecomposed ? [3] : []))
    }
  }

  @Test("a tree takes one query a level, and keeps the order of each")
  func tree() async throws {
    let heavy = pets.filter { $0.weight > 2.5 }.sorted { $0.weight.descending }
    let tree = try await trainers.findAll().including(
      Trainer.pets.from(heavy.including(Pet.trainer.from(trainers))), Trainer.pets.from(pets))
    #expect(trainers.requests.count == 1 && pets.requests.count == 2)
    let expected = ["Ash: 4 of Ash, 1 of Ash; 1, 4", "Misty: 3 of Misty; 3", "Nobody: ; "]
    let found = tree.map { trainer, heavy, all in
      let names = heavy.map { pet, owner in "\(pet.id) of \(owner?.id ?? "nobody")" }
      return "\(trainer.id): \(names.joined(separator: ", ")); \(all.map { "\($0.id)" }.joined(separator: ", "))"
    }
    #expect(found.prefix(3) == expected[...])
    // Where nothing was found, no further level is asked for.
    let none = try await trainers.filter { $0.id == "none" }.including(
      Trainer.pets.from(pets.selection().including(Pet.trainer.from(trainers)))
    ).all()
    #expect(none.isEmpty && trainers.requests.count == 2 && pets.requests.count == 2)
  }

  @Test("An element with its parent and children is read into one struct")
  func ownType() async throws {
    struct Team: Equatable, Sendable {
      let trainer: String
      let pets: [Int]
    }
    let teams = trainers.sorted { $0.id.ascending }.including(Trainer.pets.from(pets)).map { trainer, pets in
      Team(trainer: trainer.id, pets: pets.map(\.id))
    }
    #expect(try await teams.first() == Team(trainer: "Ash", pets: [1, 4]))
    #expect(try await teams.all().count == 5)
  }

  @Test("Many relations at once make a tuple with as many parts")
  func several() async throws {
    let heavy = pets.filter { $0.weight > 30 }
    let ash = trainers.filter { $0.id == "Ash" }
    let all = try await ash.including(
      Trainer.pets.from(pets), Trainer.pets.from(heavy), Trainer.pets.from(pets.sorted { $0.id.descending }),
      Trainer.pets.from(heavy.including(Pet.trainer.from(trainers))),
      Trainer.pets.from(
        pets.selection().including(Pet.trainer.from(trainers), Pet.trainer.from(ash), Pet.trainer.from(trainers)))
    ).all()
    #expect(all.count == 1)
    for (trainer, first, second, third, fourth, fifth) in all {
      #expect(trainer.id == "Ash" && first.map(\.id) == [1, 4] && second.map(\.id) == [4])
      #expect(third.map(\.id) == [4, 1] && fourth.map { $0.1?.id } == ["Ash"])
      #expect(fifth.map { [$0.1?.id, $0.2?.id, $0.3?.id] } == [["Ash", "Ash", "Ash"], ["Ash", "Ash", "Ash"]])
    }
    let found = try await ash.all().including(
      Trainer.pets.from(pets), Trainer.pets.from(heavy), Trainer.pets.from(heavy), Trainer.pets.from(pets))
    #expect(found.map { [$0.1.count, $0.2.count, $0.3.count, $0.4.count] } == [[2, 1, 1, 2]])
  }

  @Test("Where there is nothing to ask for, nothing is asked")
  func nothing() async throws {
    let wild = try await pets.findAll(where: { $0.trainerID == nil })
    #expect(try await wild.including(Pet.trainer.from(trainers)).allSatisfy { $0.1 == nil })
    #expect(try await [Pet]().including(Pet.trainer.from(trainers)).isEmpty)
    #expect(trainers.requests.isEmpty)
    let before = pets.requests.count
    #expect(try await [Trainer]().including(Trainer.pets.from(pets)).isEmpty)
    #expect(pets.requests.count == before)
  }

  @Test("A range of related elements is refused, since it is none of each element")
  func ranges() async throws {
    let error = await #expect(throws: RepositoryError.self) {
      try await trainers.selection().including(Trainer.pets.from(pets.selection().prefix(1))).all()
    }
    #expect(error?.code == .invalidQuery && error?.summary.contains("range") == true)
  }

  @Test("A key of several columns, and one that is generated, have children, too")
  func otherKeys() async throws {
    let guests = CountingRepository(
      try MemoryRepository([
        Guest(id: 1, house: "A", room: 2), Guest(id: 2, house: "B", room: 1), Guest(id: 3, house: "A", room: 1),
        Guest(id: 4, house: "A", room: 2),
      ]))
    let rooms = CountingRepository(
      try MemoryRepository([
        Room(house: "A", number: 2), Room(house: "B", number: 1), Room(house: "B", number: 2),
        Room(house: "C", number: 1),
      ]))
    let found = try await rooms.selection().including(
      ToMany(Guest.place).from(guests.sorted { $0.id.descending })
    ).all()
    #expect(guests.requests.count == 1)
    #expect(found.map { $0.1.map(\.id) } == [[4, 1], [2], [], []])
    // The combination of columns decides, although each column is requested by itself.
    let places = try await guests.selection().including(Guest.place.from(rooms)).all()
    #expect(places.map { $0.1?.number } == [2, 1, nil, 2])
    #expect(rooms.requests.count == 1)
    await expectError(summary: "the key of Room has 2 columns, but the relation to Guest has 3") {
      try await rooms.selection().including(ToMany(Guest.wrong).from(guests)).all()
    }
    // What has no key yet has no children.
    let generated = [Generated(id: 1), Generated(id: nil)]
    let numbers = try await generated.including(ToMany(Guest.number).from(guests))
    #expect(numbers.map { $0.1.map(\.id) } == [[2, 3], []])
  }

  @Test("Ten thousand keys are one query")
  func many() async throws {
    let base = try MemoryRepository<Pet>()
    try await base.save((1...10_000).map { Pet(id: $0, trainerID: "trainer \($0 % 5_000)", weight: 1) })
    let owners = CountingRepository(try MemoryRepository((0..<10_000).map { Trainer(id: "trainer \($0)") }))
    let parents = try await base.findAll().including(Pet.trainer.from(owners))
    #expect(Set(parents.map { $0.1?.id }).count == 5_000)
    let counting = CountingRepository(base)
    let teams = try await owners.findAll().including(Trainer.pets.from(counting))
    let pets = Dictionary(uniqueKeysWithValues: teams.map { ($0.0.id, $0.1.map(\.id)) })
    #expect(pets["trainer 1"] == [1, 5_001])
    #expect(pets["trainer 0"] == [5_000, 10_000])
    #expect(pets["trainer 7000"] == [])
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
    return try base.blocking.findAll(request)
  }

  func count(_ query: AnyQuery) throws(RepositoryError) -> Int { try base.blocking.count(query) }
  func save(_ elements: [Model]) throws(RepositoryError) { try base.blocking.save(elements) }
  func delete(_ ids: [Model.ID]) throws(RepositoryError) -> Int { try base.blocking.delete(ids) }
}

private struct Trainer: Entity, Equatable {
  let id: String
  static let pets = ToMany(Pet.trainer)
  static let schema = Schema("trainer", Trainer.init, Column("id", \.id))
}

private struct Pet: Entity {
  let id: Int
  var trainerID: String?
  var weight: Double
  static let trainer = ToOne(\Pet.trainerID, to: Trainer.self)
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
  static let place = ToOne(\Guest.house, \Guest.room, to: Room.self)
  static let wrong = ToOne(\Guest.house, \Guest.room, \Guest.id, to: Room.self)
  static let number = ToOne(\Guest.room, to: Generated.self)
  static let schema = Schema(
    "guest", Guest.init, Column("id", \.id), Column("house", \.house), Column("room", \.room))
}

private struct Generated: Entity {
  let id: Int?
  static let schema = Schema("generated", Generated.init, Column("id", \.id, .generated))
}
