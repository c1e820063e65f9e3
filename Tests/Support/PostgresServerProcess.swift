import Foundation

/// A PostgreSQL server of a test's own, which may be killed, started again, and followed by others.
package final class PostgresServerProcess: Sendable {
  /// The folder of its data, its log and its socket.
  package let place: String
  package let connection: String
  /// The end of a pipe that no other process has: with it, the server ends, where this process is killed.
  private let lifeline: Int32

  /// Starts a server.
  ///
  /// - Parameter other: the one that it follows; `nil` for one of its own.
  /// - Returns: `nil` where none is installed.
  package static func start(following other: PostgresServerProcess? = nil) throws -> PostgresServerProcess? {
    guard isInstalled else { return nil }
    // Not in the folder for temporary files, whose path may be too long for a socket.
    let place = "/tmp/repokit-pg\(UInt32.random(in: 0...(.max)))"
    let command = other.map { "follow '\(place)' '\($0.place)'" } ?? "start '\(place)'"
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    // What other programs get of the end that is read does no harm.
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    defer { close(ends[0]) }
    // By its path, as `sh` may read a number of one digit alone.
    guard let connection = try run("'\(script)' \(command) --while-input", input: "< /dev/fd/\(ends[0])") else {
      close(ends[1])
      return nil
    }
    return PostgresServerProcess(place, connection, lifeline: ends[1])
  }

  private init(_ place: String, _ connection: String, lifeline: Int32) {
    (self.place, self.connection, self.lifeline) = (place, connection, lifeline)
  }

  deinit {
    // One that others follow would wait for them.
    kill(SIGQUIT)
    _ = try? Self.run("'\(Self.script)' stop '\(place)'")
    close(lifeline)
  }

  /// Whether one can be started here.
  package static let isInstalled = (try? run("'\(script)' find")) ?? nil != nil

  /// A connection string that names several servers, with what else stands in it.
  package static func connection(to servers: [PostgresServerProcess], _ more: String) -> String {
    "host=\(servers.map(\.place).joined(separator: ",")) user=repokit dbname=postgres \(more)"
  }

  /// Kills all processes of the server: by SIGQUIT as an operator in a hurry does, or by SIGKILL.
  package func kill(_ signal: Int32) {
    guard let text = try? String(contentsOfFile: "\(place)/data/postmaster.pid", encoding: .utf8),
      let number = text.split(separator: "\n").first.flatMap({ Int32($0) })
    else { return }
    Foundation.kill(number, signal)
    while Foundation.kill(number, 0) == 0 { usleep(1_000) }
  }

  /// Starts the server again, which recovers what it has in its log.
  package func startAgain() throws {
    // The processes of a server that was killed may take a moment to end.
    for _ in 0..<100 {
      if try Self.run("'\(Self.script)' again '\(place)'") != nil { return }
      usleep(50_000)
    }
  }

  private static var script: String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "scripts/postgres.sh").path
  }

  /// What a command prints; `nil` where it failed.
  ///
  /// `Process` would wait for the server, too, which inherits what it watches. The other way round, a server that had
  /// what other tests have open would keep their pipes, and those who wait for a `Process` of theirs: it gets none of it.
  private static func run(_ command: String, input: String = "< /dev/null") throws -> String? {
    let folder = try TemporaryFolder()
    let output = folder.path("output")
    let status = system("\(command) > '\(output)' 2> /dev/null \(input)")
    let text = try String(contentsOfFile: output, encoding: .utf8)
    return status == 0 ? text.trimmingCharacters(in: .whitespacesAndNewlines) : nil
  }
}
