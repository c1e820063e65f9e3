import Foundation
import Query
package import Repository

/// A product, whose columns of each format others lead to.
private struct Product: Entity, Equatable {
  let id: Int
  var price: Decimal
  var made: Date
  var code: UUID
}

/// A sale of a product, with columns of the same formats.
private struct Sale: Entity, Equatable {
  let id: Int
  var product: Int?
  var paid: Decimal?
  var sold: Date?
  var code: UUID?

  static let ofProduct = ToOne(\Sale.product, to: Product.self)
  static let schema = Schema(
    "sale", Sale.init, Column("id", \.id), Column("product", \.product), Column("paid", \.paid),
    Column("sold", \.sold), Column("code", \.code)
  ).references(ofProduct)
}

extension Product {
  static let schema = Schema(
    "product", Product.init, Column("id", \.id), Column("price", \.price), Column("made", \.made),
    Column("code", \.code))

  /// Products whose prices and days differ in order from their texts.
  static let all = (1...4).map { id in
    Product(
      id: id, price: Decimal([0, 9, 10, -2, 1][id]), made: Date(timeIntervalSince1970: [0, 1e9, 0, 1.5e9, -1e9][id]),
      code: UUID(uuid: (UInt8(id), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xAB)))
  }

  static func code(_ id: Int) -> String { "'0\(id)000000-0000-0000-0000-0000000000ab'" }
}

/// Requests that lead to columns of UUIDs, dates and decimals of other tables, and what they find.
package enum RelatedFormats {
  /// Conditions, and the keys of the rows that they mean.
  static let conditions: [(table: String, query: String, keys: [Int])] = [
    ("sale", "product.price > 9", [2]), ("sale", "product.price = '9.00'", [1]), ("sale", "product.price < 1", [3]),
    ("sale", "product.price in (-2, '1.0')", [3, 4]), ("sale", "product.price between -1 and 9.5", [1, 4]),
    ("sale", "not product.price > 9", [1, 3, 4, 5]), ("sale", "product.price = paid", [2, 4]),
    ("sale", "product.price < paid", [1]), ("sale", "coalesce(product.price, paid) = 7", [5]),
    ("sale", "if(id > 1, product.price, paid) = 9.50", [1]), ("sale", "product.made >= '2001-09-09'", [1, 3]),
    ("sale", "product.made = '1970-01-01T00:00:00.000000000Z'", [2]), ("sale", "product.made = sold", [1, 2, 3, 4, 5]),
    ("sale", "year(product.made) = 1938", [4]), ("sale", "product.code = \(Product.code(2))", [2]),
    ("sale", "product.code = code", [1, 2, 3, 4, 5]), ("sale", "product.code in (\(Product.code(3)), null)", [3, 5]),
    ("product", "any sale (paid > 9)", [1, 2]), ("product", "any sale (paid = 9.5)", [1]),
    ("product", "no sale (sold < '2000')", [1, 3]), ("product", "any sale (product.price = -2.0)", [3]),
    ("product", "min(paid of sale) = 10", [2]), ("product", "max(paid of sale) < 10", [1, 4]),
    ("product", "min(paid of sale) > price", [1]), ("product", "count(sale where paid > 1) = 1", [1, 2]),
    ("product", "max(sold of sale) = made", [1, 2, 3, 4]), ("product", "min(code of sale) = \(Product.code(4))", [4]),
    ("product", "max(paid of sale where paid < 9.75) = 9.5", [1]),
  ]

  /// Conditions on sales by product, and the products of the groups.
  static let groups: [(condition: String, keys: [Value])] = [
    ("max(product.price) > 9", [2]), ("min(product.price) = '-2.0'", [3]), ("max(product.made) < '1950-01-01'", [4]),
    ("min(product.code) = \(Product.code(1))", [1]),
  ]

  /// What columns of sales are set to, and what the sales have paid then.
  static let updates: [(set: String, paid: [Decimal?])] = [
    ("paid = product.price", [9, 10, -2, 1, nil]), ("paid = coalesce(product.price, paid)", [9, 10, -2, 1, 7]),
    ("paid = if(product.price > 1, product.price, null)", [9, 10, nil, nil, nil]),
    ("sold = product.made, code = product.code", [9.5, 10, nil, 1, 7]),
  ]

  /// What columns of products are set to, and their prices then.
  static let updatesOfProducts: [(set: String, prices: [Decimal])] = [
    ("price = coalesce(max(paid of sale), price)", [9.5, 10, -2, 1]),
    ("made = coalesce(min(sold of sale), made), code = coalesce(max(code of sale), code)", [9, 10, -2, 1]),
  ]

  /// Requests that are refused everywhere for the same reason.
  static let refused: [(table: String, query: String)] = [
    ("sale", "product.price > 'cheap'"), ("sale", "product.price + 1 > 2"), ("sale", "product.code = 'e621'"),
    ("sale", "product.made = '2001-09-09'"), ("product", "sum(paid of sale) > 1"),
    ("product", "any sale (code = \(Product.code(1).uppercased()))"),
  ]
}

