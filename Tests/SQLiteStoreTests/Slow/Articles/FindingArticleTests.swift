import Foundation
import SQLiteStore
import TestSupport
import Testing

/// Runs what the article *Finding* says.
@Suite("The article on finding tells the truth")
struct FindingArticleTests {
  struct Trainer: Entity {
    let id: Int
    var name: String
    static let schema = Schema<Trainer>(table: "trainer") {
      Parameters(of: Trainer.init)
      Column("id", \.id)
      Column("name", \.name)
    }
  }

  struct Monster: Entity {
    let id: Int
    var name: String
    var type: String
    var weight: Double
    var caught: Date
    var trainerID: Int?
    static let trainer = ToOne(\Monster.trainerID, to: Trainer.self, onDelete: .setNull)
    static let schema = Schema<Monster>(table: "monster") {
      Parameters(of: Monster.init)
      Column("id", \.id)
      Column("name", \.name)
      Column("type", \.type)
      Column("weight", \.weight)
      Column("caught", \.caught)
      Column("trainer_id", \.trainerID)
    }.references(trainer)
  }

  struct Line: Projection {
    let name: String
    let trainer: String?
    static let projection = ProjectionSchema(
      of: Monster.self, Line.init, Projected(\.name), Projected { $0.trainer.name })
  }

  private static func stores() throws -> [any Store] { [MemoryStore(), try SQLiteStore.inMemory()] }

  private static func open(
    in store: any Store
  ) async throws -> (AnyRepository<Trainer>, AnyRepository<Monster>) {
    let trainers = try store.repository(of: Trainer.self)
    let monsters = try store.repository(of: Monster.self)
    try await trainers.save([Trainer(id: 1, name: "Ash"), Trainer(id: 2, name: "Misty")])
    func day(_ year: Int) -> Date { Date(timeIntervalSince1970: Double(year - 1970) * 31_557_600 + 86_400 * 40) }
    try await monsters.save([
      Monster(id: 1, name: "Bulbasaur", type: "grass", weight: 6.9, caught: day(2025), trainerID: 1),
      Monster(id: 4, name: "Charmander", type: "fire", weight: 8.5, caught: day(2026), trainerID: nil),
      Monster(id: 6, name: "Charizard", type: "fire", weight: 90.5, caught: day(2026), trainerID: 1),
      Monster(id: 25, name: "Pikachu", type: "electric", weight: 6, caught: day(2026), trainerID: 1),
      Monster(id: 59, name: "Arcanine", type: "fire", weight: 155, caught: day(2024), trainerID: 2),
      Monster(id: 78, name: "Rapidash", type: "fire", weight: 95, caught: day(2024), trainerID: 2),
    ])
    return (trainers, monsters)
  }

  @Test("about keys, selections and conditions")
  func conditions() async throws {
    for store in try Self.stores() {
      let (_, monsters) = try await Self.open(in: store)
      let charizard = try await monsters.find(6)  // nil if there is none
      let pikachu = try await monsters.get(25)  // throws if there is none
      let both = try await monsters.find([25, 6])  // in this order, without keys that no element has
      #expect(both.map(\.id) == [25, 6])
      #expect(charizard?.name == "Charizard" && pikachu.name == "Pikachu")
      // swift-format-ignore
      let heavy = try await monsters.findAll(where: { $0.weight > 90 }, sortedBy: { $0.weight.descending }, limit: 10)
      #expect(heavy.map(\.id) == [59, 78, 6])
      // swift-format-ignore
      let lightest = try await monsters.first(where: { $0.type == "fire" }, sortedBy: { $0.weight.ascending })
      #expect(lightest?.id == 4)

      let fire = monsters.filter { $0.type == "fire" }.sorted { $0.weight.descending + $0.name.ascending }
      let three = try await fire.prefix(3).all()
      let next = try await fire.dropFirst(3).prefix(3).all()
      let first = try await fire.first()
      let count = try await fire.count()
      let isAny = try await fire.filter { $0.weight > 1_000 }.exists()
      #expect(three.map(\.id) == [59, 78, 6] && next.map(\.id) == [4] && first?.id == 59 && count == 4 && !isAny)

      // swift-format-ignore
      let caughtLately = try await monsters.filter { $0.caught.year == 2026 && !$0.name.hasPrefix("P") }.all()
      let ofAsh = try await monsters.filter { $0.trainer.name == "Ash" }.all()
      let some = try await monsters.filter { $0.id.in([1, 25]) || $0.weight.between(5, 7) }.count()
      #expect(caughtLately.map(\.id) == [4, 6] && ofAsh.map(\.id) == [1, 6, 25] && some == 2)
    }
  }

