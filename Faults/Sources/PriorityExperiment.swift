import Foundation
import Repository
import SQLiteStore
import Synchronization

extension Experiment {
  /// The main actor writes beside tasks of lower priority that have what it waits for, while others keep all threads busy.
  static let priorities = Experiment(
    "priorities", "the main actor writes while tasks of low priority have the connection, and others all threads"
  ) { scale in
    let folder = try Folder()
    return try await Helper("invertPriorities", [folder.path, scale == .full ? "full" : "quick"]).finding()
  }
}

extension Role {
  /// `invertPriorities FOLDER quick|full`: writes on the main actor, beside transactions of background tasks, and computing tasks
  /// of a priority between both.
  static let invertPriorities = Role("invertPriorities") { arguments in
    let store = try SQLiteStore(path: arguments[0] + "/a.sqlite", timeout: .seconds(10))
    let entries = try store.repository(of: Entry.self)
    let state = State()
    let background = (0..<4).map { number in
      Task(priority: .background) { @concurrent in
        var batch = 1_000_000 * (number + 1)
        while !state.isOver.withLock(\.self) {
          try await store.transaction { _ in
            for entry in Entry.batch(batch) {
              try await entries.save(entry)
              await Task.yield()
            }
          }
          state.made.withLock { $0 += 1 }
          batch += 1
        }
      }
    }
    let computing = (0..<2 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
      Task(priority: .medium) { @concurrent in
        while !state.isOver.withLock(\.self) {
          let watch = Stopwatch()
          while watch.elapsed < .milliseconds(1) {}
          await Task.yield()
        }
      }
    }
    let count = arguments[1] == "full" ? 100 : 5
    var finding = Finding()
    let slowest = try await writeOnMainActor(entries, count)
    state.isOver.withLock { $0 = true }
    for task in computing { await task.value }
    for task in background { try await task.value }
    let found = try await entries.count(.true)
    let expected = count + state.made.withLock(\.self) * 3
    finding.expect(found == expected, "\(found) rows of \(expected) that were acknowledged")
    finding.note(
      "\(count) writes beside \(state.made.withLock(\.self)) transactions, the slowest after \(slowest.text)")
    if arguments[1] == "full" { finding.expect(slowest < .seconds(5), "a write took \(slowest.text)") }
    tell(finding)
  }

  private final class State: Sendable {
    let isOver = Mutex(false)
    let made = Mutex(0)
  }

  /// - Returns: how long the slowest write took.
  @MainActor
  private static func writeOnMainActor(_ entries: SQLiteRepository<Entry>, _ count: Int) async throws -> Duration {
    var slowest = Duration.zero
    for number in 0..<count {
      let watch = Stopwatch()
      try await entries.save(Entry(id: number, batch: -1, note: ""))
      slowest = max(slowest, watch.elapsed)
    }
    return slowest
  }
}
