import Foundation
import Repository
import Testing

@Suite("Keys that the program makes")
struct OwnKeyTests {
  private struct Signal: Entity, Equatable {
    var id = UUID()
    var text: String

    static let schema = Schema("signal", Signal.init, Column("id", \.id), Column("text", \.text))
  }

  @Test("UUIDs, known before anything is saved", arguments: StoreKind.allCases)
  func uuids(kind: StoreKind) async throws {
    let signals = try kind.open().repository(of: Signal.self)
    let (wow, other) = (Signal(text: "Wow!"), Signal(text: "pulsar"))
    #expect(wow.id != other.id)
    try await signals.insert([wow, other])
    #expect(try await signals.find(wow.id) == wow)
    #expect(try await signals.findAll(where: { $0.id.in([other.id]) }) == [other])
  }

  private struct Country: Entity, Equatable {
    let code: String
    var name: String

    var id: String { code }

    static let schema = Schema("country", Country.init, Column("code", \.code, .primaryKey), Column("name", \.name))
  }

  @Test("texts, in a column that is not called id", arguments: StoreKind.allCases)
  func texts(kind: StoreKind) async throws {
    let countries = try kind.open().repository(of: Country.self)
    try await countries.insert([Country(code: "cl", name: "Chile"), Country(code: "au", name: "Australia")])
    #expect(try await countries.find("cl")?.name == "Chile")
    #expect(try await countries.findAll().map(\.id) == ["au", "cl"])
  }

  /// A key with a type of its own can't be taken for another table's.
  private struct Badge: Entity, Equatable {
    struct Number: RawRepresentable, Hashable, ValueConvertible {
      let rawValue: Int
    }

    let id: Number
    var owner: String

    static let schema = Schema("badge", Badge.init, Column("id", \.id), Column("owner", \.owner))
  }

  @Test("types of one's own", arguments: StoreKind.allCases)
  func ownTypes(kind: StoreKind) async throws {
    let badges = try kind.open().repository(of: Badge.self)
    try await badges.insert(Badge(id: Badge.Number(rawValue: 7), owner: "Vera"))
    #expect(try await badges.get(Badge.Number(rawValue: 7)).owner == "Vera")
    #expect(try await badges.filter { $0.id == Badge.Number(rawValue: 8) }.count() == 0)
  }
}

@Suite("Keys that the store generates")
struct GeneratedKeyTests {
  private struct Entry: Entity, Equatable {
    let number: Int?
    var text: String

    var id: Int? { number }

    static let schema = Schema(
      "entry", Entry.init, Column("number", \.number, .primaryKey, .generated), Column("text", \.text))
  }

  @Test("count from 1, in a column of any name", arguments: StoreKind.allCases)
  func counting(kind: StoreKind) async throws {
    let entries = try kind.open().repository(of: Entry.self)
    #expect(try await entries.insert(Entry(number: nil, text: "first")).number == 1)
    #expect(try await entries.insert(Entry(number: nil, text: "second")).number == 2)
    #expect(try await entries.insert(Entry(number: 10, text: "tenth")).number == 10)
    #expect(try await entries.insert(Entry(number: nil, text: "next")).number == 11)
    #expect(try await entries.find(2)?.text == "second")
  }
}
