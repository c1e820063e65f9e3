import Foundation
import Repository
import Testing

@Suite("Elements from JSON and to JSON")
struct CodableTests {
  @Test("with Swift's own Codable; a missing key is a nil, also for the key", arguments: StoreKind.allCases)
  func coding(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let text = #"{"name": "Rhea", "planetID": 6, "diameter": 1527.6}"#
    let draft = try JSONDecoder().decode(Moon.self, from: Data(text.utf8))
    let rhea = try await sky.moons.insert(draft)
    #expect(try json(rhea) == #"{"diameter":1527.6,"id":11,"name":"Rhea","planetID":6}"#)
    #expect(try json(try await sky.stars.findAll(where: { $0.id == 3 })).contains(#""spectralClass":"a""#))
  }

  @Test("a wrong value is an error of Codable that names its place")
  func mismatch() {
    let text = #"{"name": "Rhea", "planetID": "Saturn", "diameter": 1527.6}"#
    let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(Moon.self, from: Data(text.utf8)) }
    guard case .typeMismatch(_, let context)? = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["planetID"])
  }
}

@Suite("Rows that can't be read")
struct UnreadableRowTests {
  private struct Comet: Entity, Equatable {
    let id: Int
    var apparitions: [Int]

    static let schema = Schema("comet", Comet.init, Column("id", \.id), Column("apparitions", json: \.apparitions))
  }

  @Test("are errors that name table, row and column, and no value", arguments: StoreKind.allCases)
  func unreadable(kind: StoreKind) async throws {
    let store = try kind.open()
    let comets = try store.repository(of: Comet.self)
    let table = try Comet.schema.table()
    // What another program has written.
    let records = try store.repository(Schema<Record>(table))
    try await records.insert([
      try Record(["id": 1, "apparitions": "[1910, 1986]"], for: table),
      try Record(["id": 2, "apparitions": "seldom"], for: table),
    ])
    #expect(try await comets.get(1).apparitions == [1910, 1986])
    let error = await expectRefusal(.unreadableRow) { try await comets.findAll() }
    let message = "\(error?.summary ?? "") \(error?.reason ?? "")"
    #expect(message.contains("comet") && message.contains("2") && message.contains("apparitions"))
    #expect(!message.contains("seldom"))
  }

  @Test("are not written in the first place: a column keeps its type", arguments: StoreKind.allCases)
  func refused(kind: StoreKind) async throws {
    let sky = try await Sky(kind)
    let table = try Mission.schema.table()
    let records = try sky.store.repository(Schema<Record>(table))
    await expectRefusal(.invalidValue) {
      try await records.insert(try Record(["id": 6, "name": "Dawn", "launched": "in autumn"], for: table))
    }
    #expect(try await sky.missions.count() == 5)
  }
}
