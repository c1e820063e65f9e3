import SQLiteStore
import TestSupport
import Testing

typealias Region = RelationsArticleTests.Region
typealias Town = RelationsArticleTests.Town

extension Region {
  static let towns = ToMany(Town.region)
}

extension Town {
  static let customers = ToMany(Town.ship)
}

/// Runs what the article *Relations* says.
@Suite("The article on relations tells the truth")
struct RelationsArticleTests {
  struct Region: Entity {
    let id: String
    var name: String

    static let schema = Schema<Region>(table: "region") {
      Parameters(of: Region.init)
      Column("id", \.id)
      Column("name", \.name)
    }
  }

  struct Town: Entity {
    let id: Int
    var name: String
    var regionID: String
    var port: Int?

    static let region = ToOne(\Town.regionID, to: Region.self, onDelete: .cascade)
    static let ship = ToOne(\Town.port, to: Town.self, onDelete: .setNull)
    static let schema = Schema<Town>(table: "town") {
      Parameters(of: Town.init)
      Column("id", \.id)
      Column("name", \.name)
      Column("region_id", \.regionID)
      Column("port", \.port)
    }.references(region, ship)
  }

  struct Message: Entity {
    let id: Int
    var text: String
    var parentID: Int?

    static let parent = ToOne(\Message.parentID, to: Message.self, onDelete: .cascade, isDeferred: true)
    static let schema = Schema<Message>(table: "message") {
      Parameters(of: Message.init)
      Column("id", \.id)
      Column("text", \.text)
      Column("parent_id", \.parentID)
    }.references(parent)
  }

  struct Traveller: Entity {
    let id: Int
    var name: String

    static let schema = Schema<Traveller>(table: "traveller") {
      Parameters(of: Traveller.init)
      Column("id", \.id)
      Column("name", \.name)
    }
  }

  struct Visit: Entity {
    struct ID: PrimaryKey {
      let travellerID: Int
      let townID: Int
      func keyValues() throws(ValueError) -> [Value] { [try travellerID.makeValue(), try townID.makeValue()] }
    }

    let travellerID: Int
    let townID: Int
    var nights: Int

    var id: ID { ID(travellerID: travellerID, townID: townID) }

    static let traveller = ToOne(\Visit.travellerID, to: Traveller.self, onDelete: .cascade)
    static let town = ToOne(\Visit.townID, to: Town.self, onDelete: .cascade)
    static let schema = Schema<Visit>(table: "visit") {
      Parameters(of: Visit.init)
      Column("traveller_id", \.travellerID, .primaryKey)
      Column("town_id", \.townID, .primaryKey)
      Column("nights", \.nights)
    }.references(traveller, town)
  }

  @Test("its examples run in both stores", arguments: [true, false])
  func examples(isInMemory: Bool) async throws {
    let store: any Store = isInMemory ? MemoryStore() : try SQLiteStore.inMemory()
    let regions = try store.repository(of: Region.self)
    let towns = try store.repository(of: Town.self)
    let travellers = try store.repository(of: Traveller.self)
    let visits = try store.repository(of: Visit.self)
    try await regions.insert([Region(id: "kanto", name: "Kanto"), Region(id: "johto", name: "Johto")])
    try await towns.insert([
      Town(id: 1, name: "Vermilion", regionID: "kanto", port: nil),
      Town(id: 2, name: "Cinnabar", regionID: "kanto", port: 1),
      Town(id: 3, name: "Olivine", regionID: "johto", port: 1),
    ])
    try await travellers.insert([Traveller(id: 1, name: "Red"), Traveller(id: 2, name: "Gold")])
    var printed: [String] = []
    func print(_ words: Any...) { printed.append(words.map { "\($0)" }.joined(separator: " ")) }

    do {
      let olivine = try await towns.get(3)
      let region = try await regions.get(olivine.regionID)
      let inKanto = try await towns.findAll(where: { $0.regionID == "kanto" })
      #expect(region.name == "Johto" && inKanto.map(\.id) == [1, 2])
    }
    do {
      let found = try await towns.sorted { $0.name.ascending }.including(Town.region.from(regions)).all()
      for (town, region) in found { print(town.name, region?.name ?? "nowhere") }
    }
    do {
      let all = try await regions.findAll()
      let tree = try await all.including(Region.towns.from(towns.sorted { $0.name.ascending }))
      for (region, towns) in tree { print(region.name, towns.map(\.name)) }
    }
    #expect(
      printed == [
        "Cinnabar Kanto", "Olivine Johto", "Vermilion Kanto", #"Johto ["Olivine"]"#,
        #"Kanto ["Cinnabar", "Vermilion"]"#,
      ])

