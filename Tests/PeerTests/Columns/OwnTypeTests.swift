import Foundation
import SQLiteStore
import Testing

@Suite("Types of one's own in a column")
struct OwnTypeTests {
  /// A decimal number, kept as its digits. A real would not hold it exactly.
  private struct Price: ValueConvertible, Comparable {
    var amount: Decimal

    static let valueType = ValueType.text

    func makeValue() -> Value { .text("\(amount)") }

    init(_ amount: Decimal) { self.amount = amount }

    init(value: Value) throws(ValueError) {
      let text = try String(value: value)
      guard let amount = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else {
        throw ValueError("the stored text is no decimal number")
      }
      self.amount = amount
    }

    static func < (lhs: Price, rhs: Price) -> Bool { lhs.amount < rhs.amount }
  }

  /// A length in whole metres: a number, so that the store compares and adds it.
  private struct Metres: RawRepresentable, Hashable, ValueConvertible {
    var rawValue: Int
  }

  private struct Mirror: Entity, Equatable {
    let id: Int
    var price: Price
    var diameter: Metres

    static let schema = Schema(
      "mirror", Mirror.init, Column("id", \.id), Column("price", \.price), Column("diameter", \.diameter))
  }

  private func mirrors(_ kind: StoreKind) async throws -> AnyRepository<Mirror> {
    let mirrors: AnyRepository<Mirror> = try kind.open().repository()
    try await mirrors.insert([
      Mirror(id: 1, price: Price(1_000_000.1), diameter: Metres(rawValue: 8)),
      Mirror(id: 2, price: Price(200.25), diameter: Metres(rawValue: 10)),
    ])
    return mirrors
  }

  @Test("come back as they were, and are found by what they are kept as", arguments: StoreKind.allCases)
  func reading(kind: StoreKind) async throws {
    let mirrors = try await mirrors(kind)
    #expect(try await mirrors.get(1).price.amount == Decimal(string: "1000000.1"))
    #expect(try await mirrors.findAll(where: { $0.price == Price(200.25) }).map(\.id) == [2])
    #expect(try await mirrors.findAll(where: { $0.diameter > Metres(rawValue: 9) }).map(\.id) == [2])
    #expect(try await mirrors.max(\.diameter) == Metres(rawValue: 10))
  }

  @Test("are ordered as they are kept: decimals as texts, so they are sorted in Swift", arguments: StoreKind.allCases)
  func order(kind: StoreKind) async throws {
    let mirrors = try await mirrors(kind)
    #expect(try await mirrors.findAll(sortedBy: .ascending(\.price)).map(\.id) == [1, 2])
    #expect(try await mirrors.findAll().sorted { $0.price < $1.price }.map(\.id) == [2, 1])
  }
}
