import Foundation
import Repository
import TestSupport
import Testing

// swift-format-ignore: what stands here is what stands in the article.
private enum Shop {
  struct Species: Entity, Equatable {
    let number: Int
    var name: String
    var id: Int { number }
    static let schema = Schema<Species>(table: "species") {
      Parameters(of: Species.init)
      Column("number", \.number, .primaryKey)
      Column("name", \.name)
    }
  }

  struct Station: Entity, Equatable {
    let id: Int
    var name: String
    var height: Double?
    static let schema = Schema<Station>(table: "station") {
      Parameters(of: Station.init)
      Column("id", \.id)
      Column("name", \.name, .unique)
      Column("height", \.height)
    }
  }

  struct Drawer: Entity, Equatable {
    struct ID: PrimaryKey {
      let cabinet: String
      let number: Int
      func keyValues() throws(ValueError) -> [Value] { [cabinet.makeValue(), try number.makeValue()] }
    }
    let cabinet: String
    let number: Int
    var label: String
    var id: ID { ID(cabinet: cabinet, number: number) }
    static let schema = Schema<Drawer>(table: "drawer") {
      Parameters(of: Drawer.init)
      Column("cabinet", \.cabinet, .primaryKey)
      Column("number", \.number, .primaryKey)
      Column("label", \.label)
    }
  }

  struct Tool: Entity, Equatable {
    let id: UUID
    var cabinet: String
    var number: Int
    var price: Money
    static let drawer = ToOne(\Tool.cabinet, \Tool.number, to: Drawer.self)
    static let schema = Schema<Tool>(table: "tool") {
      Parameters(of: Tool.init)
      Column("id", \.id)
      Column("cabinet", \.cabinet)
      Column("number", \.number)
      Column("price", \.price)
    }.references(drawer)
  }

  struct Money: NumberProperty, Comparable {
    var cents: Int
    static var valueType: ValueType { .integer }
    func makeValue() throws(ValueError) -> Value { try cents.makeValue() }
    init(cents: Int) { self.cents = cents }
    init(value: Value) throws(ValueError) { cents = try Int(value: value) }
    static func < (lhs: Money, rhs: Money) -> Bool { lhs.cents < rhs.cents }
  }

  struct Entry: Entity {
    let id: Int?
    var text: String
    var createdAt: Date?
    var updatedAt: Date?
    static let schema = Schema<Entry>(table: "entry") {
      Parameters(of: Entry.init)
      Column("id", \.id, .generated)
      Column("text", \.text)
      Column("created_at", \.createdAt, .createdAt)
      Column("updated_at", \.updatedAt, .updatedAt)
    }
  }

  struct Letter: Entity, Equatable {
    let id: Int
    var text: String
    var deletedAt: Date?
    static let schema = Schema<Letter>(table: "letter") {
      Parameters(of: Letter.init)
      Column("id", \.id)
      Column("text", \.text)
      Column("deleted_at", \.deletedAt, .deletedAt)
    }
  }

  struct Member: Entity, Equatable {
    let id: Int
    var email: String
    var deletedAt: Date?
    static let schema = Schema<Member>(table: "member") {
      Parameters(of: Member.init)
      Column("id", \.id)
      Column("email", \.email)
      Column("deleted_at", \.deletedAt, .deletedAt)
    }.unique(\.email) { $0.deletedAt == nil }
  }

  struct Cat: Entity, Equatable {
    struct Coat: Equatable {
      var color: String
      var isLong: Bool
    }
    let id: Int
    var coat: Coat
    static let schema = Schema<Cat>(table: "cat") {
      Parameters { Cat(id: $0, coat: Coat(color: $1, isLong: $2)) }
      Column("id", \.id)
      Column("color", \.coat.color)
      Column("is_long", \.coat.isLong)
    }
  }

  struct Satellite: Entity, Equatable {
    struct Orbit: Equatable {
      var period: Double
      var height: Double
      init?(_ period: Double?, _ height: Double?) {
        guard let period, let height else { return nil }
        (self.period, self.height) = (period, height)
      }
    }
    let id: Int
    var orbit: Orbit?
    static let schema = Schema<Satellite>(table: "satellite") {
      Parameters { Satellite(id: $0, orbit: Orbit($1, $2)) }
      Column("id", \.id)
      Column("period", \Satellite.orbit?.period)
      Column("height", \Satellite.orbit?.height)
    }
  }

  struct Product: Entity, Equatable {
    let id: Int
    var price: Decimal
    static let schema = Schema<Product>(table: "product") {
      Parameters(of: Product.init)
      Column("id", \.id)
      Column("price", \.price, .indexed)
    }
  }
}

@Suite("The article Keys and values tells the truth")
struct KeysAndValuesArticleTests {
  private typealias Drawer = Shop.Drawer
  private typealias Tool = Shop.Tool
  private typealias Money = Shop.Money
  private typealias Entry = Shop.Entry
  private typealias Letter = Shop.Letter
  private typealias Member = Shop.Member

