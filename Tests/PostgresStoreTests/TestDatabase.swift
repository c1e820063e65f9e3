import PostgresStore
import SQLStore
import SQLiteStore

/// A database of a suite's argument: SQLite, and PostgreSQL if there is a server.
enum TestDatabase: CaseIterable {
  case sqlite, postgres

  static var available: [TestDatabase] { TestServer.connection == nil ? [.sqlite] : allCases }

  /// Calls a closure with a new store.
  func withStore(_ body: (SQLDatabase) async throws -> Void) async throws {
    switch self {
    case .sqlite: try await body(SQLiteStore.inMemory(timeout: TestServer.timeout))
    case .postgres: try await TestServer.withStore(body)
    }
  }
}
