import PostgresStore
import TestSupport
import Testing

/// A server of a test's own, and one that follows it.
enum ServerPair {
  /// Runs a test with both.
  static func with(
    _ body: (_ primary: PostgresServerProcess, _ follower: PostgresServerProcess) async throws -> Void
  ) async throws {
    let primary = try #require(try PostgresServerProcess.start())
    let follower = try #require(try PostgresServerProcess.start(following: primary))
    // A server for tests does not wait for its log.
    try await set("synchronous_commit = on", on: primary)
    try await body(primary, follower)
  }

  /// Changes a setting of a server.
  static func set(_ setting: String, on server: PostgresServerProcess) async throws {
    let store = try PostgresStore(server.connection, connections: 1, notifies: false)
    try await store.sql.execute(SQLStatement(verbatim: "ALTER SYSTEM SET \(setting)"))
    _ = try await store.sql.query("SELECT pg_reload_conf()::int", as: Int.self)
  }
}