  @Test("its examples run")
  func examples() async throws {
    let store = MemoryStore()
    let species = try store.repository(of: Shop.Species.self)
    try await species.save(Shop.Species(number: 7, name: "Squirtle"))
    #expect(try await species.get(7).name == "Squirtle")

    let drawers = try store.repository(of: Drawer.self)
    let tools = try store.repository(of: Tool.self)
    try await drawers.save([Drawer(cabinet: "A", number: 1, label: "saws"), Drawer(cabinet: "A", number: 2, label: "")])
    try await tools.save([
      Tool(id: UUID(), cabinet: "A", number: 1, price: Money(cents: 499)),
      Tool(id: UUID(), cabinet: "A", number: 1, price: Money(cents: 50)),
      Tool(id: UUID(), cabinet: "A", number: 2, price: Money(cents: 500)),
    ])
    let first = try await drawers.get(Drawer.ID(cabinet: "A", number: 1))
    let others = try await drawers.findAll(where: { $0.id != first.id && $0.cabinet == "A" })
    #expect(others.map(\.number) == [2])
    let content = try await [first].including(ToMany(Tool.drawer).from(tools))
    #expect(content.map { $0.1.count } == [2])
    let cheap = try await tools.findAll(where: { $0.price < Money(cents: 500) }, sortedBy: { $0.price.ascending })
    let total = try await tools.selection().aggregate(.sum(\.price))  // an Int, of cents
    #expect(cheap.map(\.price.cents) == [50, 499] && total == 1_049)

    let stations = try store.repository(of: Shop.Station.self)
    let station = Shop.Station(id: 1, name: "Brocken", height: 1_141.2)
    try await stations.save([station])
    #expect(try await stations.findAll(where: { $0.height > 1_000 }) == [station])

    let entries = try store.repository(of: Shop.Entry.self)
    let entry = try await entries.insert(Entry(id: nil, text: "first"))  // with both times
    #expect(entry.id == 1 && entry.createdAt != nil && entry.updatedAt != nil)
    let letters = try store.repository(of: Letter.self)
    try await letters.save([Letter(id: 1, text: "a", deletedAt: nil), Letter(id: 2, text: "b", deletedAt: nil)])
    try await letters.delete(1)
    let left = try await letters.findAll()  // without it
    #expect(left.map(\.id) == [2])
    let all = try store.repository(Letter.schema.includingDeleted)
    try await all.filter { $0.id == 1 }.update { $0.deletedAt = nil }
    #expect(try await letters.count() == 2)
    try await letters.delete(2)
    let lastYear = Date.distantFuture
    try await all.filter { $0.deletedAt < lastYear }.delete()
    #expect(try await all.findAll().map(\.id) == [1])
    let members = try store.repository(of: Member.self)
    try await members.insert(Member(id: 1, email: "ash@example.com", deletedAt: nil))
    try await members.delete(1)
    try await members.insert(Member(id: 2, email: "ash@example.com"))  // the address of the deleted member 1
    let everyone = try store.repository(Member.schema.includingDeleted)
    let conflict = await #expect(throws: RepositoryError.self) {
      try await everyone.filter { $0.id == 1 }.update { $0.deletedAt = nil }
    }
    #expect(conflict?.code == .conflict && conflict?.reason == "email is unique where deleted_at is null")
    let cats = try store.repository(of: Shop.Cat.self)
    let tom = Shop.Cat(id: 1, coat: Shop.Cat.Coat(color: "red", isLong: true))
    try await cats.save([tom, Shop.Cat(id: 2, coat: Shop.Cat.Coat(color: "black", isLong: false))])
    let red = try await cats.findAll(where: { $0.coat.color == "red" })
    #expect(red == [tom])

    let satellites = try store.repository(of: Shop.Satellite.self)
    try await satellites.save([
      Shop.Satellite(id: 1, orbit: Shop.Satellite.Orbit(92.9, 420)), Shop.Satellite(id: 2, orbit: nil),
    ])
    let fast = try await satellites.findAll(where: { $0[\.orbit?.period] < 100 })
    let lost = try await satellites.findAll(where: { $0[\.orbit?.period] == nil })
    let highest = try await satellites.selection().aggregate(.max { $0[\.orbit?.height] })
    #expect(fast.map(\.id) == [1] && lost.map(\.id) == [2] && highest == 420)
    let products = try store.repository(of: Shop.Product.self)
    try await products.save([
      Shop.Product(id: 1, price: 10), Shop.Product(id: 2, price: 9), Shop.Product(id: 3, price: 12),
    ])
    let limit = Decimal(string: "9.99") ?? 0
    let dear = try await products.findAll(where: { $0.price > limit }, sortedBy: { $0.price.descending })
    let same = try await products.filter(AnyQuery(parsing: "price > 9.99")).all()
    #expect(dear.map(\.id) == [3, 1] && same.count == 2)
  }

  @Test("each of its lines of Swift stands in this file")
  func snippets() throws {
    let snippets = try Article("Sources/Repository/Repository.docc/KeysAndValues.md").snippets()
    #expect(snippets.missing == [])
    #expect(snippets.count > 50)
  }
}
