import Foundation
import Repository
import TestSupport
import Testing

@Suite("Properties of properties, lists of values and conditions that are known, in closures")
struct NestedPropertyTests {
  private struct Coat: Hashable {
    var color: String
    var isWarm: Bool
    var care = Care(degrees: nil)
  }

  private struct Care: Hashable {
    var degrees: Int?
  }

  private struct Dog: Entity, Hashable {
    let id: Int
    var coat: Coat
    var toys: [String] = []

    static let schema = Schema(
      "dog", columns: Column("id", \.id), Column("color", \.coat.color), Column("is_warm", \.coat.isWarm),
      Column("degrees", \.coat.care.degrees), Column("toys", json: \.toys)
    ) { row in
      Dog(
        id: try row.read("id"),
        coat: Coat(
          color: try row.read("color"), isWarm: try row.read("is_warm"), care: Care(degrees: try row.read("degrees"))),
        toys: try JSONDecoder().decode([String].self, from: Data(try row.read("toys", as: String.self).utf8)))
    }
  }

  private static let samples = [
    Dog(id: 1, coat: Coat(color: "red", isWarm: true)), Dog(id: 2, coat: Coat(color: "grey", isWarm: false)),
    Dog(id: 3, coat: Coat(color: "red", isWarm: false, care: Care(degrees: 30))),
  ]
  private let dogs: AnyRepository<Dog>

  init() throws {
    dogs = AnyRepository(try MemoryRepository(Self.samples))
  }

  @Test("find by columns of nested key paths")
  func finding() async throws {
    func ids(_ query: (Fields<Dog>) -> AnyQuery) async throws -> [Int] {
      try await dogs.filter(query).all().map(\.id)
    }
    #expect(try await ids { $0.coat.color == "red" } == [1, 3])
    #expect(try await ids { $0.coat.isWarm || $0.coat.care.degrees == 30 } == [1, 3])
    #expect(try await ids { $0.coat.care.degrees == nil && !$0.coat.isWarm } == [2])
    #expect(try await dogs.findAll(sortedBy: { $0.coat.color.ascending }).map(\.id) == [2, 1, 3])
    let error = await #expect(throws: RepositoryError.self) {
      try await dogs.findAll(where: { $0.coat.color.hashValue > 3 })
    }
    #expect(error?.code == .invalidQuery)
    #expect(
      error.map { "\($0)".contains("Dog.coat.color.") && !"\($0)".contains("0x0") } == true,
      "\(String(describing: error))")
  }

  @Test("are set one by one, beside properties that are kept as JSON")
  func setting() async throws {
    try await dogs.filter { $0.id == 1 }.update {
      $0.coat.color = "black"
      $0.coat.care.degrees = 60
      $0.toys = ["ball"]
    }
    let dog = try await dogs.get(1)
    let red = try AnyQuery(parsing: "color = 'red'")
    #expect(try await dogs.filter(red).update { $0.coat.color = "white" } == 1)
    #expect(try await dogs.get(3).coat.color == "white")
    #expect(dog == Dog(id: 1, coat: Coat(color: "black", isWarm: true, care: Care(degrees: 60)), toys: ["ball"]))
  }

  @Test("are looked for in a list of values, also of properties that may be nil")
  func lists() {
    let ids: Set = [3]
    let degrees = [30, 40]
    #expect(AnyQuery(Dog.self) { ids.contains($0.id) } == .in(key: "id", values: [3]))
    #expect(AnyQuery(Dog.self) { degrees.contains($0.coat.care.degrees) } == .in(key: "degrees", values: [30, 40]))
    #expect(AnyQuery(Dog.self) { (1...3).contains($0.id) } == .between(key: "id", lhs: 1, rhs: 3))
  }

  @Test("are left out by a condition that is known before", arguments: [true, false])
  func conditions(isOpen: Bool) {
    let red = AnyQuery.equal(key: "color", value: "red")
    #expect(AnyQuery(Dog.self) { isOpen || $0.coat.color == "red" } == (isOpen ? .true : red))
    #expect(AnyQuery(Dog.self) { $0.coat.color == "red" || isOpen } == (isOpen ? .true : red))
    #expect(AnyQuery(Dog.self) { isOpen && $0.coat.color == "red" } == (isOpen ? red : .false))
    #expect(AnyQuery(Dog.self) { $0.coat.color == "red" && isOpen } == (isOpen ? red : .false))
  }

  @Test("come in pages that a request from outside asks for, of columns that it may ask for")
  func requests() async throws {
    let allowed = ["color", "id"]
    var request = try FetchRequest(queryItems: [
      URLQueryItem(name: "where", value: "color = 'red'"), URLQueryItem(name: "sort", value: "id desc"),
      URLQueryItem(name: "limit", value: "1"),
    ]).restricted(to: allowed)
    let first = try await dogs.selection(request).page(size: 50)
    #expect(first.elements.map(\.id) == [3] && first.previous == nil)
    let text = try #require(first.next?.text)
    request.after = try Cursor(parsing: text)
    let second = try await dogs.selection(request).page(size: 50)
    #expect(second.elements.map(\.id) == [1] && second.next == nil)
    request.after = nil
    request.before = second.previous
    #expect(try await dogs.selection(request).page(size: 50).elements.map(\.id) == [3])
    // No more than the server allows.
    #expect(try await dogs.selection(FetchRequest(limit: 1_000)).page(size: 2).elements.count == 2)
    await expectError(.invalidQuery) {
      try await dogs.selection(FetchRequest(limit: 0)).page(size: 2)
    }
    #expect(try JSONDecoder().decode(Cursor.self, from: try JSONEncoder().encode(first.next)) == first.next)

    for (query, sort) in [
      ("degrees > 3 or id = 1", "id"), ("not (id = 1 and degrees = id)", "id"), ("id = 1", "degrees"),
    ] {
      let request = FetchRequest(try AnyQuery(parsing: query), sortedBy: try AnySort(parsing: sort))
      expectError(
        .columnNotAllowed, of: QueryError.self, summary: "the column degrees is not allowed here",
        suggestion: "allowed: color, id"
      ) { try request.restricted(to: allowed) }
    }
  }
}
