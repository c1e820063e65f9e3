import Foundation
import Model
import SQLiteStore

/// How much memory rows take that are written and read as a stream: not more where they are more.
///
/// In a process of its own: memory that others have given back would hide what is taken.
enum StreamMeasurement {
  static let all = [Measurement("stream") { bed, report in try await run(bed, &report) }]
  /// The argument that makes the process such a one.
  static let argument = "--stream"

  private static let most = 20.0
  private static let pageSize = 1_000

  private static func run(_ bed: Bed, _ report: inout Report) async throws {
    let path = bed.newDiskPath()
    defer { bed.remove(path) }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = [argument, path, "\(bed.options.streamedRows)"]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    let figures = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard process.terminationStatus == 0, figures.count == 4 else {
      throw WrongAnswer(workload: "stream", contenders: ["the rows", "what was written"])
    }
    let rows = bed.options.streamedRows
    report.add("stream write \(rows) rows, a row", figures[0], format: Aggregates.time)
    report.add("stream write \(rows) rows, memory beyond the start", figures[1], most: most, format: megabytes)
    report.add("stream read \(rows) rows, a row", figures[2], format: Aggregates.time)
    report.add("stream read \(rows) rows, memory beyond the start", figures[3], most: most, format: megabytes)
  }

  private static func megabytes(_ number: Double) -> String { String(format: "%.1f MB", number) }

  /// Writes and reads rows, and prints seconds a row and megabytes of each.
  static func stream(path: String, rows: Int) async throws {
    let repository = try SQLiteStore(path: path).repository(of: Pokemon.self)
    // What the first rows need is a part of the start.
    _ = try await repository.insert(contentsOf: (1...pageSize).lazy.map { Pokedex.pokemon($0) })
    _ = try await repository.selection().page(size: pageSize)
    let start = try peakMemory()
    let clock = ContinuousClock()

    var began = clock.now
    let written = try await repository.insert(contentsOf: (pageSize + 1...rows).lazy.map { Pokedex.pokemon($0) })
    let writing = began.duration(to: clock.now) / .seconds(1) / Double(written)
    let afterWriting = try peakMemory()

    began = clock.now
    var (count, sum) = (0, 0)
    var cursor: Cursor?
    repeat {
      let page = try await repository.selection().page(size: pageSize, after: cursor)
      for pokemon in page.elements {
        count += 1
        sum += pokemon.id
      }
      cursor = page.next
    } while cursor != nil
    let reading = began.duration(to: clock.now) / .seconds(1) / Double(rows)
    if count != rows || sum != rows * (rows + 1) / 2 {
      throw WrongAnswer(workload: "stream", contenders: ["the rows read", "the rows written"])
    }
    print(writing, afterWriting - start, reading, try peakMemory() - start)
  }

  /// The greatest resident size so far, in megabytes.
  private static func peakMemory() throws -> Double {
    #if canImport(Darwin)
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return Double(usage.ru_maxrss) / 1_048_576
    #else
      // Not getrusage, which begins with what the process had before that started this one.
      // https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first).flatMap { Double($0) }.map { $0 / 1_024 }
        ?? 0
    #endif
  }
}
