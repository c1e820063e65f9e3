import Foundation

/// How long the tool takes to do next to nothing, beside SQLite's shell.
struct StartMeasurement {
  private static let mostRatio = 3.0

  let tool: String
  let shell: String?
  let folder: URL
  let rounds: Int

  func run(_ lines: Lines) throws {
    let csv = folder.appending(path: "start.csv").path
    let database = folder.appending(path: "start.sqlite").path
    let rows = (1...151).map { "\($0),name \($0)\n" }.joined()
    try Data("id,name\n\(rows)".utf8).write(to: URL(filePath: csv))
    _ = try Program(tool, ["import", database, "t", csv, "--key", "id"]).run()
    try measure("start, the version", ["--version"], ["-version"], lines)
    try measure(
      "start, a row by its key", ["query", database, "t", "id = 7", "--format", "csv"],
      ["-readonly", "-csv", "-header", database, "SELECT id, name FROM t WHERE id = 7"], lines)
  }

  private func measure(_ name: String, _ words: [String], _ rivalWords: [String], _ lines: Lines) throws {
    let subject = Program(tool, words)
    let rival = shell.map { Program($0, rivalWords) }
    var (times, rivals): ([Double], [Double]) = ([], [])
    for round in -3..<rounds {
      for place in 0..<2 {
        let isSubject = (place + round) % 2 == 0
        guard let program = isSubject ? subject : rival else { continue }
        let seconds = try program.run().seconds
        if round < 0 { continue }
        if isSubject { times.append(seconds) } else { rivals.append(seconds) }
      }
    }
    let milliseconds: (Double) -> String = { String(format: "%.1f ms", $0 * 1e3) }
    lines.add(name, Lines.median(times), milliseconds)
    if shell == nil {
      lines.say("ratio \(name) subject/sqlite3: sqlite3 is not installed here")
    } else {
      lines.add("\(name), sqlite3", Lines.median(rivals), milliseconds)
      lines.add(name, times, to: rivals, most: Self.mostRatio)
    }
  }
}
