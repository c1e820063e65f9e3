import Foundation
import Repository
import SQLiteStore
import Synchronization

extension Experiment {
  /// A task of higher priority is next in turn once it waits, and its actor is free meanwhile.
  ///
  /// The turns of others are counted, and no time.
  static let mainActor = Experiment(
    "main-actor",
    "the main actor writes beside 4 background tasks that write without a pause, while others have all threads"
  ) { scale in
    let folder = try Folder()
    return try await Helper("writeOnMainActor", [folder.path, "\(scale.pick(quick: 20, full: 200))"]).finding()
  }
}

extension Role {
  /// `writeOnMainActor FOLDER COUNT`: writes so many times on the main actor, beside transactions of background tasks, and
  /// computing tasks of a priority between both.
  static let writeOnMainActor = Role("writeOnMainActor") { arguments in
    let store = try SQLiteStore(path: arguments[0] + "/a.sqlite", timeout: .seconds(60))
    let entries = try store.sqlRepository(of: Entry.self)
    let (isOver, turns) = (Flag(), Counter())
    let background = (0..<backgroundTasks).map { number in
      Task(priority: .background) { @concurrent in
        var batch = 1_000_000 * (number + 1)
        while !isOver.value {
          try await store.transaction { _ in
            for entry in Entry.batch(batch) {
              try await entries.save(entry)
              await Task.yield()
            }
          }
          turns.add()
          batch += 1
        }
      }
    }
    let computing = (0..<2 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
      Task(priority: .medium) { @concurrent in
        while !isOver.value {
          let watch = Stopwatch()
          while watch.elapsed < .milliseconds(1) {}
          await Task.yield()
        }
      }
    }
    let count = Int(arguments[1]) ?? 0
    let writes = try await Task(priority: .userInitiated) { @MainActor in
      var writes: [Write] = []
      for number in 0..<count {
        let before = turns.value
        let wasFree = Flag()
        Task { @MainActor in wasFree.set() }
        try await entries.save(Entry(id: number, batch: -1, note: ""))
        writes.append(Write(turns: turns.value - before, wasFree: wasFree.value))
        // The others take the connection again.
        try await Task.sleep(for: .milliseconds(1))
      }
      return writes
    }.value
    isOver.set()
    for task in computing { await task.value }
    for task in background { try await task.value }
    tell(try await finding(writes, turns.value, in: entries))
  }

  private static let backgroundTasks = 4
  /// Of fewer writes that had to wait, more than half may be overtaken by chance.
  private static let fewWrites = 20

  private static func finding(
    _ writes: [Write], _ turns: Int, in entries: SQLiteRepository<Entry>
  ) async throws -> Finding {
    var finding = Finding()
    let waited = writes.filter { $0.turns > 0 }
    finding.expect(waited.count > writes.count / 10, "only \(waited.count) writes of \(writes.count) had to wait")
    // One has the connection, and the others may have come before. More may end while the main thread has no processor, on the
    // way to the queue or back from it, which is chance where only a few had to wait.
    let overtaken = waited.count { $0.turns > backgroundTasks }
    finding.expect(
      overtaken <= waited.count / 2 || waited.count < fewWrites,
      "\(overtaken) writes of \(waited.count) waited for more than the tasks before them"
    )
    // One that ended meanwhile may have released the connection before, so that nothing was waited for.
    let blocked = waited.count { $0.turns > 1 && !$0.wasFree }
    finding.expect(blocked == 0, "the main actor did nothing else during \(blocked) writes")
    let found = try await entries.count(.true)
    let expected = writes.count + turns * 3
    finding.expect(found == expected, "\(found) rows of \(expected) that were acknowledged")
    let median = waited.isEmpty ? 0 : waited.map(\.turns).sorted()[waited.count / 2]
    finding.note(
      "\(writes.count) writes beside \(turns) transactions, \(waited.count) had to wait, half of them for at most \(median), "
        + "\(overtaken) for more than \(backgroundTasks)")
    return finding
  }
}

/// A write on the main actor.
private struct Write {
  /// The transactions of others that ended meanwhile.
  let turns: Int
  /// Whether the main actor did something else meanwhile.
  let wasFree: Bool
}

private final class Flag: Sendable {
  private let isSet = Atomic(false)
  var value: Bool { isSet.load(ordering: .sequentiallyConsistent) }
  func set() { isSet.store(true, ordering: .sequentiallyConsistent) }
}

private final class Counter: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .sequentiallyConsistent) }
  func add() { count.add(1, ordering: .sequentiallyConsistent) }
}
