import Foundation

/// How fast a CSV file of two columns becomes a table, and that a larger one takes no more memory.
struct ImportMeasurement {
  private static let leastRate = 500_000.0
  private static let mostRatio = 2.0
  /// What a file five times as large may take more: less than a hundredth of it.
  private static let mostGrowth = 2_000_000.0
  private static let rowsOfMemory = 5

  let tool: String
  let shell: String?
  let folder: URL
  let rows: Int
  let rounds: Int

  func run(_ lines: Lines) throws {
    let file = try makeFile(rows: rows)
    let database = folder.appending(path: "import.sqlite").path
    let subject = Program(tool, ["import", database, "t", file])
    let rival = shell.map { Program($0, [database, ".import --csv '\(file)' t"]) }
    var (times, rivals): ([Double], [Double]) = ([], [])
    for round in -1..<rounds {
      // They take turns, and each round begins with the other one.
      for place in 0..<2 {
        let isSubject = (place + round) % 2 == 0
        guard let program = isSubject ? subject : rival else { continue }
        removeDatabase(database)
        let seconds = try program.run().seconds
        if round < 0 { continue }
        if isSubject { times.append(seconds) } else { rivals.append(seconds) }
      }
    }
    let name = "import of \(rows) rows of two columns"
    lines.add("\(name), rows a second", Double(rows) / Lines.median(times), least: Self.leastRate) {
      String(format: "%.0f", $0)
    }
    if shell == nil {
      lines.say("ratio \(name) subject/sqlite3: sqlite3 is not installed here")
    } else {
      lines.add("\(name), sqlite3 .import, rows a second", Double(rows) / Lines.median(rivals)) {
        String(format: "%.0f", $0)
      }
      lines.add(name, times, to: rivals, most: Self.mostRatio)
    }
    try measureMemory(file, database, lines)
    removeDatabase(database)
  }

  private func measureMemory(_ file: String, _ database: String, _ lines: Lines) throws {
    let smaller = try makeFile(rows: rows / Self.rowsOfMemory)
    var peaks: [Double] = []
    for file in [smaller, file] {
      removeDatabase(database)
      let cost = try Program(tool, ["import", database, "t", file]).run(watchingMemory: true)
      if let peak = cost.peakMemory { peaks.append(Double(peak)) }
    }
    guard peaks.count == 2 else { return lines.say("figure import memory: this system does not tell it") }
    let megabytes: (Double) -> String = { String(format: "%.1f MB", $0 / 1e6) }
    lines.add("import of \(rows / Self.rowsOfMemory) rows, peak memory", peaks[0], megabytes)
    lines.add("import of \(rows) rows, peak memory", peaks[1], megabytes)
    lines.add(
      "import of \(Self.rowsOfMemory) times the rows, memory beyond that", max(0, peaks[1] - peaks[0]),
      most: Self.mostGrowth, megabytes)
  }

  private func makeFile(rows: Int) throws -> String {
    var text = "id,name\n"
    // Names of all lengths from 1 to 10, the same in each run.
    var state: UInt64 = 1
    for row in 1...rows {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      text += "\(row),name\((state >> 33) % 1_000_000_000)\n"
    }
    let path = folder.appending(path: "\(rows).csv").path
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  private func removeDatabase(_ path: String) {
    for suffix in ["", "-journal", "-wal", "-shm", "-queue"] { unlink(path + suffix) }
  }
}
