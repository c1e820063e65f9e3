import Foundation
import PostgresStore
import Query
import RepositoryTesting
import Synchronization
import Testing

@Suite struct SmokeTests {
  @Test func stores() async throws {
    let base = ProcessInfo.processInfo.environment["REPOKIT_POSTGRES"]!
    let admin = try PostgresStore(base)
    let count = Mutex(0)
    let run = Int.random(in: 0..<1_000_000)
    do {
      let report = try await RepositoryConformance.verify(without: [.gaplessKeys, .nulInTexts, .mixedColumns], store: {
        () -> PostgresStore in
        let name = "t\(run)_\(count.withLock { $0 += 1; return $0 })"
        try await admin.sql.execute(SQLStatement(verbatim: "CREATE SCHEMA \(name)"))
        return try PostgresStore(base + " options='-c search_path=\(name)'", connections: 4)
      })
      print(report)
    } catch {
      try "\(error)".write(toFile: "/tmp/logs/conf.txt", atomically: true, encoding: .utf8)
      Issue.record("conformance")
    }
  }

  @Test func liveResults() async throws {
    let base = ProcessInfo.processInfo.environment["REPOKIT_POSTGRES"]!
    let name = "live\(Int.random(in: 0..<1_000_000))"
    try await PostgresStore(base).sql.execute(SQLStatement(verbatim: "CREATE SCHEMA \(name)"))
    let one = try PostgresStore(base + " options='-c search_path=\(name)'")
    let other = try PostgresStore(base + " options='-c search_path=\(name)'")
    let seen = try one.repository(of: Place.self)
    let written = try other.repository(of: Place.self)
    var iterator = seen.changes().makeAsyncIterator()
    #expect(try await iterator.next()?.count == 0)
    try await written.save(Place(name: "a", country: nil))
    #expect(try await iterator.next()?.count == 1)
    try await one.sql.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE 'LISTEN%' OR query LIKE '%pg_notify%' AND pid <> pg_backend_pid()")
    try await written.save(Place(name: "b", country: nil))
    #expect(try await iterator.next()?.count == 2)
  }
}
