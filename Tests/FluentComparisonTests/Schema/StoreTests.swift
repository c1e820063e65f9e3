import SQLiteStore
import Testing

@Suite("Two stores at once")
struct TwoStoreTests {
  @Test("elements go from one to the other, whichever they are", arguments: StoreKind.allCases, StoreKind.allCases)
  func copying(source: StoreKind, target: StoreKind) async throws {
    let full = try await Sky(source)
    let empty = try await Sky(in: target.open(), isEmpty: true)
    try await empty.stars.insert(try await full.stars.findAll())
    try await empty.planets.insert(try await full.planets.findAll())
    #expect(try await empty.planets.findAll() == Planet.all)
    #expect(try await full.planets.count() == 10)
  }
}

@Suite("Many links, loaded at once")
struct ManyLinksTests {
  private enum Role: String, ValueConvertible, CaseIterable { case pilot, scientist, doctor }

  private struct Person: Entity {
    let id: Int
    var name: String

    static let schema = Schema("person", Person.init, Column("id", \.id), Column("name", \.name))
  }

  private struct Expedition: Entity {
    let id: Int

    static let schema = Schema("expedition", Expedition.init, Column("id", \.id))
  }

  private struct Member: Entity {
    let id: Int?
    var expeditionID: Int
    var personID: Int
    var role: Role

    static let expedition = ToOne(\Member.expeditionID, to: Expedition.self)
    static let person = ToOne(\Member.personID, to: Person.self)
    static let schema = Schema(
      "member", Member.init, Column("id", \.id, .generated),
      Column("expedition_id", \.expeditionID),
      Column("person_id", \.personID), Column("role", \.role)
    ).references(expedition, person)
  }

  @Test("three kinds of members of 100 expeditions are two queries", arguments: StoreKind.allCases)
  func members(kind: StoreKind) async throws {
    let store = try kind.open()
    let people = try store.repository(of: Person.self)
    let expeditions = try store.repository(of: Expedition.self)
    let members = try store.repository(of: Member.self)
    try await people.insert((0..<200).map { Person(id: $0, name: "person \($0)") })
    try await expeditions.insert((0..<100).map(Expedition.init))
    try await members.insert(
      contentsOf: (0..<1_000).lazy.map { number in
        Member(
          id: nil, expeditionID: number / 10, personID: number * 7 % 200, role: Role.allCases[number % 3])
      })
    let named = members.selection().including(Member.person.from(people))
    let all = try await expeditions.selection().including(ToMany(Member.expedition).from(named)).all()
    let doctors = all.map { $0.1.filter { $0.0.role == .doctor }.compactMap { $0.1?.name } }
    #expect(doctors.count == 100)
    #expect(doctors[0] == ["person 14", "person 35", "person 56"])
  }
}
