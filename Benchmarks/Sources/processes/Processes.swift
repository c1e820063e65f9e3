import Foundation

/// Measures the tool as a program beside SQLite's own shell, and prints a line a figure.
///
/// The environment says where `repokit` is (`REPOKIT`), and asks for less or more: `QUICK=1`, `ROUNDS=n`,
/// `ONLY=import,start`.
@main
enum Processes {
  static func main() {
    do {
      let environment = ProcessInfo.processInfo.environment
      guard let tool = environment["REPOKIT"] else { throw Problem("REPOKIT does not say where repokit is") }
      let only = (environment["ONLY"] ?? "").split(separator: ",")
      let isQuick = environment["QUICK"] == "1"
      let rounds = max(5, environment["ROUNDS"].flatMap { Int($0) } ?? 5)
      let folder = FileManager.default.temporaryDirectory.appending(path: "repokit-bench-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let shell = Program.find("sqlite3")
      let lines = Lines()
      if only.isEmpty || only.contains("import") {
        let rows = isQuick ? 50_000 : 1_000_000
        try ImportMeasurement(tool: tool, shell: shell, folder: folder, rows: rows, rounds: rounds).run(lines)
      }
      if only.isEmpty || only.contains("start") {
        try StartMeasurement(tool: tool, shell: shell, folder: folder, rounds: isQuick ? 21 : 101).run(lines)
      }
      lines.finish()
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }
}

/// Why nothing can be measured.
struct Problem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
