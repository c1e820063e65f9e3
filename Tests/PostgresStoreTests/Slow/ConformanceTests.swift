import PostgresStore
import Query
@testable import RepositoryTesting
import TestSupport
import Testing

@Suite("PostgreSQL keeps the contract", .tags(.slow), .requiresServer)
struct ConformanceTests {
  /// Rules that PostgreSQL answers otherwise, by their names, and why: there are none but those for lack of a feature.
  static let excluded: [String: String] = [:]

  /// What the contract leaves to a store, and this one does not do.
  static let unsupported: Set<RepositoryFeature> = [.gaplessKeys, .mixedColumns, .nulInTexts]

  /// A rule of the contract, checked of a store over a schema of its own, so that a failure names it.
  struct Rule: Sendable, CustomTestStringConvertible {
    let subject: String
    let name: String
    let check: @Sendable (_ connection: String, _ preparedStatements: Bool) async throws -> Void

    var testDescription: String { "\(subject): \(name)" }

    static let all: [Rule] =
      RuleCatalogue.stores.map(Rule.init) + rules(of: Specimen.self) + rules(of: Station.self) + rules(of: Loan.self)
      + rules(of: Drawer.self)

    static let asked = all.filter { excluded[$0.name] == nil }

    private init(_ subject: String, _ name: String, check: @escaping @Sendable (String, Bool) async throws -> Void) {
      self.subject = subject
      self.name = name
      self.check = check
    }

    private init(_ rule: ConformanceRule<any Store>) {
      self.init("a store", rule.name) { connection, preparedStatements in
        var checklist = Checklist(subject: "a store", unsupported: unsupported)
        try await checklist.check([rule]) { declaration in
          let store = try PostgresStore(
            connection, timeout: TestServer.timeout, preparedStatements: preparedStatements)
          return DeclaringStore(base: store, declaration: declaration) as any Store
        }
        _ = try checklist.finish()
      }
    }

    private static func rules<Model: ConformanceModel>(of model: Model.Type) -> [Rule] {
      Model.rules.map { rule in
        Rule("\(Model.self)", rule.name) { connection, preparedStatements in
          _ = try await RepositoryConformance.verify([rule], without: unsupported) {
            try PostgresStore(connection, timeout: TestServer.timeout, preparedStatements: preparedStatements)
              .repository(of: Model.self)
          }
        }
      }
    }
  }

  @Test("Each rule", arguments: Rule.asked)
  func rule(_ rule: Rule) async throws {
    try await TestServer.withSchema { connection in try await rule.check(connection, true) }
  }

  /// With a tenth of the effort, `PgBouncerTests` alone asks the same.
  @Test(
    "Each rule where sessions keep neither statements nor settings", .enabled(if: Effort.isFull), arguments: Rule.asked)
  func ruleWithoutPreparedStatements(_ rule: Rule) async throws {
    try await TestServer.withSchema { connection in try await rule.check(connection, false) }
  }

  @Test("Rules that are excluded exist, and have a reason")
  func exclusions() {
    let names = Set(Rule.all.map(\.name))
    #expect(Rule.all.count > 100)
    for (name, reason) in Self.excluded { #expect(names.contains(name) && !reason.isEmpty, "\(name)") }
  }

  /// A model that is none of the suite's own.
  private struct Kaiju: Entity, Hashable {
    enum Origin: String, ValueConvertible {
      case sea, space, volcano
    }

    let id: Int
    var name: String
    var origin: Origin
    var weight: Double?

    static let schema = Schema(
      "kaiju", Kaiju.init, Column("id", \.id), Column("name", \.name), Column("origin", \.origin),
      Column("weight", \.weight))
  }

  @Test("Repositories of any model")
  func samples() async throws {
    let samples = [
      Kaiju(id: 1954, name: "Gojira", origin: .sea, weight: 20_000.5),
      Kaiju(id: 1956, name: "Rodan", origin: .volcano, weight: nil),
      Kaiju(id: 1964, name: "Kingu Gidora", origin: .space, weight: 6.9),
      Kaiju(id: -1, name: "Ébirah", origin: .sea, weight: -0.0),
    ]
    try await TestServer.withSchema { connection in
      let administrator = try PostgresStore(connection, connections: 1, timeout: TestServer.timeout)
      try await RepositoryConformance.verify(
        samples: samples, recombinedTo: Effort.varieties, without: Self.unsupported
      ) {
        try await administrator.sql.execute("DROP TABLE IF EXISTS kaiju")
        return try PostgresStore(connection, timeout: TestServer.timeout).repository(of: Kaiju.self)
      }
    }
  }

  @Test("Stores that are opened again hold what was saved")
  func reopened() async throws {
    try await TestServer.withDatabase { connection in
      let stations = try PostgresStore(connection, timeout: TestServer.timeout).repository(of: Station.self)
      try await stations.save([Station(name: "ab", country: nil), Station(name: "é", country: "France")])
      let store = try PostgresStore(connection, timeout: TestServer.timeout)
      #expect(try store.tableNames() == ["station"])
      let reopened = try store.repository(of: Station.self)
      #expect(try await reopened.findAll().map(\.country) == [nil, "France"])
      #expect(try await reopened.find("e\u{301}") == nil)
    }
  }
}
