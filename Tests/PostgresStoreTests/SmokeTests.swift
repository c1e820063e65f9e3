import PostgresStore
import Query
import Testing
import Foundation

struct Poke: Entity, Equatable {
  let id: Int
  var name: String
  var weight: Double
  var habitat: String?
  static let schema = Schema(
    "poke", Poke.init, Column("id", \.id), Column("name", \.name), Column("weight", \.weight),
    Column("habitat", \.habitat))
}

@Suite struct SmokeTests {
  @Test func smoke() async throws {
    let store = try PostgresStore(ProcessInfo.processInfo.environment["REPOKIT_POSTGRES"]!)
    _ = try? await store.sql.execute("DROP TABLE poke")
    let pokes: AnyRepository<Poke> = try store.repository()
    try await pokes.save((1...1000).map { Poke(id: $0, name: "n\($0)", weight: Double($0) / 2, habitat: $0 % 3 == 0 ? nil : "x") })
    #expect(try await pokes.find(7) == Poke(id: 7, name: "n7", weight: 3.5, habitat: "x"))
    let all = try await pokes.findAll(where: .greaterThan(key: "weight", value: 10.0))
    #expect(all.count == 980)
    #expect(try await pokes.count() == 1000)
    try await store.transaction { _ in
      try await pokes.save(Poke(id: 2000, name: "a", weight: 1, habitat: nil))
    }
    #expect(try await pokes.count() == 1001)
    print(try await store.sql.query("SELECT now(), 1.5::numeric, 7::numeric, true, 'a'::bytea, gen_random_uuid()"))
  }
}
