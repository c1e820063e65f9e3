import SQLiteStore
import TestSupport
import Testing

typealias Region = RelationsArticleTests.Region
typealias Town = RelationsArticleTests.Town

extension RowFields where Element == Town {
  var region: Referred<Region> { Referred(by: \.regionID, of: self) }
  var ship: Referred<Town> { Referred(by: \.port, of: self) }
}
extension Fields where Element == Region {
  var towns: Referring<Town> { Referring(by: \.regionID, to: self) }
}

/// Runs what the article *Relations* says.
@Suite("The article on relations tells the truth")
struct RelationsArticleTests {
  struct Region: Entity {
    let id: String
    var name: String

    static let schema = Schema("region", Region.init, Column("id", \.id), Column("name", \.name))
  }

  struct Town: Entity {
    let id: Int
    var name: String
    var regionID: String
    var port: Int?

    static let schema = Schema(
      "town", Town.init, Column("id", \.id), Column("name", \.name),
      Column("region_id", \.regionID, .references(Region.self, onDelete: .cascade)),
      Column("port", \.port, .references(Town.self, onDelete: .setNull)))
  }

  struct Traveller: Entity {
    let id: Int
    var name: String

    static let schema = Schema("traveller", Traveller.init, Column("id", \.id), Column("name", \.name))
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

    static let schema = Schema(
      "visit", Visit.init,
      Column("traveller_id", \.travellerID, .primaryKey, .references(Traveller.self, onDelete: .cascade)),
      Column("town_id", \.townID, .primaryKey, .references(Town.self, onDelete: .cascade)),
      Column("nights", \.nights))
  }

  @Test("its examples run in both stores", arguments: [true, false])
  func examples(isInMemory: Bool) async throws {
    let store: any Store = isInMemory ? MemoryStore() : try SQLiteStore.inMemory()
    let regions: AnyRepository<Region> = try store.repository()
    let towns: AnyRepository<Town> = try store.repository()
    let travellers: AnyRepository<Traveller> = try store.repository()
    let visits: AnyRepository<Visit> = try store.repository()
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
      let found = try await towns.findAll(sortedBy: .ascending(\.name))
      let regionsOfTowns = try await regions.parents(of: found, by: \.regionID)
      for town in found { print(town.name, regionsOfTowns[town.regionID]?.name ?? "nowhere") }
    }
    do {
      let all = try await regions.findAll()
      let townsOfRegions = try await towns.children(of: all, by: \.regionID, sortedBy: .ascending(\.name))
      for region in all { print(region.name, townsOfRegions[region.id].map(\.name)) }
    }
    #expect(
      printed == [
        "Cinnabar Kanto", "Olivine Johto", "Vermilion Kanto", #"Johto ["Olivine"]"#,
        #"Kanto ["Cinnabar", "Vermilion"]"#,
      ])

    do {
      let tree = try await regions.findAll(sortedBy: \.name).including(
        .children(in: towns, by: \.regionID, sortedBy: .ascending(\.name), including: .parent(in: towns, by: \.port)))
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
      let byRegion = try await towns.findAll(sortedBy: .descending { $0.region.name } + .ascending { $0.name.length })
      #expect(johto.map(\.id) == [3] && coasts.map(\.id) == ["johto", "kanto"] && byRegion.map(\.id) == [2, 1, 3])
    }

    try await visits.insert(Visit(travellerID: 1, townID: 3, nights: 2))
    try await visits.insert(Visit(travellerID: 2, townID: 3, nights: 1))
    do {
      let guests = try await visits.findAll(where: { $0.townID == 3 }, sortedBy: .descending(\.nights))
      let people = try await travellers.parents(of: guests, by: \.travellerID)
      for guest in guests { print(people[guest.travellerID]?.name ?? "", guest.nights) }
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
      let ports = try await towns.parents(of: try await towns.findAll(), by: \.port)
      let customers = try await towns.children(of: ports.all, by: \.port)
      #expect(ports.all.map(\.name) == ["Vermilion"] && customers[1].map(\.id) == [2, 3])
    }
    let error = await #expect(throws: RepositoryError.self) {
      try await visits.insert(Visit(travellerID: 9, townID: 3, nights: 1))
    }
    #expect(error?.code == .foreignKeyViolation)
    try await regions.delete("kanto")
    #expect(try await towns.get(3).port == nil)
    #expect(try await towns.count() == 1)
  }

  @Test("each of its lines of Swift stands in this file")
  func snippets() throws {
    let snippets = try Article("Sources/Repository/Repository.docc/Relations.md").snippets()
    #expect(snippets.count > 30 && snippets.missing.isEmpty)
  }
}
