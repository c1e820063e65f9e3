import SQLiteStore
import Testing

@Suite("Statements in SQL, read as elements, records or values")
struct RawSQLTests {
  private let store: SQLiteStore
  private let sky: Sky

  init() async throws {
    store = try SQLiteStore.inMemory()
    sky = try await Sky(in: store)
  }

  @Test("the same rows in each form")
  func forms() async throws {
    let planets = try await store.sql.query("SELECT * FROM planet WHERE kind = \(PlanetKind.iceGiant)", as: Planet.self)
    #expect(planets == [Planet.all[6], Planet.all[7]])
    let records = try await store.sql.query("SELECT name, radius * 2 AS diameter FROM planet WHERE id = \(7)")
    #expect(records.map { $0["diameter"] } == [50_724.0])
    let pairs = try await store.sql.query("SELECT id, name FROM planet ORDER BY id LIMIT 2", as: Int.self, String.self)
    #expect(pairs.map(\.0) == [1, 2] && pairs.map(\.1) == ["Mercury", "Venus"])
  }

  @Test("values are bound, names are quoted, and pieces are put together")
  func pieces() async throws {
    let name = "Earth'; DROP TABLE planet; --"
    #expect(try await store.sql.query("SELECT id FROM planet WHERE name = \(name)", as: Int.self).isEmpty)
    let column = "name"
    let condition: SQLStatement = "\(identifier: column) IN \(["Earth", "Mars"])"
    let found = try await store.sql.query(
      "SELECT id FROM \(table: Planet.self) WHERE \(part: condition)", as: Int.self)
    #expect(found.sorted() == [3, 4])
    #expect(condition.sql == #""name" IN (?, ?)"#)
  }

  @Test("what a query can't say: a union, a window, a common table expression")
  func more() async throws {
    let names = try await store.sql.query(
      "SELECT name FROM star WHERE id = 1 UNION SELECT name FROM planet WHERE id = 3 ORDER BY 1", as: String.self)
    #expect(names == ["Earth", "Sun"])
    let ranked = try await store.sql.query(
      """
      WITH ranked AS (
        SELECT name, planet_id, rank() OVER (PARTITION BY planet_id ORDER BY diameter DESC) AS place FROM moon)
      SELECT name FROM ranked WHERE place = 1 ORDER BY planet_id
      """, as: String.self)
    #expect(ranked == ["Moon", "Phobos", "Ganymede", "Titan", "Triton"])
  }

  @Test("they write, return what they wrote, and take part in transactions")
  func writing() async throws {
    struct Abort: Error {}
    #expect(try await store.sql.execute("UPDATE moon SET discovered = \(1) WHERE planet_id = \(5)") == 4)
    let names = try await store.sql.query("DELETE FROM mission WHERE id = \(5) RETURNING name", as: String.self)
    #expect(names == ["Mariner 1"])
    await #expect(throws: Abort.self) {
      try await store.transaction { transaction in
        try await transaction.sql.execute("DELETE FROM moon")
        throw Abort()
      }
    }
    #expect(try await sky.moons.count() == 10)
  }

  @Test("what makes no sense is an error with SQLite's words, and the values left out")
  func nonsense() async throws {
    let error = await expectRefusal(.invalidStatement) {
      try await store.sql.query("SELECT nme FROM planet WHERE id = \(3)")
    }
    #expect(error?.description.contains("nme") == true)
  }
}

@Suite("Pieces of SQL within a query")
struct SQLWithinQueryTests {
  @Test("there are none: the keys come from SQL, the elements from a query")
  func keys() async throws {
    let store = try SQLiteStore.inMemory()
    let sky = try await Sky(in: store)
    let keys = try await store.sql.query("SELECT id FROM planet WHERE length(name) = \(5)", as: Int.self)
    let found = try await sky.planets.findAll(
      where: { $0.id.in(keys) && $0.kind == .rocky }, sortedBy: { $0.radius.descending })
    #expect(found.map(\.name) == ["Earth", "Venus"])
  }
}

/// A planet's name, with that of its star, and how many moons it has.
private struct PlanetLine: Projection, Hashable {
  let name: String
  let star: String?
  let moons: Int

  static let projection = ProjectionSchema(
    of: Planet.self, PlanetLine.init, Projected(\.name), Projected { $0.star.name }, Projected { $0.moons.count })
}

@Suite("Some columns of the rows")
struct ProjectionTests {
  @Test("are a struct of their own, and nothing else is read", arguments: StoreKind.allCases)
  func lines(kind: StoreKind) async throws {
    let planets = try await Sky(kind).planets
    let lines = try await planets.filter { $0.kind == .gasGiant }.select(PlanetLine.self)
    #expect(
      lines == [
        PlanetLine(name: "Jupiter", star: "Sun", moons: 4), PlanetLine(name: "Saturn", star: "Sun", moons: 2),
        PlanetLine(name: "PSO J318.5-22", star: nil, moons: 0),
      ])
  }
}
