import Repository
import Testing

@Suite("Unique properties")
struct UniqueTests {
  private struct Slot: Entity, Equatable {
    let id: Int?
    var telescope: String
    var night: Int?

    static let schema = Schema(
      "slot", Slot.init, Column("id", \.id, .generated), Column("telescope", \.telescope), Column("night", \.night)
    ).unique(\.telescope, \.night)
  }

  @Test("together: each may repeat, the pair may not, and nil is not the same as nil", arguments: StoreKind.allCases)
  func pair(kind: StoreKind) async throws {
    let slots = try kind.open().repository(of: Slot.self)
    try await slots.insert([
      Slot(id: nil, telescope: "VLT", night: 1), Slot(id: nil, telescope: "VLT", night: 2),
      Slot(id: nil, telescope: "ALMA", night: 1), Slot(id: nil, telescope: "ALMA", night: nil),
      Slot(id: nil, telescope: "ALMA", night: nil),
    ])
    let error = await expectRefusal(.conflict) { try await slots.insert(Slot(id: nil, telescope: "VLT", night: 1)) }
    #expect(error?.summary == "another row of slot has the same telescope (text) and night (number)")
    #expect(try await slots.count() == 5)
  }

  @Test("of the same name in two tables don't disturb each other", arguments: StoreKind.allCases)
  func twoTables(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    try await sky.stars.insert(Star(id: 5, name: "Juno", spectralClass: .g, magnitude: 1))
    #expect(try await sky.missions.filter { $0.name == "Juno" }.count() == 1)
    await expectRefusal(.conflict) {
      try await sky.stars.insert(Star(id: 6, name: "Juno", spectralClass: .g, magnitude: 1))
    }
  }
}

@Suite("Rules with names")
struct CheckTests {
  private struct Exposure: Entity, Equatable {
    let id: Int
    var start: Int
    var end: Int
    var gain: Double?

    static let schema = Schema(
      "exposure", Exposure.init, Column("id", \.id), Column("start", \.start), Column("end", \.end),
      Column("gain", \.gain)
    )
    .check("ends after it starts") { $0.end > $0.start }
    .check("gain is positive") { $0.gain == nil || $0.gain > 0 }
  }

  @Test("are kept by every write, and the error tells the name", arguments: StoreKind.allCases)
  func kept(kind: StoreKind) async throws {
    let exposures = try kind.open().repository(of: Exposure.self)
    try await exposures.insert(Exposure(id: 1, start: 10, end: 20, gain: nil))
    let error = await expectRefusal(.constraint) {
      try await exposures.insert(Exposure(id: 2, start: 10, end: 10, gain: nil))
    }
    #expect(error?.summary == "a row of exposure breaks the rule ends after it starts")
    await expectRefusal(.constraint) { try await exposures.save(Exposure(id: 1, start: 10, end: 20, gain: -1)) }
    await expectRefusal(.constraint) { try await exposures.filter { $0.id == 1 }.update { $0.start = 30 } }
    #expect(try await exposures.findAll() == [Exposure(id: 1, start: 10, end: 20, gain: nil)])
  }
}

@Suite("What becomes of those that refer to a deleted element")
struct DeleteRuleTests {
  private struct Camera: Entity {
    let id: Int

    static let schema = Schema("camera", Camera.init, Column("id", \.id))
  }

  private struct Lens: Entity, Equatable {
    let id: Int
    var kept: Int?
    var freed: Int?
    var gone: Int?

    static let keeper = ToOne(\Lens.kept, to: Camera.self)
    static let liberator = ToOne(\Lens.freed, to: Camera.self, onDelete: .setNull)
    static let owner = ToOne(\Lens.gone, to: Camera.self, onDelete: .cascade)
    static let schema = Schema(
      "lens", Lens.init, Column("id", \.id), Column("kept", \.kept),
      Column("freed", \.freed),
      Column("gone", \.gone)
    ).references(keeper, liberator, owner)
  }

  @Test("it forbids the deletion, refers to nothing, or goes along", arguments: StoreKind.allCases)
  func rules(kind: StoreKind) async throws {
    let store = try kind.open()
    let cameras = try store.repository(of: Camera.self)
    let lenses = try store.repository(of: Lens.self)
    try await cameras.insert([1, 2, 3].map(Camera.init))
    try await lenses.insert([
      Lens(id: 1, kept: 1, freed: nil, gone: nil), Lens(id: 2, kept: nil, freed: 2, gone: nil),
      Lens(id: 3, kept: nil, freed: nil, gone: 3),
    ])
    await expectRefusal(.restrictViolation) { try await cameras.delete(1) }
    #expect(try await cameras.delete([2, 3]) == 2)
    #expect(
      try await lenses.findAll() == [
        Lens(id: 1, kept: 1, freed: nil, gone: nil), Lens(id: 2, kept: nil, freed: nil, gone: nil),
      ])
  }
}