    do {
      let ports = towns.sorted { $0.name.ascending }.including(Town.ship.from(towns))
      let tree = try await regions.sorted { $0.name.ascending }.including(Region.towns.from(ports)).all()
      for (region, towns) in tree {
        for (town, port) in towns { print(region.name, town.name, port?.name ?? "no port") }
      }
    }
    #expect(
      printed.suffix(3) == ["Johto Olivine Vermilion", "Kanto Cinnabar Vermilion", "Kanto Vermilion no port"])

    do {
      // swift-format-ignore
      let johto = try await towns.findAll(where: { $0.region.name == "Johto" && $0.ship.region.name != "Johto" })
      // swift-format-ignore
      let coasts = try await regions.findAll(where: { $0.towns.contains { $0.port != nil } && $0.towns.count < 3 })
      // swift-format-ignore
      let byRegion = try await towns.findAll(sortedBy: { $0.region.name.descending + $0.name.length.ascending })
      #expect(johto.map(\.id) == [3] && coasts.map(\.id) == ["johto", "kanto"] && byRegion.map(\.id) == [2, 1, 3])
    }

    try await visits.insert(Visit(travellerID: 1, townID: 3, nights: 2))
    try await visits.insert(Visit(travellerID: 2, townID: 3, nights: 1))
    do {
      let guests = visits.filter { $0.townID == 3 }.sorted { $0.nights.descending }
      let people = try await guests.including(Visit.traveller.from(travellers)).all()
      for (visit, traveller) in people { print(traveller?.name ?? "", visit.nights) }
      #expect(printed.suffix(2) == ["Red 2", "Gold 1"])
    }
    try await visits.delete(Visit.ID(travellerID: 1, townID: 3))
    #expect(try await visits.count() == 1)

    do {
      let visited = try await store.read { _ in
        let johto = try await towns.findAll(where: { $0.regionID == "johto" })
        return try await visits.findAll(where: { $0.townID.in(johto.map(\.id)) })
      }
      #expect(visited.map(\.travellerID) == [2])
    }
    do {
      let customers = towns.filter { !$0.customers.isEmpty }.including(Town.customers.from(towns))
      let ports = try await customers.all()
      #expect(ports.map { $0.0.name } == ["Vermilion"] && ports.map { $0.1.map(\.id) } == [[2, 3]])
    }
    let error = await #expect(throws: RepositoryError.self) {
      try await visits.insert(Visit(travellerID: 9, townID: 3, nights: 1))
    }
    #expect(error?.code == .foreignKeyViolation)
    try await regions.delete("kanto")
    #expect(try await towns.get(3).port == nil)
    #expect(try await towns.count() == 1)
    let messages = try store.repository(of: Message.self)
    try await messages.save([
      Message(id: 2, text: "The answer", parentID: 1), Message(id: 1, text: "The question", parentID: nil),
    ])
    #expect(try await messages.count() == 2)
  }

  @Test("each of its lines of Swift stands in this file")
  func snippets() throws {
    let snippets = try Article("Sources/Repository/Repository.docc/Relations.md").snippets()
    #expect(snippets.count > 30 && snippets.missing.isEmpty)
  }
}
