import Foundation
import PostgresStore

/// A PostgreSQL server of an experiment's own, which may be killed and started again.
final class PostgresServerProcess: Sendable {
  private let folder: Folder
  private let programs: String
  let connection: String

  /// Starts a server.
  ///
  /// - Returns: `nil` where none is installed.
  static func start() throws -> PostgresServerProcess? {
    guard let programs = try run("'\(script)' find") else { return nil }
    let folder = try Folder()
    guard let connection = try run("'\(script)' start '\(folder.file("server"))'") else { return nil }
    let server = PostgresServerProcess(folder, programs, connection)
    // A server for tests does not wait for its log, and may lose what it has acknowledged.
    let store = try server.store()
    try store.sql.execute("ALTER SYSTEM SET synchronous_commit = on")
    _ = try store.sql.query("SELECT pg_reload_conf()::int", as: Int.self)
    return server
  }

  private init(_ folder: Folder, _ programs: String, _ connection: String) {
    (self.folder, self.programs, self.connection) = (folder, programs, connection)
  }

  deinit { _ = try? Self.run("'\(Self.script)' stop '\(folder.file("server"))'") }

  func store(connections: Int = 4, timeout: Duration = .seconds(20)) throws -> PostgresStore {
    try PostgresStore(connection, connections: connections, timeout: timeout, notifies: false)
  }

  /// Kills all processes of the server: by SIGQUIT as an operator in a hurry does, or by SIGKILL.
  func kill(_ signal: Int32) {
    guard let text = try? String(contentsOfFile: folder.file("server/data/postmaster.pid"), encoding: .utf8),
      let number = text.split(separator: "\n").first.flatMap({ Int32($0) })
    else { return }
    Foundation.kill(number, signal)
    while Foundation.kill(number, 0) == 0 { usleep(1_000) }
  }

  /// Starts the server again, which recovers what it has in its log.
  func startAgain() throws {
    let (data, log) = (folder.file("server/data"), folder.file("server/log"))
    let start = "\(programs)/pg_ctl start --wait --timeout 60 --pgdata '\(data)' --log '\(log)'"
    // The processes of a server that was killed may take a moment to end.
    let owner = try FileManager.default.attributesOfItem(atPath: data)[.ownerAccountName] as? String ?? ""
    let command = getuid() == 0 ? "runuser -u \(owner) -- \(start)" : start
    for _ in 0..<100 {
      if try Self.run("cd / && \(command)") != nil { return }
      usleep(50_000)
    }
  }

  private static var script: String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "scripts/postgres.sh").path
  }

  /// What a command prints; `nil` where it failed.
  ///
  /// `Process` would wait for the server, too, which inherits what it watches.
  private static func run(_ command: String) throws -> String? {
    let folder = try Folder()
    let output = folder.file("output")
    let status = system("\(command) > '\(output)' 2> /dev/null < /dev/null")
    let text = try String(contentsOfFile: output, encoding: .utf8)
    return status == 0 ? text.trimmingCharacters(in: .whitespacesAndNewlines) : nil
  }
}
