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
}