  /// Each condition of the article's table, with the keys that it finds.
  @Test("about each row of the table of conditions")
  func table() async throws {
    let conditions: [((Fields<Monster>) -> AnyQuery, [Int])] = [
      ({ $0.weight > 90 }, [6, 59, 78]), ({ $0.trainerID == nil }, [4]), ({ $0.trainerID != 1 }, [4, 59, 78]),
      ({ $0.id.in([1, 4, 7]) }, [1, 4]), ({ $0.id.in(1...9) }, [1, 4, 6]), ({ $0.weight.between(5, 90) }, [1, 4, 25]),
      ({ $0.name.contains("chu") }, [25]), ({ $0.name.like("P%u") }, [25]), ({ $0.name.hasSuffix("ne") }, [59]),
      ({ $0.name.equals("PIKACHU", ignoringCase: true) }, [25]), ({ $0.caught.year == 2026 }, [4, 6, 25]),
      ({ $0.weight * 2 > 200 }, [59]), ({ $0.name.length > 9 }, [4]), ({ $0.weight.floor == 90 }, [6]),
      ({ ($0.trainerID ?? 0) == 0 }, [4]), ({ $0.trainer.name == "Misty" }, [59, 78]),
    ]
    for store in try Self.stores() {
      let (_, monsters) = try await Self.open(in: store)
      for (condition, expected) in conditions {
        #expect(try await monsters.filter(condition).select(\.id) == expected)
      }
    }
  }

  @Test("about pages, columns, aggregates and groups")
  func groups() async throws {
    for store in try Self.stores() {
      let (_, monsters) = try await Self.open(in: store)
      let fire = monsters.filter { $0.type == "fire" }.sorted { $0.weight.descending + $0.name.ascending }
      var page = try await fire.page(size: 2)
      while let cursor = page.next { page = try await fire.page(size: 2, after: cursor) }
      #expect(page.elements.map(\.id) == [6, 4])

      let names = try await monsters.sorted { $0.name.ascending }.select(\.name)
      let lines = try await monsters.filter { $0.trainerID != nil }.select { ($0.name, $0.trainer.name) }
      let types = try await monsters.selection().distinct(\.type)
      #expect(names.first == "Arcanine" && types == ["electric", "fire", "grass"])
      let heavyLines = try await monsters.filter { $0.weight > 90 }.select(Line.self)
      #expect(
        heavyLines.map { "\($0.name) \($0.trainer ?? "")" } == ["Charizard Ash", "Arcanine Misty", "Rapidash Misty"])
      #expect(lines.map { "\($0.0) \($0.1 ?? "")" }.prefix(2) == ["Bulbasaur Ash", "Charizard Ash"])

      let heaviest = try await monsters.selection().aggregate(.max(\.weight))
      let (total, mean) = try await fire.aggregate(.count, .average(\.weight))
      let groups = try await monsters.selection().grouped(by: \.type)
        .having { $0[.count] > 1 }.sorted(by: .descending(.count)).aggregate(.count, .average(\.weight))
      let years = try await monsters.selection().grouped(by: { $0.caught.year }).aggregate(.count)
      // swift-format-ignore
      let heaviestOfEach = try await monsters.sorted { $0.weight.descending }.grouped(by: \.type).first(1)
      #expect(heaviest == 155 && total == 4 && mean == 87.25 && groups.map(\.key) == ["fire"])
      #expect(years.map(\.values) == [2, 1, 3] && heaviestOfEach.map(\.id) == [59, 1, 25])
    }
  }

  @Test("about live results, texts and rows that can't be read")
  func texts() async throws {
    for store in try Self.stores() {
      let (_, monsters) = try await Self.open(in: store)
      let fire = monsters.filter { $0.type == "fire" }
      for try await current in fire.changes() {
        #expect(current.map(\.name).count == 4)
        break
      }
      // swift-format-ignore
      let parsed = try await monsters.filter(AnyQuery(parsing: "weight > :least", parameters: ["least": 90.0])).all()
      let predicate = try await monsters.filter(#Predicate { $0.weight > 90 }).all()
      let saved = fire.request  // Hashable and Codable
      let again = try await monsters.selection(saved).all()
      #expect(parsed.map(\.id) == [6, 59, 78] && predicate.map(\.id) == [6, 59, 78] && again.count == 4)
      let result = try await fire.readable()
      #expect(result.elements.count == 4 && result.unreadable.isEmpty)
    }
  }

  @Test("in every snippet")
  func snippets() throws {
    let snippets = try Article("Sources/Repository/Repository.docc/Finding.md").snippets()
    // What prints is replaced by an expectation.
    #expect(snippets.missing.filter { !$0.contains("print(") } == [])
    #expect(snippets.count > 40)
  }
}
