import Repository
import SQLiteStore
import Synchronization
import TestSupport

extension Experiment {
  /// An observer gets the last state, whoever has committed it.
  static let liveResults = Experiment(
    "live-results",
    "An observer follows a row that its own store and another process write, one commit or ten at a time"
  ) { scale in
    let folder = try Folder()
    let store = try SQLiteStore(path: folder.file("a.sqlite"))
    let entries = try store.repository(of: Entry.self)
    try await entries.save(Entry(id: 0, batch: 0, note: ""))
    let other = try Helper("writeOnDemand", [folder.file("a.sqlite")])
    let observer = RowObserver(entries)
    defer { observer.stop() }
    var finding = Finding()
    let seed = SplitMix64.newSeed()
    var random = SplitMix64(seed: seed)
    var (number, results) = (0, [Writer: [Duration]]())
    let rounds = scale.pick(quick: 40, full: 900)
    for round in 0..<rounds where !finding.isHopeless {
      let writer = Writer.allCases[Int.random(in: 0..<Writer.allCases.count, using: &random)]
      try await Task.sleep(for: .microseconds(.random(in: 0...20_000, using: &random)))
      for _ in 0..<(Int.random(in: 0..<10, using: &random) == 0 ? 10 : 1) {
        number += 1
        try await writer.write(number, entries, store, other)
      }
      let watch = Stopwatch()
      let isTold = await observer.wait(for: number, upTo: .seconds(10))
      finding.expect(isTold, "round \(round): nothing was told of what \(writer.rawValue) has committed")
      results[writer, default: []].append(watch.elapsed)
    }
    finding.expect(observer.isInOrder, "the observer was given an earlier state after a later one")
    for writer in Writer.allCases {
      let times = results[writer, default: []].sorted()
      guard let slowest = times.last else { continue }
      let median = times[times.count / 2]
      finding.note(
        "\(writer.rawValue): \(times.count) of \(times.count) told, half within \(median.text), all within \(slowest.text)"
      )
      if scale == .full {
        finding.expect(
          median < .milliseconds(writer == .otherProcess ? 75 : 10), "\(writer.rawValue): half took \(median.text)")
      }
    }
    finding.note("\(number) commits, seed \(seed)")
    return finding
  }
}

/// What writes the row.
private enum Writer: String, CaseIterable {
  case task = "a task"
  case blockingCall = "a blocking call"
  case transaction = "a transaction"
  case otherProcess = "another process"

  func write(
    _ number: Int, _ entries: SQLiteRepository<Entry>, _ store: SQLiteStore, _ other: Helper
  ) async throws {
    let entry = Entry(id: 0, batch: number, note: "")
    switch self {
    case .task: try await entries.save(entry)
    case .blockingCall: try Self.saveBlocking(entry, entries)
    case .transaction:
      try await store.transaction { transaction in
        try await entries.save(Entry(id: 0, batch: number, note: "not yet"))
        try await transaction.transaction { _ in try await entries.save(entry) }
      }
    case .otherProcess:
      other.say("\(number)")
      if await other.line() != "\(number)" { throw WorkError("the other process does not write") }
    }
  }

  private static func saveBlocking(_ entry: Entry, _ entries: SQLiteRepository<Entry>) throws {
    try entries.save([entry])
  }
}

/// An observer of the row with the number 0.
private final class RowObserver: Sendable {
  private let state = Mutex((last: -1, isInOrder: true))
  private let task: Mutex<Task<Void, Never>?> = Mutex(nil)

  init(_ entries: SQLiteRepository<Entry>) {
    let following = Task { [weak self] in
      do {
        for try await found in entries.changes(where: { $0.id == 0 }) {
          self?.note(found.first?.batch ?? -1)
        }
      } catch {}
    }
    task.withLock { $0 = following }
  }

  func stop() { task.withLock { $0?.cancel() } }

  private func note(_ number: Int) {
    state.withLock { state in
      if number < state.last { state.isInOrder = false }
      state.last = number
    }
  }

  var isInOrder: Bool { state.withLock(\.isInOrder) }

  /// Waits until a state is told, and returns whether it was.
  func wait(for number: Int, upTo limit: Duration) async -> Bool {
    let watch = Stopwatch()
    while state.withLock(\.last) != number {
      if watch.elapsed > limit { return false }
      try? await Task.sleep(for: .microseconds(200))
    }
    return true
  }
}

extension Role {
  /// `writeOnDemand DATABASE`: saves each number that it is told in one row, and tells it when that is done.
  static let writeOnDemand = Role("writeOnDemand") { arguments in
    let entries = try SQLiteStore(path: arguments[0]).repository(of: Entry.self)
    while let line = nextInput(), let number = Int(line) {
      try await entries.save(Entry(id: 0, batch: number, note: ""))
      tell(line)
    }
  }
}
