import Foundation
package import Repository
import Testing

private struct Offer: Entity, Equatable {
  let id: Int
  var price: Decimal
  var discount: Decimal?

  static let schema = Schema(
    "offer", Offer.init, Column("id", \.id), Column("price", \.price, .indexed), Column("discount", \.discount))
}

/// An element whose key is a decimal, and which has another one of its own.
private struct Rate: Entity, Equatable {
  let id: Decimal
  var factor: Decimal

  static let schema = Schema("rate", Rate.init, Column("id", \.id), Column("factor", \.factor, .unique))
    .check("is positive") { $0.factor > 0 }
}

private func decimal(_ text: String) throws -> Decimal { try #require(Decimal(string: text)) }

/// Decimals in their order; those in a line are equal.
private let ladder = [
  ["-99999999999999999999999999999999999999e127"], ["-12345678901234567890.123456789"], ["-100", "-1e2"], ["-99.99"],
  ["-12.5", "-12.50"], ["-12"], ["-10"], ["-9.99"], ["-9.9"], ["-2"], ["-1.9"], ["-1"], ["-0.5"], ["-0.05"],
  ["-1e-128"],
  ["0", "-0", "0.000"], ["1e-128"], ["0.05"], ["0.5", "0.50"], ["0.9999999999999999"], ["1", "1.0"], ["1.5", "1.50"],
  ["2"], ["9.9"], ["9.99", "9.990"], ["10", "1e1"], ["12"], ["12.5"], ["99.99"], ["100"], ["9007199254740992"],
  ["9007199254740993"], ["12345678901234567890.123456788"], ["12345678901234567890.123456789"],
  ["99999999999999999999999999999999999999e127"],
]

/// Checks that a store keeps decimals exactly, and compares them as numbers.
package func checkDecimals(in store: some Store) async throws {
  let offers = try store.repository(of: Offer.self)
  let values = try ladder.map { try $0.map(decimal) }
  for (step, equal) in values.enumerated() {
    for (index, price) in equal.enumerated() { try await offers.save(Offer(id: step * 10 + index, price: price)) }
  }
  let found = try await offers.findAll(sortedBy: { $0.price.ascending + $0.id.ascending })
  let ids = values.enumerated().flatMap { step, equal in equal.indices.map { index -> Int in step * 10 + index } }
  #expect(found.map(\.id) == ids)
  #expect(found.map(\.price) == values.flatMap(\.self))
  for (step, equal) in values.enumerated() {
    let price = equal[0]
    #expect(try await offers.filter { $0.price == price }.count() == equal.count, "\(price)")
    #expect(try await offers.filter { $0.price < price }.count() == values[..<step].joined().count, "\(price)")
    #expect(try await offers.filter { $0.price >= price }.count() == values[step...].joined().count, "\(price)")
  }
  // Equal ones are one value.
  #expect(try await offers.selection().grouped(by: \.price).aggregate(.count).map(\.key) == values.map { $0[0] })
  let distinct = ProjectionRequest([.key("price")], isDistinct: true)
  #expect(try await offers.findRows(distinct).count == values.count)
  #expect(try await offers.selection().aggregate(.min(\.price)) == values.first?[0])
  #expect(try await offers.selection().aggregate(.max(\.price)) == values.last?[0])
  // Pages.
  var paged: [Decimal] = []
  var page = try await offers.sorted { $0.price.descending }.page(size: 7)
  while true {
    paged += page.elements.map(\.price)
    guard let next = page.next else { break }
    page = try await offers.sorted { $0.price.descending }.page(size: 7, after: next)
  }
  #expect(paged == values.flatMap(\.self).reversed())

  try await checkDecimalQueries(of: offers)
  try await checkDecimalRules(in: store)
}

/// Checks what numbers and texts in a query mean.
private func checkDecimalQueries(of offers: AnyRepository<Offer>) async throws {
  let counts = [
    ("price = 9.99", 2), ("9.99 = price", 2), ("price = '9.990'", 2), ("price = 10", 2),
    ("price in (1, '1.5', 2.0)", 5),
    ("price between -2 and -1", 3), ("not price between -2 and -1", 41), ("price = 0.1", 0), ("price = -0.0", 3),
    ("price > 9007199254740992 and price <= 9007199254740993", 1), ("price = '12345678901234567890.123456788'", 1),
    ("price = '001 9.99'", 2), ("price = '9999999999999999999999999999999999999900e125'", 1), ("discount is null", 44),
    ("coalesce(discount, price) = 2", 1), ("coalesce(discount, '2.0') = 2", 44), ("coalesce(discount, 2) < '9.5'", 44),
    ("if(price > 100, price, '0') = 0", 39), ("coalesce(discount, null, 3) in (3, '4')", 44), ("price = 1e-128", 1),
    ("if(id > 0, price, null) > 100", 5),
  ]
  for (text, count) in counts {
    let query = try AnyQuery(parsing: text)
    #expect(try await offers.count(query) == count, "\(text)")
    #expect(try await offers.count(try AnyQuery(jsonValue: query.jsonValue)) == count, "\(text)")
    // Again, by the statement that is kept.
    #expect(try await offers.count(query) == count, "\(text)")
  }
  #expect(try await offers.filter(#Predicate<Offer> { $0.price > 10 && $0.price < 100 }).count() == 3)
  for text in [
    "coalesce(discount, 'x') = 1", "if(id > 0, price, x'00') = 1", "length(price) = 4", "price || 'x' = '9.99x'",
    "price starts with '9'", "folded(price) = '1'", "price < (if(id > 0, 'a', 'b'))",
    "price = 0.12345678901234567", "price < 9e999", "price = 'x'", "price > ''", "price * 2 > 1", "price = x'00'",
  ] {
    let error = await #expect(throws: RepositoryError.self) { try await offers.count(try AnyQuery(parsing: text)) }
    #expect(error?.code == .invalidQuery, "\(text)")
  }
  for function in [AnyAggregate.sum(key: "price"), .average(key: "price")] {
    let error = await #expect(throws: RepositoryError.self) { try await offers.aggregate(AggregateRequest([function])) }
    #expect(error?.code == .invalidQuery)
  }
  #expect(
    try await offers.update(where: .equal(key: "price", value: 2), set: [Assignment(parsing: "discount = 0.10")]) == 1)
  #expect(try await offers.filter { $0.discount != nil }.update { $0.price = 3 } == 1)
  let tenth = try decimal("0.1")
  let discounted = AnyQuery(Offer.self) { $0.discount == tenth }
  #expect(try await offers.update(where: discounted, set: [Assignment(parsing: "discount = price")]) == 1)
  #expect(try await offers.findAll(where: { $0.price == $0.discount }).map(\.price) == [3])
}