extension Sale {
  /// Sales of the products at the time at which each was made, and one of no product.
  static let all =
    zip(Product.all, [9.5, 10, nil, 1] as [Decimal?]).map { product, paid in
      Sale(id: product.id, product: product.id, paid: paid, sold: product.made, code: product.code)
    } + [Sale(id: 5, paid: 7)]
}

extension Store {
  /// What is wrong in this store with requests that lead to columns of UUIDs, dates and decimals.
  package func faultsOfRelatedFormats() async throws -> [String] {
    var faults: [String] = []
    let sales = try repository(of: Sale.self)
    // The table that they refer to is known, although no repository of it is open.
    if try await sales.count(AnyQuery(parsing: "product.price > 9")) != 0 { faults.append("there is a sale") }
    let products = try repository(of: Product.self)
    try await products.save(Product.all)
    try await sales.save(Sale.all)
    func keys(_ table: String, _ request: FetchRequest) async throws -> [Int] {
      try await table == "sale" ? sales.findAll(request).map(\.id) : products.findAll(request).map(\.id)
    }
    for (table, query, expected) in RelatedFormats.conditions {
      do {
        let found = try await keys(table, FetchRequest(try AnyQuery(parsing: query)))
        if found != expected { faults.append("\(query): \(found)") }
      } catch {
        faults.append("\(query): \(error)")
      }
    }
    for (condition, expected) in RelatedFormats.groups {
      do {
        let request = AggregateRequest(
          [.count], groupedBy: [.key("product")], having: try AnyQuery(parsingHaving: condition))
        let found = try await sales.aggregate(request).map(\.keys)
        if found != expected.map({ [$0] }) { faults.append("\(condition): \(found)") }
      } catch {
        faults.append("\(condition): \(error)")
      }
    }
    for (set, expected) in RelatedFormats.updates {
      do {
        try await sales.update(where: .true, set: try Assignment.list(parsing: set))
        let paid = try await sales.findAll().map(\.paid)
        if paid != expected { faults.append("\(set): \(paid)") }
      } catch {
        faults.append("\(set): \(error)")
      }
      try await sales.save(Sale.all)
    }
    for (set, expected) in RelatedFormats.updatesOfProducts {
      do {
        try await products.update(where: .true, set: try Assignment.list(parsing: set))
        let prices = try await products.findAll().map(\.price)
        if prices != expected { faults.append("\(set): \(prices)") }
      } catch {
        faults.append("\(set): \(error)")
      }
      try await products.save(Product.all)
    }
    for (table, query) in RelatedFormats.refused {
      do {
        let found = try await keys(table, FetchRequest(try AnyQuery(parsing: query)))
        faults.append("\(query) is not refused: \(found)")
      } catch let error as RepositoryError where error.code == .invalidQuery {
        continue
      }
    }
    return faults
  }
}
