import Foundation
import PostgresStore
import Repository
import RepositoryTesting
import SQLiteStore
import TestSupport
import Testing
import WebStore

@Suite("A repository over HTTP keeps the contract, but for what HTTP has no form for", .tags(.slow))
struct WebConformanceTests {
  static let lacking: Set<RepositoryFeature> = [.transactions, .latestResults, .deletedElements]

  @Test("over memory")
  func memory() async throws {
    let report = try await RepositoryConformance.verify(
      without: Self.lacking, checking: Effort.sample, store: { ServedStore(MemoryStore()) })
    #expect(report.skippedRules.allSatisfy { Self.lacking.isSuperset(of: $0.features) })
  }

  @Test("over SQLite")
  func sqlite() async throws {
    let report = try await RepositoryConformance.verify(
      without: Self.lacking, store: { ServedStore(try SQLiteStore.inMemory(timeout: .seconds(120))) })
    #expect(report.skippedRules.allSatisfy { Self.lacking.isSuperset(of: $0.features) })
  }

  @Test("over PostgreSQL", .enabled(if: WebConformanceTests.server != nil, "REPOKIT_POSTGRES names no server"))
  func postgres() async throws {
    let server = Self.server ?? ""
    let cleaner = try PostgresStore(server, connections: 1, notifies: false)
    let name = "repokit_web_\(String(UInt64.random(in: 0...(.max)), radix: 36))"
    let connection = ConnectionString.extended(server, by: ["options": ConnectionString.option("search_path", name)])
    // What PostgreSQL lacks, with HTTP in front of it or without.
    let lacking = Self.lacking.union([.gaplessKeys, .mixedColumns, .nulInTexts])
    let report = try await RepositoryConformance.verify(
      without: lacking, checking: Effort.sample,
      store: {
        try await cleaner.sql.execute(SQLStatement(verbatim: "DROP SCHEMA IF EXISTS \(name) CASCADE"))
        try await cleaner.sql.execute(SQLStatement(verbatim: "CREATE SCHEMA \(name)"))
        return ServedStore(try PostgresStore(connection, connections: 4, timeout: .seconds(120)))
      })
    try await cleaner.sql.execute(SQLStatement(verbatim: "DROP SCHEMA IF EXISTS \(name) CASCADE"))
    #expect(report.skippedRules.allSatisfy { lacking.isSuperset(of: $0.features) })
  }

  private static let server: String? = {
    let connection = ProcessInfo.processInfo.environment["REPOKIT_POSTGRES"] ?? ""
    return connection.isEmpty ? nil : connection
  }()
}
