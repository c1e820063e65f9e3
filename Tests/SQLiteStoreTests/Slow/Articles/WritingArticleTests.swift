import SQLiteStore
import Synchronization
import TestSupport
import Testing

struct Trainer: Entity {
  let id: Int?
  var name: String
  static let schema = Schema<Trainer>(table: "trainer") {
    Parameters(of: Trainer.init)
    Column("id", \.id, .generated)
    Column("name", \.name, .unique)
  }
}

struct Catch: Entity {
  let id: Int?
  var name: String
  var region: String
  var weight: Double
  var trainerID: Int?
  static let trainer = ToOne(\Catch.trainerID, to: Trainer.self, onDelete: .setNull)
  static let schema = Schema<Catch>(table: "catch") {
    Parameters(of: Catch.init)
    Column("id", \.id, .generated)
    Column("name", \.name)
    Column("region", \.region)
    Column("weight", \.weight)
    Column("trainer_id", \.trainerID)
  }.references(trainer)
    .unique(\.name, \.region)
    .check("heavy enough") { $0.weight > 0 }
}

@Suite("The article on writing tells the truth")
struct WritingArticleTests {
  @Test("its examples run in both stores", arguments: [true, false])
  func examples(isInMemory: Bool) async throws {
    let store: any Store = isInMemory ? MemoryStore() : try SQLiteStore.inMemory()
    let catches = try store.repository(of: Catch.self)
    let trainers = try store.repository(of: Trainer.self)
    let told = Mutex<[String]>([])

    let ash = try await trainers.insert(Trainer(id: nil, name: "Ash"))
    let pikachu = try await catches.insert(
      Catch(id: nil, name: "Pikachu", region: "Kanto", weight: 6, trainerID: ash.id))
    #expect(ash.id == 1 && pikachu.id == 1 && pikachu.trainerID == 1)

    let conflict = await #expect(throws: RepositoryError.self) {
      try await catches.insert(Catch(id: nil, name: "Pikachu", region: "Kanto", weight: 5, trainerID: nil))
    }
    #expect(conflict?.summary == "another row of catch has the same name (text) and region (text)")

    try await catches.filter { $0.trainerID == ash.id }.update { $0.weight += 1 }
    try await catches.update(where: .true, set: [Assignment(parsing: "weight = weight * 2")])
    let heavier = try await catches.get(1)
    #expect(heavier.weight == 14)

    let misty = try await trainers.insert(Trainer(id: nil, name: "Misty"), onConflict: .ignore)
    let again = try await trainers.upsert(Trainer(id: nil, name: "Ash"), by: \.name)
    #expect(misty?.id == 2 && again.id == 1)

    // swift-format-ignore
    let grown = try await catches.filter { $0.region == "Kanto" }.updateReturning { $0.weight += 1 }
    var mine = grown[0]
    mine.name = "Sparky"
    try await catches.save(mine, changedFrom: grown[0])
    #expect(grown.map(\.weight) == [15] && mine.name == "Sparky")

    let found = try await catches.get(1)
    // swift-format-ignore
    let isWritten = try await catches.filter { $0.id == found.id && $0.weight == found.weight }.update { $0.weight = 16 } > 0
    // swift-format-ignore
    let isWrittenAgain = try await catches.filter { $0.id == found.id && $0.weight == found.weight }.update { $0.weight = 17 } > 0
    let kept = try await catches.get(1)
    #expect(isWritten && !isWrittenAgain && kept.weight == 16)

    // swift-format-ignore
    let changed = try await catches.filter { $0.region == "Kanto" }.update { $0.weight = 7; $0.trainerID = nil }
    let deleted = try await catches.filter { $0.weight < 1 }.delete()
    #expect(changed == 1 && deleted == 0)

    let written = try await catches.save(
      contentsOf: (1...2_500).lazy.map { Catch(id: nil, name: "Rattata", region: "\($0)", weight: 3, trainerID: nil) },
      progress: { progress in told.withLock { $0.append("\(progress.done) of \(progress.total ?? 0)") } })
    #expect(written == 2_500)
    #expect(told.withLock(\.self) == ["1000 of 2500", "2000 of 2500", "2500 of 2500"])

    let latest = try await catches.findAll(sortedBy: { $0.id.descending }, limit: 10)
    #expect(latest.map(\.region) == (2_491...2_500).reversed().map { "\($0)" })
  }

  @Test("a detached task takes part by a repository of the transaction, and is told so", arguments: [true, false])
  func detachedTask(isInMemory: Bool) async throws {
    let timeout = Duration.milliseconds(50)
    let store: any Store = isInMemory ? MemoryStore(timeout: timeout) : try SQLiteStore.inMemory(timeout: timeout)
    let trainers = try store.repository(of: Trainer.self)
    func insert(in transaction: some Store) async throws {
      let own = try transaction.repository(of: Trainer.self)
      try await Task.detached { _ = try await own.insert(Trainer(id: nil, name: "Ash")) }.value
      let error = await #expect(throws: RepositoryError.self) {
        try await Task.detached { _ = try await trainers.insert(Trainer(id: nil, name: "Misty")) }.value
      }
      #expect(
        error?.code == .busy && error?.suggestion?.contains("`Task.detached`") == true, "\(String(describing: error))")
    }
    try await store.transaction { transaction in try await insert(in: transaction) }
    #expect(try await trainers.findAll().map(\.name) == ["Ash"])
  }

  @Test("each of its lines of Swift stands in this file")
  func snippets() throws {
    let snippets = try Article("Sources/Repository/Repository.docc/Writing.md").snippets()
    #expect(snippets.count > 20 && snippets.missing.isEmpty)
  }
}
