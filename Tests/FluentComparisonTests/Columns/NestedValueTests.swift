import SQLiteStore
import Testing

@Suite("A value in several columns")
struct NestedValueTests {
  private struct Site: Equatable {
    var planet: String
    var position: Position
  }

  private struct Position: Equatable {
    var latitude: Double
    var longitude: Double
  }

  private struct Lander: Entity, Equatable {
    let id: Int
    var name: String
    var site: Site

    static let schema = Schema(
      "lander", columns: Column("id", \.id), Column("name", \.name), Column("site_planet", \.site.planet),
      Column("site_latitude", \.site.position.latitude), Column("site_longitude", \.site.position.longitude)
    ) { row in
      Lander(
        id: try row.read("id"), name: try row.read("name"),
        site: Site(
          planet: try row.read("site_planet"),
          position: Position(latitude: try row.read("site_latitude"), longitude: try row.read("site_longitude"))))
    }
  }

  @Test("is read, filtered, sorted and compared at any depth", arguments: StoreKind.allCases)
  func depths(kind: StoreKind) async throws {
    let landers = try kind.open().repository(of: Lander.self)
    let all = [
      Lander(
        id: 1, name: "Viking 1", site: Site(planet: "Mars", position: Position(latitude: 22.5, longitude: -47.9))),
      Lander(id: 2, name: "Venera 7", site: Site(planet: "Venus", position: Position(latitude: -5, longitude: -9))),
    ]
    try await landers.insert(all)
    #expect(try await landers.findAll() == all)
    let onMars = AnyQuery.equal(key: "site_planet", value: "Mars")
    #expect(try await landers.filter(onMars).all().map(\.name) == ["Viking 1"])
    #expect(try await landers.findAll(sortedBy: { $0.site.position.latitude.ascending }).map(\.id) == [2, 1])
    #expect(try await landers.selection().aggregate(.max(\.site.position.longitude)) == -9)
  }
}

@Suite("A value in several columns that may be missing")
struct OptionalNestedValueTests {
  private struct Orbit: Equatable {
    var period: Double
    var eccentricity: Double

    init(period: Double, eccentricity: Double) {
      (self.period, self.eccentricity) = (period, eccentricity)
    }

    init?(_ period: Double?, _ eccentricity: Double?) {
      guard let period, let eccentricity else { return nil }
      self.init(period: period, eccentricity: eccentricity)
    }
  }

  private struct Satellite: Entity, Equatable {
    let id: Int
    var orbit: Orbit?

    static let schema = Schema(
      "satellite", { Satellite(id: $0, orbit: Orbit($1, $2)) }, Column("id", \.id),
      Column("period", \Satellite.orbit?.period), Column("eccentricity", \Satellite.orbit?.eccentricity))
  }

  @Test("is nil where its columns are", arguments: StoreKind.allCases)
  func missing(kind: StoreKind) async throws {
    let satellites = try kind.open().repository(of: Satellite.self)
    let all = [
      Satellite(id: 1, orbit: Orbit(period: 92.9, eccentricity: 0.001)), Satellite(id: 2, orbit: nil),
    ]
    try await satellites.insert(all)
    #expect(try await satellites.findAll() == all)
    #expect(try await satellites.filter(.isNull(key: "period")).all().map(\.id) == [2])
    #expect(try await satellites.findAll(where: { $0[\.orbit?.period] == nil }).map(\.id) == [2])
    #expect(try await satellites.findAll(where: { $0[\.orbit?.period] < 100 }).map(\.id) == [1])
    #expect(try await satellites.findAll(sortedBy: { $0[\.orbit?.period].descending }).map(\.id) == [1, 2])
  }
}

@Suite("A value as JSON in one column")
struct JSONValueTests {
  private struct Instrument: Codable, Equatable {
    enum Kind: String, Codable { case camera, radar }
    var name: String
    var kind: Kind
  }

  private struct Rover: Entity, Equatable {
    let id: Int
    var name: String
    var mast: Instrument

    static let schema = Schema(
      "rover", Rover.init, Column("id", \.id), Column("name", \.name), Column("mast", json: \.mast))
    static let all = [
      Rover(id: 1, name: "Curiosity", mast: Instrument(name: "ChemCam", kind: .camera)),
      Rover(id: 2, name: "Perseverance", mast: Instrument(name: "RIMFAX", kind: .radar)),
    ]
  }

  @Test("comes back as it was, whole", arguments: StoreKind.allCases)
  func whole(kind: StoreKind) async throws {
    let rovers = try kind.open().repository(of: Rover.self)
    try await rovers.insert(Rover.all)
    #expect(try await rovers.findAll() == Rover.all)
    // Its text can be asked for; what is in it can't.
    #expect(try await rovers.count(.contains(key: "mast", value: #""kind":"radar""#)) == 1)
    #expect(try await rovers.filter { $0.id == 1 }.update { $0.mast = Rover.all[1].mast } == 1)
    #expect(try await rovers.get(1).mast == Rover.all[1].mast)
  }

  @Test("of an optional property, an enum with values or a struct, is null for nil", arguments: StoreKind.allCases)
  func optional(kind: StoreKind) async throws {
    let store = try kind.open()
    let wheels = try store.repository(of: Wheel.self)
    let all = [
      Wheel(id: 1, state: .worn(by: 3), sensor: nil), Wheel(id: 2, state: nil, sensor: Rover.all[0].mast),
      Wheel(id: 3, state: .new, sensor: nil),
    ]
    try await wheels.insert(all)
    #expect(try await wheels.findAll() == all)
    #expect(try await wheels.findAll(where: { $0.state == nil }).map(\.id) == [2])
    #expect(try await wheels.findAll(where: { $0.sensor != nil }).map(\.id) == [2])
    let records = try await store.repository(Schema<Record>(try Wheel.schema.table())).findAll()
    #expect(records.map { $0["sensor"]?.isNull } == [true, false, true])
    #expect(records[0]["state"] == #"{"worn":{"by":3}}"# && records[1]["state"] == .null)
    #expect(try await wheels.filter { $0.state != nil }.update { $0.state = nil } == 2)
    #expect(try await wheels.filter { $0.state == nil }.count() == 3)
  }

  private struct Wheel: Entity, Equatable {
    enum State: Codable, Equatable {
      case new
      case worn(by: Int)
    }
    let id: Int
    var state: State?
    var sensor: Instrument?
    static let schema = Schema(
      "wheel", Wheel.init, Column("id", \.id), Column("state", json: \.state), Column("sensor", json: \.sensor))
  }

  @Test("what is in it is a question for SQL")
  func inSQL() async throws {
    let store = try SQLiteStore.inMemory()
    try await store.repository(of: Rover.self).insert(Rover.all)
    let radars = try await store.sql.query("SELECT * FROM rover WHERE mast ->> 'kind' = \("radar")", as: Rover.self)
    #expect(radars == [Rover.all[1]])
  }
}
