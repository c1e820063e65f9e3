import Foundation
import PostgresStore
import TestSupport
import Testing

/// A private PgBouncer in transaction mode in front of the tests' server, with a socket in a folder of its own. It does not run
/// as root: for root it runs as the user of the server.
enum PgBouncer {
  /// Where the program is; `nil` where it is not installed.
  static let program = [
    "/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer", "/usr/local/bin/pgbouncer",
  ]
  .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// CI may not pass without it.
  static var isRequired: Bool {
    #if os(Linux)
      ProcessInfo.processInfo.environment["CI"]?.isEmpty == false
    #else
      false
    #endif
  }

  /// Runs a test behind it with a database of the test's own. Where the server is another machine's, nothing is run.
  ///
  /// - Parameters:
  ///   - sessions: how many it has with the server.
  ///   - body: the test. It is given the connection strings by way of it, and straight to the server.
  static func with(
    sessions: Int = 2, _ body: (_ pooled: String, _ direct: String) async throws -> Void
  ) async throws {
    let program = try #require(program, "pgbouncer is not installed")
    try await TestServer.withDatabase { direct in
      let places = try await PostgresStore(direct, connections: 1).sql.query(
        """
        SELECT current_setting('unix_socket_directories'), current_setting('port'), current_user::text, \
        current_database()::text
        """, as: String.self, String.self, String.self, String.self)
      let (sockets, port, user, database) = try #require(places.first)
      let socket = (sockets.split(separator: ",").first ?? "").filter { $0 != "\"" }
      let files = FileManager.default
      guard let attributes = try? files.attributesOfItem(atPath: "\(socket)/.s.PGSQL.\(port)") else { return }
      let folder = "/tmp/repokit-pgb\(UInt32.random(in: 0...(.max)))"
      try files.createDirectory(atPath: folder, withIntermediateDirectories: false)
      defer { try? files.removeItem(atPath: folder) }
      try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
      let settings = """
        [databases]
        \(database) = host=\(socket) port=\(port) user=\(user)
        [pgbouncer]
        pool_mode = transaction
        default_pool_size = \(sessions)
        unix_socket_dir = \(folder)
        listen_port = 6432
        auth_type = any

        """
      try settings.write(toFile: "\(folder)/pgbouncer.ini", atomically: false, encoding: .utf8)
      let process = Process()
      let command = [program, "-q", "\(folder)/pgbouncer.ini"]
      let isRoot = geteuid() == 0
      // The owner of the server's socket may use it.
      let owner = attributes[.ownerAccountName] as? String ?? "nobody"
      process.executableURL = URL(filePath: isRoot ? "/usr/sbin/runuser" : program)
      process.arguments = isRoot ? ["-u", owner, "--"] + command : Array(command.dropFirst())
      (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
      process.currentDirectoryURL = URL(filePath: folder)
      try process.run()
      defer {
        process.terminate()
        process.waitUntilExit()
      }
      let pooled = "host=\(folder) port=6432 user=\(user) dbname=\(database)"
      for attempt in 1... {
        // The socket is there before anything listens.
        let isThere = files.fileExists(atPath: "\(folder)/.s.PGSQL.6432")
        if isThere, (try? PostgresStore(pooled, connections: 1, preparedStatements: false)) != nil { break }
        try #require(attempt < 1_000 && process.isRunning, "pgbouncer does not start")
        try await Task.sleep(for: .milliseconds(10))
      }
      try await body(pooled, direct)
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// Leaves tests out where PgBouncer is not installed, but for CI, where that is a failure.
  static var requiresPgBouncer: Self {
    .enabled(if: PgBouncer.program != nil || PgBouncer.isRequired, "pgbouncer is not installed")
  }
}
