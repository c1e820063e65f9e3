import Repository
import Testing

@Suite("Enums")
struct EnumTests {
  private enum Status: String, Codable, ValueConvertible { case planned, flying, lost, landed }
  private enum Priority: UInt8, Codable, ValueConvertible { case low, high }

  private struct Probe: Entity, Equatable, Codable {
    let id: Int
    var status: Status
    var lastStatus: Status?
    var priority: Priority

    static let schema = Schema(
      "probe", Probe.init, Column("id", \.id), Column("status", \.status), Column("last_status", \.lastStatus),
      Column("priority", \.priority))
  }

  private func probes(_ kind: StoreKind) async throws -> AnyRepository<Probe> {
    let probes = try kind.open().repository(of: Probe.self)
    try await probes.insert([
      Probe(id: 1, status: .flying, lastStatus: .planned, priority: .high),
      Probe(id: 2, status: .planned, lastStatus: nil, priority: .low),
    ])
    return probes
  }

  @Test("over texts and over numbers come back as they were", arguments: StoreKind.allCases)
  func reading(kind: StoreKind) async throws {
    let probes = try await probes(kind)
    #expect(try await probes.get(1) == Probe(id: 1, status: .flying, lastStatus: .planned, priority: .high))
    #expect(try await probes.filter { $0.priority == .low }.count() == 1)
    #expect(try await probes.filter { $0.priority > .low }.count() == 1)
  }

  @Test("are found by case, by lists of cases, and by nil", arguments: StoreKind.allCases)
  func found(kind: StoreKind) async throws {
    let probes = try await probes(kind)
    #expect(try await probes.first(where: { $0.status == .flying })?.id == 1)
    #expect(try await probes.first(where: { $0.status != .flying })?.id == 2)
    #expect(try await probes.first(where: { $0.status.in([.flying, .lost]) })?.id == 1)
    #expect(try await probes.first(where: { !$0.status.in([.flying, .lost]) })?.id == 2)
    #expect(try await probes.first(where: { $0.lastStatus == nil })?.id == 2)
    #expect(try await probes.first(where: { $0.lastStatus != nil })?.id == 1)
  }

  @Test("are missed by cases that no row has", arguments: StoreKind.allCases)
  func missed(kind: StoreKind) async throws {
    let probes = try await probes(kind)
    #expect(try await probes.first(where: { $0.status == .lost }) == nil)
    #expect(try await probes.first(where: { $0.status != .flying && $0.status != .planned }) == nil)
    #expect(try await probes.first(where: { $0.status.in([.lost]) }) == nil)
    #expect(try await probes.first(where: { !$0.status.in([.flying, .planned]) }) == nil)
    #expect(try await probes.first(where: { $0.id == 1 && $0.lastStatus == nil }) == nil)
  }

  @Test("get new cases without a migration, and a case that is unknown names its row", arguments: StoreKind.allCases)
  func newCases(kind: StoreKind) async throws {
    let store = try kind.open()
    let probes = try store.repository(of: Probe.self)
    let records = try store.repository(Schema<Record>(try Probe.schema.table()))
    try await records.insert([
      try Record(["id": 3, "status": "landed", "priority": 1], for: Probe.schema.table()),
      try Record(["id": 4, "status": "exploded", "priority": 1], for: Probe.schema.table()),
    ])
    #expect(try await probes.get(3).status == .landed)
    let error = await expectRefusal(.unreadableRow) { try await probes.get(4) }
    #expect(error?.summary.contains("status") == true)
    // The others can still be asked for.
    #expect(try await probes.findAll(where: { $0.status == .landed }).map(\.id) == [3])
  }
}

@Suite("Flags")
struct FlagTests {
  /// A flag that other programs write as a word.
  private enum Word: String, Codable, ValueConvertible {
    case yes = "true"
    case no = "false"

    init(_ flag: Bool) { self = flag ? .yes : .no }
  }

  private struct Telescope: Entity, Equatable {
    let id: Int
    var isInOrbit: Bool
    var isOpen: Bool?
    var isPublic: Word

    static let schema = Schema(
      "telescope", Telescope.init, Column("id", \.id), Column("is_in_orbit", \.isInOrbit),
      Column("is_open", \.isOpen), Column("is_public", \.isPublic))
  }

  @Test("are 0 and 1, or words by an enum", arguments: StoreKind.allCases)
  func formats(kind: StoreKind) async throws {
    let store = try kind.open()
    let telescopes = try store.repository(of: Telescope.self)
    let all = [
      Telescope(id: 1, isInOrbit: true, isOpen: true, isPublic: Word(true)),
      Telescope(id: 2, isInOrbit: false, isOpen: false, isPublic: Word(false)),
      Telescope(id: 3, isInOrbit: true, isOpen: nil, isPublic: Word(true)),
    ]
    try await telescopes.insert(all)
    let records = try await store.repository(Schema<Record>(try Telescope.schema.table())).findAll()
    #expect(records.map(\.values) == [[1, 1, 1, "true"], [2, 0, 0, "false"], [3, 1, .null, "true"]])
    #expect(try await telescopes.findAll() == all)
    #expect(try await telescopes.findAll(where: { $0.isInOrbit && $0.isOpen != true }).map(\.id) == [3])
    #expect(try await telescopes.findAll(where: { !$0.isInOrbit }).map(\.id) == [2])
  }
}
