import Foundation
import PostgresStore
import Query
import Repository
import SQLStore
import TestSupport
import Testing

/// Columns of `numeric`, which other programs declare, are read and written exactly.
@Suite("Numeric columns of PostgreSQL", .requiresServer)
struct NumericTests {
  private struct Price: Entity, Hashable {
    let id: Int
    var amount: Decimal
    var share: Decimal?

    static let schema = Schema(
      "price", Price.init, Column("id", \.id), Column("amount", \.amount), Column("share", \.share))
  }

  private struct Text: Entity {
    let id: Int
    var amount: String
    static let schema = Schema("price", Text.init, Column("id", \.id), Column("amount", \.amount))
  }

  private struct Real: Entity {
    let id: Int
    var amount: Double
    static let schema = Schema("price", Real.init, Column("id", \.id), Column("amount", \.amount))
  }

  private static func decimal(_ text: String) throws -> Decimal { try #require(Decimal(string: text)) }

  @Test("hold decimals exactly, and compare them as every store does")
  func contract() async throws {
    try await TestServer.withStore { store in
      try await store.sql.execute(
        "CREATE TABLE offer (id int8 PRIMARY KEY, price numeric NOT NULL, discount numeric)")
      try await checkDecimals(in: store)
    }
    try await TestServer.withStore { store in
      try await store.sql.execute(
        "CREATE TABLE offer (id int8 PRIMARY KEY, price numeric NOT NULL, discount numeric)")
      try await checkRandomDecimals(in: store, rounds: 500)
    }
  }

  @Test("are properties of Decimal with any precision", arguments: ["numeric", "numeric(20,2)", "numeric(10,2)"])
  func types(_ type: String) async throws {
    try await TestServer.withStore { store in
      try await store.sql.execute(
        SQLStatement(
          verbatim: "CREATE TABLE price (id int8 PRIMARY KEY, amount \(type) NOT NULL, share \(type))"))
      let prices = try store.repository(of: Price.self)
      let amounts = try ["0", "-12.5", "12345678.99", "10", "9.9", "-0.01"].map(Self.decimal)
      let all = amounts.enumerated().map { Price(id: $0, amount: $1, share: $0 == 0 ? nil : $1) }
      try await prices.insert(all[0])
      try await prices.insert(Array(all[1...]))
      try await prices.save(all)
      #expect(try await prices.findAll() == all)
      #expect(try await prices.find(1) == all[1])
      #expect(try await prices.findAll(sortedBy: { $0.amount.ascending }).map(\.id) == [1, 5, 0, 4, 3, 2])
      #expect(try await prices.filter { $0.amount > 9 }.all().map(\.id) == [2, 3, 4])
      #expect(try await prices.filter { $0.amount.in(amounts) }.count() == 6)
      #expect(try await prices.filter { $0.share == nil }.count() == 1)
      #expect(try await prices.filter { $0.share == $0.amount }.count() == 5)
      #expect(try await prices.selection().aggregate(.max(\.amount)) == amounts[2])
      #expect(try await prices.selection().aggregate(.min(\.amount)) == amounts[1])
      #expect(try await prices.selection().grouped(by: \.amount).aggregate(.count).map(\.key) == amounts.sorted())
      let rows = try await prices.findRows(ProjectionRequest([.key("amount")], of: FetchRequest(limit: 3)))
      #expect(rows.map { $0[0] } == ["001 0", "-997 87.4~ -12.5", "008 12345678.99"])
      #expect(try await prices.filter { $0.amount == 10 }.update { $0.amount = 11 } == 1)
      #expect(try await prices.find(3)?.amount == 11)
      #expect(try await prices.delete(where: AnyQuery(Price.self) { $0.amount < 0 }) == 2)
    }
  }

  @Test("refuse what they would round, and types that can't hold their digits")
  func refusals() async throws {
    try await TestServer.withStore { store in
      try await store.sql.execute(
        "CREATE TABLE price (id int8 PRIMARY KEY, amount numeric(20,2) NOT NULL, share numeric(20,2))")
      let prices = try store.repository(of: Price.self)
      for amount in ["0.001", "1234567890123456789", "-1e18"] {
        let error = await #expect(throws: RepositoryError.self) {
          try await prices.insert(Price(id: 1, amount: try Self.decimal(amount)))
        }
        #expect(error?.code == .invalidValue, "\(amount)")
      }
      let errors = [
        #expect(throws: RepositoryError.self) { try store.repository(of: Text.self) },
        #expect(throws: RepositoryError.self) { try store.repository(of: Real.self) },
      ]
      for error in errors { #expect(error?.code == .unsupported && error?.suggestion?.contains("Decimal") == true) }
    }
  }

  @Test("are read and bound by statements exactly")
  func statements() async throws {
    try await TestServer.withStore { store in
      try await store.sql.execute("CREATE TABLE price (id int8, amount numeric(30,10), few numeric(9,2))")
      let amount = try Self.decimal("12345678901234567890.0123456789")
      let few = try Self.decimal("9.5")
      try await store.sql.execute("INSERT INTO price VALUES (1, \(amount), \(few))")
      #expect(try await store.sql.query("SELECT amount FROM price", as: Decimal.self) == [amount])
      #expect(try await store.sql.query("SELECT few FROM price", as: Decimal.self) == [few])
      #expect(try await store.sql.query("SELECT id FROM price WHERE amount = \(amount)", as: Int.self) == [1])
      #expect(
        try await store.sql.query("SELECT CAST(amount AS text) FROM price", as: String.self)
          == ["12345678901234567890.0123456789"])
      // Other types read the number, too.
      let sums = try await store.sql.query(
        "SELECT sum(x::numeric(9,2)) FROM (VALUES (10), (20)) AS v (x)", as: Int.self)
      #expect(sums == [30])
      #expect(try await store.sql.query("SELECT amount FROM price", as: Double.self) == [1.2345678901234567e19])
      #expect(
        try await store.sql.query("SELECT avg(id), sum(id) FROM price", as: Double.self, Int.self).map(\.1) == [1])
      #expect(try await store.sql.query("SELECT sum(few) FROM price", as: Decimal.self) == [few])
      let none = try await store.sql.query("SELECT NULL::numeric", as: Decimal?.self)
      #expect(none.count == 1 && none[0] == nil)
      for number in ["NaN", "Infinity", "1e200"] {
        let error = await #expect(throws: RepositoryError.self) {
          try await store.sql.query("SELECT CAST(\(number) AS numeric)", as: Decimal.self)
        }
        #expect(error?.code == .unreadableRow, "\(number)")
      }
    }
  }
}
