import Repository
import RepositoryService

/// A service with rows of its own that is sent requests.
struct ServiceStage: Sendable {
  typealias Answer = (status: Int, text: String)

  /// What no client may see.
  static let secret = "h1dden"

  private struct Trainer: Entity, Equatable {
    let id: Int
    var name: String
    var badges: Int?
    var secret: String
    var team: Int?

    static let club = ToOne(\Trainer.team, to: Team.self)
    static let schema = Schema(
      "trainer", Trainer.init, Column("id", \.id), Column("name", \.name, .unique), Column("badges", \.badges),
      Column("secret", \.secret), Column("team", \.team)
    ).references(club)
  }

  private struct Team: Entity, Equatable {
    let id: Int
    var name: String

    static let schema = Schema("team", Team.init, Column("id", \.id), Column("name", \.name))
  }

  private static let firstTeams = [Team(id: 1, name: "Kanto"), Team(id: 2, name: "Johto")]
  private static let firstTrainers = [
    Trainer(id: 1, name: "Ash", badges: 8, secret: secret, team: 1),
    Trainer(id: 2, name: "Misty", badges: nil, secret: secret + "1", team: 1),
    Trainer(id: 3, name: "Brock", badges: 2, secret: secret + "2", team: nil),
  ]

  private let teams: MemoryRepository<Team>
  private let trainers: MemoryRepository<Trainer>
  private let service: RepositoryService

  init() throws {
    let store = MemoryStore()
    teams = try store.memoryRepository(Team.schema, in: nil)
    trainers = try store.memoryRepository(Trainer.schema, in: nil)
    try teams.blocking.save(Self.firstTeams)
    try trainers.blocking.save(Self.firstTrainers)
    var limits = ServiceLimits()
    (limits.bodyBytes, limits.streamBytes, limits.conditions) = (400, 700, 20)
    service = try RepositoryService(limits: limits, transactionsIn: store) { [teams, trainers] in
      Route("teams", AnyRepository(teams)).readingAll().writingAll().allowing(.all)
      Route("trainers", AnyRepository(trainers)).reading(\.id, \.name, \.badges, \.team).allowing(.all)
        .writing(\.badges, \.team, by: [.update, .updateByQuery, .delete, .deleteByQuery]).pages(of: 2, atMost: 3)
    }
  }

  /// Whether all rows are those with which the stage was made.
  var isAsBefore: Bool {
    get throws {
      try teams.blocking.findAll(FetchRequest()) == Self.firstTeams
        && trainers.blocking.findAll(FetchRequest()) == Self.firstTrainers
    }
  }

  func answer(_ request: WebRequest) async throws -> Answer {
    let response = await service.respond(to: request)
    // Live results do not end.
    let isEndless = response.headers["Content-Type"] == "text/event-stream"
    let bytes = isEndless ? [] : try await response.body.collect(upTo: 1_000_000)
    // All of what a client sees, but for what changes by itself.
    let headers = response.headers.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    return (
      response.status, request.method == "HEAD" || !bytes.isEmpty ? String(decoding: bytes, as: UTF8.self) : headers
    )
  }
}
