import Query
import Repository

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Rules of decimals, which a store keeps exactly and compares as numbers.
enum DecimalRules {
  static let all: [ConformanceRule<any Store>] = [
    ConformanceRule("decimals are stored exactly, and are equal and ordered as numbers") { context in
      let payments = try context.subject.repository(of: Payment.self)
      try await payments.save(amounts.enumerated().map { Payment(id: $0 + 1, amount: $1) })
      await context.expect("all", amounts) { try await payments.findAll().map(\.amount) }
      for (query, sort, ids) in requests {
        await context.expect("where \(query) sorted by \(sort)", ids) {
          let request = FetchRequest(try AnyQuery(parsing: query), sortedBy: try AnySort(parsing: sort))
          return try await payments.findAll(request).map(\.id)
        }
      }
      for query in ["amount * 2 > 5", "amount < 'cheap'", "amount = 0.1234567890123456"] {
        await context.expect("where \(query)", throws: .invalidQuery) {
          try await payments.findAll(FetchRequest(try AnyQuery(parsing: query)))
        }
      }
      let extremes = AggregateRequest([.min(key: "amount"), .max(key: "amount"), .countDistinct(key: "amount")])
      await context.expect(
        "min(amount), max(amount), countDistinct(amount)",
        [AggregateRow(keys: [], aggregates: ["-998 7~ -2", "020 12345678901234567890.123456789", 6])]
      ) {
        try await payments.aggregate(extremes)
      }
      await context.expect("sum(amount)", throws: .invalidQuery) {
        try await payments.aggregate(AggregateRequest([.sum(key: "amount")]))
      }
      await context.expect("set amount = 3.50", [7]) {
        try await payments.update(where: .isNull(key: "amount"), set: [Assignment("amount", 3.50)])
        return try await payments.findAll(FetchRequest(.equal(key: "amount", value: "3.5"))).map(\.id)
      }
    }
  ]

  private static let amounts: [Decimal?] =
    ["9.99", "125.5", "-2", "-1.9", "0", "12345678901234567890.123456789"].map { Decimal(string: $0) } + [nil]

  /// Queries and sorts, with the keys of the found elements.
  private static let requests: [(query: String, sort: String, ids: [Int])] = [
    ("amount > -2 and amount < 100", "", [1, 4, 5]), ("amount = 9.990", "", [1]),
    ("amount in (0, '-1.90', null)", "", [4, 5, 7]), ("amount between -1.9 and 125.50", "", [1, 2, 4, 5]),
    ("not amount >= 0", "", [3, 4, 7]), ("amount > '12345678901234567890.12345678'", "", [6]),
    ("true", "amount", [7, 3, 4, 5, 1, 2, 6]), ("true", "-amount", [6, 2, 1, 5, 4, 3, 7]),
  ]
}

/// A model with a decimal.
struct Payment: Entity, Hashable {
  let id: Int
  var amount: Decimal?

  static let schema = Schema("payment", Payment.init, Column("id", \.id), Column("amount", \.amount))
}
