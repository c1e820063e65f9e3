import Foundation
import Repository
import RepositoryService

/// An element with a column that no client sees.
struct Trainer: Entity, Hashable {
  let id: Int
  var name: String
  var badges: Int?
  var secret: String
  var team: Int?

  static let club = ToOne(\Trainer.team, to: Team.self)
  static let schema = Schema(
    "trainer", Trainer.init, Column("id", \.id), Column("name", \.name, .unique), Column("badges", \.badges),
    Column("secret", \.secret, .unique), Column("team", \.team)
  ).references(club)

  static let samples = [
    Trainer(id: 1, name: "Ash", badges: 8, secret: "pika", team: 1),
    Trainer(id: 2, name: "Misty", badges: nil, secret: "togepi", team: 1),
    Trainer(id: 3, name: "Brock", badges: 2, secret: "onix", team: nil),
  ]
}

/// What trainers refer to.
struct Team: Entity, Hashable {
  let id: Int
  var name: String
  var budget: Int

  static let schema = Schema("team", Team.init, Column("id", \.id), Column("name", \.name), Column("budget", \.budget))
}

/// An element that is kept when it is deleted.
struct Letter: Entity, Hashable {
  let id: Int
  var owner: String
  var text: String
  var deletedAt: Date?

  static let schema = Schema(
    "letter", Letter.init, Column("id", \.id), Column("owner", \.owner), Column("text", \.text),
    Column("deleted_at", \.deletedAt, .deletedAt))
}

/// An element with a key of two columns, and a column that no client sees.
struct Place: Entity, Hashable {
  struct ID: PrimaryKey {
    let x: Int
    let y: Int
    func keyValues() throws(ValueError) -> [Value] { [try x.makeValue(), try y.makeValue()] }
  }

  let x: Int
  let y: Int
  var name: String
  var secret: String?
  var id: ID { ID(x: x, y: y) }

  static let schema = Schema(
    "place", Place.init, Column("x", \.x, .primaryKey), Column("y", \.y, .primaryKey), Column("name", \.name),
    Column("secret", \.secret))
}

/// A service over memory, and what it is made of.
struct Served {
  let store = MemoryStore()
  let trainers: AnyRepository<Trainer>
  let teams: AnyRepository<Team>

  init() async throws {
    teams = try store.repository(of: Team.self)
    trainers = try store.repository(of: Trainer.self)
    try await teams.save(Team(id: 1, name: "Kanto", budget: 77))
    try await trainers.save(Trainer.samples)
  }

  /// Trainers without their secrets, teams without their budgets.
  var route: Route<Trainer> {
    Route("trainers", trainers).reading(\.id, \.name, \.badges, \.team).allowing(.all).pages(of: 2, atMost: 3)
  }
  var teamRoute: Route<Team> { Route("teams", teams).reading(\.id, \.name).allowing(.all) }

  func service(_ route: Route<Trainer>? = nil) throws -> RepositoryService {
    let shown = route ?? self.route
    return try RepositoryService(transactionsIn: store) {
      shown
      teamRoute
    }
  }
}

/// What a response holds, to be compared.
struct Answer: CustomStringConvertible {
  let status: Int
  let headers: WebHeaders
  let text: String

  var description: String { "\(status) \(text)" }
}

extension RepositoryService {
  /// Asks and reads the whole answer, or its status alone.
  func answer(
    _ method: String, _ target: String, _ body: String = "", headers: WebHeaders = [:], upTo limit: Int = 10_000_000
  ) async throws -> Answer {
    let request = WebRequest(method, target, headers: headers, body: WebBody(Array(body.utf8)))
    let response = await respond(to: request)
    // Live results do not end.
    let bytes = limit > 0 ? try await response.body.collect(upTo: limit) : []
    let text = String(decoding: bytes, as: UTF8.self)
    return Answer(status: response.status, headers: response.headers, text: text)
  }
}
