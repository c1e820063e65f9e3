import Foundation
import Query
import Repository
import SQLiteStore
import Synchronization
import TestSupport

extension Experiment {
  /// A program that runs for long takes no more memory, room or time than at its beginning.
  ///
  /// `REPOKIT_MINUTES` spreads the operations over that time; without it, they follow each other without a pause.
  static let longRun = Experiment(
    "long-run", "4 tasks read and write 10,000 rows, REPOKIT_OPERATIONS times together (a million), in ten equal parts"
  ) { scale in
    let folder = try Folder()
    let count = Environment.number("REPOKIT_OPERATIONS") ?? scale.pick(quick: 20_000, full: 1_000_000)
    let minutes = Environment.number("REPOKIT_MINUTES") ?? 0
    let arguments = [folder.path, "\(count)", scale == .full ? "full" : "quick", "\(minutes)"]
    return try await Helper("longRun", arguments).finding()
  }
}

/// What a tenth of a long run took.
private struct Stretch {
  var memory = 0
  var fileSize = 0
  var logSize = 0
  var duration = Duration.zero
  /// Each hundredth operation's.
  var latencies: [Duration] = []

  var latency: Duration { latencies.sorted()[latencies.count * 99 / 100] }
}

extension Role {
  /// `longRun FOLDER COUNT full|quick MINUTES`.
  static let longRun = Role("longRun") { arguments in
    let path = arguments[0] + "/a.sqlite"
    let store = try SQLiteStore(path: path, timeout: .seconds(60))
    let entries = try store.sqlRepository(of: Entry.self)
    let (rows, total) = (10_000, Int(arguments[1]) ?? 0)
    // The pause of a task between the beginnings of two operations.
    let interval = Duration.seconds(60 * (Int(arguments[3]) ?? 0)) * 4 / max(total, 1)
    try await entries.save(contentsOf: (0..<rows).map { Entry(id: $0, batch: $0 % 100, note: "begin") })
    // An observer follows all changes.
    let notices = Mutex(0)
    let watcher = Task {
      for try await _ in entries.filter({ $0.batch == 7 }).changes() { notices.withLock { $0 += 1 } }
    }
    defer { watcher.cancel() }

    var finding = Finding()
    var stretches: [Stretch] = []
    for part in 0..<10 {
      let watch = Stopwatch()
      var stretch = Stretch()
      try await withThrowingTaskGroup(of: [Duration].self) { group in
        for task in 0..<4 {
          group.addTask { @concurrent in
            var random = SplitMix64(seed: UInt64(part * 4 + task))
            var latencies: [Duration] = []
            for number in 0..<max(total / 40, 1) {
              let wait = interval * number - watch.elapsed
              if wait > .zero { try await Task.sleep(for: wait) }
              let one = Stopwatch()
              try await operate(entries, rows, &random)
              if number % 100 == 0 { latencies.append(one.elapsed) }
            }
            return latencies
          }
        }
        for try await latencies in group { stretch.latencies += latencies }
      }
      stretch.duration = watch.elapsed
      stretch.memory = residentMemory()
      (stretch.fileSize, stretch.logSize) = (size(path), size(path + "-wal"))
      stretches.append(stretch)
      tell("part \(part + 1) of 10 in \(stretch.duration.text)")
    }

    // The first part fills caches, and the file's free pages.
    let (early, late) = (stretches[1], stretches[9])
    func megabytes(_ bytes: Int) -> String { "\((Double(bytes) / 100_000).rounded() / 10) MB" }
    finding.note("\(total) operations in \(stretches.reduce(.zero) { $0 + $1.duration }.text)")
    finding.note("memory \(megabytes(early.memory)) and \(megabytes(late.memory)) in the second and the last tenth")
    finding.note("file \(megabytes(early.fileSize)) and \(megabytes(late.fileSize))")
    finding.note("log at most \(megabytes(stretches.map(\.logSize).max() ?? 0))")
    finding.note("99 of 100 within \(early.latency.text) and \(late.latency.text)")
    finding.note("\(notices.withLock(\.self)) live results")
    finding.expect(late.fileSize <= early.fileSize * 11 / 10, "the file grew")
    finding.expect(stretches.allSatisfy { $0.logSize < 32_000_000 }, "the log grew")
    finding.expect(notices.withLock(\.self) > 0, "the live results ended")
    if arguments[2] == "full" {
      finding.expect(late.memory <= early.memory * 12 / 10 + 4_000_000, "memory grew")
      finding.expect(late.latency <= early.latency * 3 + .milliseconds(1), "operations became slower")
      finding.expect(late.duration <= early.duration * 2, "the last tenth took longer than twice the second")
    }
    tell(finding)
  }

  private static func operate(
    _ entries: SQLiteRepository<Entry>, _ rows: Int, _ random: inout SplitMix64
  ) async throws {
    let id = Int.random(in: 0..<rows, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<12: _ = try await entries.find(id)
    case 12..<14:
      _ = try await entries.findAll(where: { $0.batch == id % 100 }, sortedBy: { $0.id.descending }, limit: 20)
    case 14: _ = try await entries.count(.equal(key: "batch", value: id % 100))
    case 15: try await entries.filter { $0.id == id }.update { $0.note = "changed \(id)" }
    case 16:
      try await entries.filter { $0.id == id }.delete()
      try await entries.save(Entry(id: id, batch: id % 100, note: "again"))
    default: try await entries.save(Entry(id: id, batch: id % 100, note: "note \(id)"))
    }
  }

  private static func size(_ path: String) -> Int {
    ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber)?.intValue ?? 0
  }

  /// The memory that the process has, in bytes; 0 where the system does not tell it in a file.
  private static func residentMemory() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) * 1_024
  }
}