/// Checks keys, rules, and what can't be kept.
private func checkDecimalRules(in store: some Store) async throws {
  let rates = try store.repository(of: Rate.self)
  try await rates.insert(Rate(id: try decimal("1.5"), factor: 2))
  #expect(try await rates.find(try decimal("1.50"))?.factor == 2)
  try await rates.save(Rate(id: try decimal("1.500"), factor: try decimal("2.0")))
  #expect(try await rates.count() == 1)
  let refused: [(Rate, RepositoryError.Code)] = [
    (Rate(id: 7, factor: try decimal("2.00")), .conflict), (Rate(id: 7, factor: try decimal("-0.1")), .constraint),
    (Rate(id: 7, factor: .nan), .invalidValue), (Rate(id: .nan, factor: 1), .invalidValue),
    (Rate(id: 7, factor: .greatestFiniteMagnitude), .invalidValue),
  ]
  for (rate, code) in refused {
    let error = await #expect(throws: RepositoryError.self) { try await rates.insert(rate) }
    #expect(error?.code == code, "\(rate)")
  }
  let error = await #expect(throws: RepositoryError.self) { try await rates.findAll(where: { $0.factor < .nan }) }
  #expect(error?.code == .invalidQuery)
}

/// Checks that random decimals come back, and in the order of Foundation's own comparison.
package func checkRandomDecimals(in store: some Store, rounds: Int) async throws {
  let seed = Environment.number("REPOKIT_SEED") ?? .random(in: 0...UInt64(UInt32.max))
  var generator = SplitMix64(seed: seed)
  let offers = try store.repository(of: Offer.self)
  var prices: [Decimal] = []
  for _ in 0..<rounds {
    // Few different digits and exponents, so that there are equal ones and near ones.
    let digits = (0..<Int.random(in: 1...38, using: &generator)).map { _ in
      "0199".randomElement(using: &generator) ?? "0"
    }
    let sign = Bool.random(using: &generator) ? "-" : ""
    prices.append(try decimal("\(sign)\(String(digits))e\(Int.random(in: -40...4, using: &generator))"))
  }
  try await offers.save(contentsOf: prices.enumerated().map { Offer(id: $0, price: $1) })
  let sorted = prices.enumerated().sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }
  let found = try await offers.findAll(sortedBy: { $0.price.ascending + $0.id.ascending })
  #expect(found.map(\.price) == sorted.map(\.element), "REPOKIT_SEED=\(seed)")
  for price in prices.prefix(20) {
    #expect(
      try await offers.filter { $0.price <= price }.count() == prices.filter { $0 <= price }.count,
      "\(price), REPOKIT_SEED=\(seed)")
  }
}
