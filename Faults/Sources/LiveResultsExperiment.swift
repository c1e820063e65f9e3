import Repository
import SQLiteStore
import Synchronization
import TestSupport

extension Experiment {
  /// An observer gets the last state, of whatever writer.
  static let liveResults = Experiment(
    "live-results",
    "An observer follows a row that its own store and another process write, one commit or ten at a time"
  ) { scale in
    let folder = try Folder()
    let store = try SQLiteStore(path: folder.file("a.sqlite"))
    let entries = try store.sqlRepository(of: Entry.self)
    try await entries.save(Entry(id: 0, batch: 0, note: ""))
    let other = try Helper("writeOnDemand", [folder.file("a.sqlite")])
    let observer = RowObserver(entries)
    defer { observer.stop() }
    var finding = Finding()
    let seed = SplitMix64.newSeed()
    var random = SplitMix64(seed: seed)
    var (number, counts, results) = (0, [Writer: Int](), [Writer: [Duration]]())
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
      counts[writer, default: 0] += 1
      if isTold { results[writer, default: []].append(watch.elapsed) }
    }
    if let reason = observer.endReason { finding.expect(false, "the observation ended: \(reason)") }
    finding.expect(
      observer.isRight, "the observer was given an earlier state after a later one, or one of within a transaction")
    for writer in Writer.allCases {
      let times = results[writer, default: []].sorted()
      guard let slowest = times.last else { continue }
      let median = times[times.count / 2]
      finding.note(
        "\(writer.rawValue): \(times.count) of \(counts[writer, default: 0]) told, half within \(median.text), all within \(slowest.text)"
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

  /// The note of a state that is not committed.
  static let unfinished = "not yet"

  func write(
    _ number: Int, _ entries: SQLiteRepository<Entry>, _ store: SQLiteStore, _ other: Helper
  ) async throws {
    let entry = Entry(id: 0, batch: number, note: "")
    switch self {
    case .task: try await entries.save(entry)
    case .blockingCall: try entries.blocking.save([entry])
    case .transaction:
      try await store.transaction { transaction in
        try await entries.save(Entry(id: 0, batch: number, note: Self.unfinished))
        try await transaction.transaction { _ in try await entries.save(entry) }
      }
    case .otherProcess:
      other.say("\(number)")
      if await other.line() != "\(number)" { throw WorkError("the other process does not write") }
    }
  }
}

/// An observer of the row with the number 0.
private final class RowObserver: Sendable {
  private struct State {
    var last = -1
    /// Whether no state was told after a later one, nor one that was not committed.
    var isRight = true
    /// Why nothing more is told.
    var endReason: String?
  }

  private let state = Mutex(State())
  private let task: Mutex<Task<Void, Never>?> = Mutex(nil)

  init(_ entries: SQLiteRepository<Entry>) {
    let following = Task { [weak self] in
      do {
        for try await found in entries.filter({ $0.id == 0 }).changes() { self?.note(found.first) }
        self?.end("without an error")
      } catch {
        self?.end("\(error)")
      }
    }
    task.withLock { $0 = following }
  }

  func stop() { task.withLock { $0?.cancel() } }

  private func end(_ reason: String) { state.withLock { $0.endReason = reason } }

  private func note(_ entry: Entry?) {
    state.withLock { state in
      let number = entry?.batch ?? -1
      if number < state.last || entry?.note == Writer.unfinished { state.isRight = false }
      state.last = number
    }
  }

  var isRight: Bool { state.withLock(\.isRight) }
  var endReason: String? { state.withLock(\.endReason) }

  /// Waits until a state is told, and returns whether it was.
  func wait(for number: Int, upTo limit: Duration) async -> Bool {
    let watch = Stopwatch()
    while state.withLock(\.last) != number {
      if watch.elapsed > limit || endReason != nil { return false }
      try? await Task.sleep(for: .microseconds(200))
    }
    return true
  }
}

extension Role {
  /// `writeOnDemand DATABASE`: saves each number that it is told in one row, and tells it when that is done.
  static let writeOnDemand = Role("writeOnDemand") { arguments in
    let entries = try SQLiteStore(path: arguments[0]).sqlRepository(of: Entry.self)
    while let line = nextInput(), let number = Int(line) {
      try await entries.save(Entry(id: 0, batch: number, note: ""))
      tell(line)
    }
  }
}
