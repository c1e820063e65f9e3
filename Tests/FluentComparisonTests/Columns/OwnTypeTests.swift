import Foundation
import Repository
import Testing

@Suite("Your own types in a column")
struct OwnTypeTests {
  /// A length in whole metres: a number, so that the store compares and adds it.
  private struct Metres: RawRepresentable, Hashable, ValueConvertible {
    var rawValue: Int
  }

  private struct Mirror: Entity, Equatable {
    let id: Int
    var price: Decimal
    var diameter: Metres

    static let schema = Schema(
      "mirror", Mirror.init, Column("id", \.id), Column("price", \.price), Column("diameter", \.diameter))
  }

  private func mirrors(_ kind: StoreKind) async throws -> AnyRepository<Mirror> {
    let mirrors = try kind.open().repository(of: Mirror.self)
    try await mirrors.insert([
      Mirror(id: 1, price: try #require(Decimal(string: "1000000.1")), diameter: Metres(rawValue: 8)),
      Mirror(id: 2, price: try #require(Decimal(string: "200.25")), diameter: Metres(rawValue: 10)),
    ])
    return mirrors
  }

  @Test("come back as they were, and are found by what they are kept as", arguments: StoreKind.allCases)
  func reading(kind: StoreKind) async throws {
    let mirrors = try await mirrors(kind)
    #expect(try await mirrors.get(1).price == Decimal(string: "1000000.1"))
    #expect(try await mirrors.findAll(where: { $0.diameter > Metres(rawValue: 9) }).map(\.id) == [2])
    #expect(try await mirrors.selection().aggregate(.max(\.diameter)) == Metres(rawValue: 10))
  }

  @Test("decimals are exact, and ordered as numbers", arguments: StoreKind.allCases)
  func decimals(kind: StoreKind) async throws {
    let mirrors = try await mirrors(kind)
    #expect(try await mirrors.findAll(where: { $0.price > 200.2 && $0.price <= 200.25 }).map(\.id) == [2])
    #expect(try await mirrors.findAll(sortedBy: { $0.price.ascending }).map(\.id) == [2, 1])
  }
}
