import Foundation
import Query
import Repository
import TestSupport
import Testing

@Suite("A schema says how a model type is kept")
struct SchemaTests {
  @Test("Columns take their types and whether they may be null from the properties")
  func columns() throws {
    let table = try Creature.schema.table()
    #expect(table.name == "creature")
    #expect(
      table.columns == [
        ColumnSchema("id", .integer), ColumnSchema("name", .text, isUnique: true),
        ColumnSchema("element", .text, isIndexed: true), ColumnSchema("second_element", .text, isNullable: true),
        ColumnSchema("weight", .real), ColumnSchema("height", .real, isNullable: true),
        ColumnSchema("attack", .integer),
        ColumnSchema("defense", .integer), ColumnSchema("rare", .integer),
        ColumnSchema("nickname", .text, isNullable: true), ColumnSchema("seen", .text, isNullable: true, format: .date),
      ])
    #expect(table.primaryKey == [0])
  }

  @Test("Elements come back through the initialiser")
  func parameterPack() throws {
    let repository = try MemoryRepository(Creature.samples)
    #expect(try repository.blocking.findAll(FetchRequest()) == Creature.samples)
  }

  struct Reading: Entity, Hashable {
    let id: Int?
    var station: UUID
    var a, b, c, d, e, f, g: Double?
    var h, i, j, k, l, m: String?
    var tags: [String]
    var at: Date
    var isValid: Bool
    static let schema = Schema<Reading>(table: "reading") {
      Parameters(of: Reading.init)
      Column("id", \.id, .generated)
      Column("station", \.station, .indexed)
      Column("a", \.a)
      Column("b", \.b)
      Column("c", \.c)
      Column("d", \.d)
      Column("e", \.e)
      Column("f", \.f)
      Column("g", \.g)
      Column("h", \.h)
      Column("i", \.i)
      Column("j", \.j)
      Column("k", \.k)
      Column("l", \.l)
      Column("m", \.m)
      Column("tags", json: \.tags)
      Column("at", \.at)
      Column("valid", \.isValid)
    }.check("not too old") { $0.at > Date(timeIntervalSince1970: 0) }
  }

  @Test("A block of columns makes the same schema as a call, in its order, for any number of columns")
  func block() async throws {
    let names = try Reading.schema.table().columns.map(\.name)
    #expect(names.joined(separator: " ") == "id station a b c d e f g h i j k l m tags at valid")
    #expect(try Reading.schema.table().columns[0].isGenerated && Reading.schema.table().columns[1].isIndexed)
    let repository = try MemoryRepository<Reading>()
    let reading = try await repository.insert(
      Reading(
        id: nil, station: UUID(), a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: "8", i: "9", j: "10", k: "11", l: nil,
        m: "13", tags: ["x"], at: Date(timeIntervalSince1970: 1), isValid: true))
    #expect(reading.id == 1 && reading.g == 7 && reading.l == nil && reading.tags == ["x"] && reading.isValid)
    #expect(try await repository.findAll() == [reading])
    await #expect(throws: RepositoryError.self) {
      try await repository.filter(.true).update { $0.at = Date(timeIntervalSince1970: -1) }
    }
    struct Point: Storable {
      let id: Int
      var x: Double?
    }
    let call = Schema("point", Point.init, Column("id", \.id), Column("x", \.x, .unique))
    let block = Schema(table: "point") {
      Parameters(of: Point.init)
      Column("id", \.id)
      Column("x", \.x, .unique)
    }
    #expect(try call.table() == block.table())
  }

  struct Point: Entity, Hashable {
    let id: UUID
    let x: Double
    let y: Double

    init(x: Double, y: Double, id: UUID) throws(ValueError) {
      if x < 0 { throw ValueError("x is negative") }
      (self.x, self.y, self.id) = (x, y, id)
    }

    static let schema = Schema("point", columns: Column("id", \.id), Column("x", \.x), Column("y", \.y)) { row in
      try Point(x: try row.read("x"), y: row.read("y"), id: row.read("id"))
    }
  }

  @Test("A closure makes elements whose initialiser does not fit the columns")
  func closure() throws {
    let point = try Point(x: 1, y: 2, id: UUID())
    let repository = try MemoryRepository([point])
    #expect(try repository.blocking.find(point.id) == point)
    #expect(try Point.schema.table().primaryKeyColumns == [ColumnSchema("id", .text, format: .uuid)])
  }

  @Test("An initialiser may refuse a row, and the error says why")
  func refusal() async throws {
    let store = MemoryStore()
    let records = try store.repository(Schema(try Point.schema.table()))
    let id = "0f0e0d0c-0b0a-0908-0706-050403020100"
    try await records.save(Record(["id": .text(id), "x": -1.0, "y": 0.0], for: Point.schema.table()))
    let points = try store.repository(of: Point.self)
    let error = await #expect(throws: RepositoryError.self) { try await points.findAll() }
    #expect(error?.code == .unreadableRow)
    // The key is a text, which may be personal, and stays out.
    #expect(error?.summary == "can't read row 1 of the result from point")
    #expect(error?.reason == "Point refused the row: x is negative")
  }

  @Test("A column that the closure asks for and the schema does not have is named")
  func closureWithUnknownColumn() throws {
    let schema = Schema<Point>("point", columns: Column("id", \.id), Column("x", \.x), Column("y", \.y)) { row in
      try Point(x: try row.read("x"), y: row.read("z"), id: row.read("id"))
    }
    expectError(summary: "can't store this value in point, column z", reason: "the schema has no such column") {
      try MemoryRepository([try Point(x: 1, y: 2, id: UUID())], schema: schema)
    }
  }

  struct Team: Entity, Hashable {
    struct Member: Codable, Hashable { var name: String; var level: Int? }
    let id: String
    var members: [Member]
    static let schema = Schema("team", Team.init, Column("id", \.id), Column("members", json: \.members))
  }

  @Test("Any Codable property can be kept as JSON")
  func json() async throws {
    let store = MemoryStore()
    let teams = try store.repository(of: Team.self)
    let team = Team(id: "red", members: [.init(name: "Pikachu/25", level: 88), .init(name: "é", level: nil)])
    try await teams.save([team, Team(id: "blue", members: [])])
    #expect(try await teams.find("red") == team)
    let records = try store.repository(Schema(try Team.schema.table()))
    #expect(try await records.find("red")?["members"] == "[{\"level\":88,\"name\":\"Pikachu/25\"},{\"name\":\"é\"}]")
    #expect(try await teams.filter(.contains(key: "members", value: "Pikachu")).all().map(\.id) == ["red"])
  }

  struct Den: Entity, Hashable {
    struct Place: Codable, Hashable { var x: Int? }
    let id: Int
    var place: Place?
    var names: [String]?
    static let schema = Schema(
      "den", Den.init, Column("id", \.id), Column("place", json: \.place), Column("names", json: \.names))
  }

  @Test("nil in an optional property that is kept as JSON is null")
  func nilAsJSON() async throws {
    #expect(try Den.schema.table().columns.map(\.isNullable) == [false, true, true])
    #expect(try Team.schema.table().columns.map(\.isNullable) == [false, false])
    let store = MemoryStore()
    let dens = try store.repository(of: Den.self)
    let records = try store.repository(Schema(try Den.schema.table()))
    let some = [Den(id: 1, place: nil, names: []), Den(id: 2, place: Den.Place(x: nil), names: nil)]
    try await dens.save(some)
    #expect(try await records.findAll().map(\.values) == [[1, .null, "[]"], [2, "{}", .null]])
    #expect(try await dens.findAll() == some)
    #expect(try await dens.filter(.isNull(key: "place")).all().map(\.id) == [1])
    #expect(try await dens.findAll(where: { $0.names == nil }).map(\.id) == [2])
    #expect(try await dens.findAll(where: { $0.names != nil }).map(\.id) == [1])
    #expect(try await dens.filter { _ in .true }.update { $0.names = nil } == 2)
    #expect(try await dens.count(.isNull(key: "names")) == 2)
    // The text of a file that was written when nil was kept as one.
    try await records.save(Record(["id": 3, "place": "null", "names": "null"], for: Den.schema.table()))
    #expect(try await dens.find(3) == Den(id: 3, place: nil, names: nil))
    #expect(try await dens.findAll(where: { $0.place == nil }).map(\.id) == [1])
  }

  struct Bag: Entity, Hashable {
    let id: Int
    var counts: [String: [String: Int]]
    var things: Set<String>
    var levels: [Place: Int]
    struct Place: Codable, Hashable { let x: Int }
    static let schema = Schema(
      "bag", Bag.init, Column("id", \.id), Column("counts", json: \.counts), Column("things", json: \.things),
      Column("levels", json: \.levels))
  }

  @Test("Equal properties make equal JSON, also sets and dictionaries that are lists")
  func orderOfJSON() async throws {
    let (names, places) = ((0..<40).map { "n\($0)" }, (0..<40).map { Bag.Place(x: $0) })
    func bag(_ names: [String], _ places: [Bag.Place]) -> Bag {
      var bag = Bag(id: 1, counts: [:], things: [], levels: [:])
      // Room for more is another order of iteration.
      bag.things.reserveCapacity(names.first == "n0" ? 0 : 1_000)
      for name in names {
        bag.counts[name] = [name: 1, "other": 2]
        bag.things.insert(name)
      }
      for place in places { bag.levels[place] = place.x }
      return bag
    }
    let (one, other) = (bag(names, places), bag(names.reversed(), places.reversed()))
    #expect(one == other)
    let table = try Bag.schema.table()
    let rows = try [one, other].map { try Bag.schema.row(from: $0, in: table) }
    #expect(rows[0] == rows[1])
    for row in rows { #expect(try Bag.schema.element(from: row, in: table) == one) }
  }

  @Test("JSON that does not fit its property is named with row and column, and not shown")
  func malformedJSON() async throws {
    let store = MemoryStore()
    let records = try store.repository(Schema(try Team.schema.table()))
    try await records.save(Record(["id": "red", "members": "[{\"secret\":1}]"], for: Team.schema.table()))
    let teams = try store.repository(of: Team.self)
    let error = await #expect(throws: RepositoryError.self) { try await teams.find("red") }
    #expect(error?.code == .unreadableRow)
    #expect(error?.summary == "can't read a row of team, column members")
    #expect(error?.description.contains("secret") == false)
  }

  struct Membership: Entity, Hashable {
    struct Key: PrimaryKey {
      let team: String
      let creature: Int
      func keyValues() throws(ValueError) -> [Value] { [team.makeValue(), try creature.makeValue()] }
    }
    var since: Date?
    let team: String
    let creature: Int
    var id: Key { Key(team: team, creature: creature) }
    static let schema = Schema(
      "membership", Membership.init, Column("since", \.since), Column("team", \.team, .primaryKey),
      Column("creature", \.creature, .primaryKey))
  }

  @Test("Marked columns make the key, in their order")
  func compositeKey() throws {
    #expect(try Membership.schema.table().primaryKeyColumns.map(\.name) == ["team", "creature"])
    let repository = try MemoryRepository([
      Membership(since: nil, team: "red", creature: 2), Membership(since: nil, team: "red", creature: 1),
      Membership(since: nil, team: "blue", creature: 2),
    ])
    #expect(try repository.blocking.find(.init(team: "red", creature: 2))?.creature == 2)
    #expect(try repository.blocking.find(.init(team: "blue", creature: 1)) == nil)
    #expect(try repository.blocking.findAll(FetchRequest()).map(\.team) == ["blue", "red", "red"])
  }

  struct Key: Entity {
    let id: [UInt8]
    static let schema = Schema("key", Key.init, Column("id", \.id))
  }

  @Test("A key may be a blob, and the only column")
  func blobKey() throws {
    let repository = try MemoryRepository([Key(id: [1]), Key(id: []), Key(id: [1])])
    #expect(try repository.blocking.findAll(FetchRequest()).map(\.id) == [[], [1]])
  }

  @Test("A value that does not fit its property is named with row and column")
  func unreadable() async throws {
    let store = MemoryStore()
    let table = try Creature.schema.table()
    let records = try store.repository(Schema(table))
    try await records.save(
      Record(
        ["id": 7, "name": "", "element": "ice", "weight": 1.0, "attack": 1, "defense": 1, "rare": 0], for: table))
    let creatures = try store.repository(of: Creature.self)
    await expectError(
      .unreadableRow, summary: "can't read row 7 of creature, column element",
      reason: "the stored value does not fit Element"
    ) { try await creatures.find(7) }
  }
}
