import Dispatch
import Synchronization

/// A signal that wakes observers after a store has changed.
///
/// Without observers, it costs a write one atomic load. Changes by other programs, which the store can't detect itself, are
/// polled for as long as there are observers.
package final class ChangeSignal: Sendable {
  fileprivate struct State {
    var revision = 0
    /// The revision of the last change of each table.
    var changes: [[UInt8]: Int] = [:]
    /// The last revision in which any table may have changed.
    var unknownChange = 0
    var waiting: [Waiter] = []
    var polling = Polling.off
  }
  fileprivate final class Ticket: Sendable {}
  /// A task that waits for a change of tables, or, without tables, for the first poll.
  fileprivate typealias Waiter = (ticket: Ticket, tables: TableSet?, continuation: CheckedContinuation<Void, Never>)
  fileprivate enum Polling {
    /// Nothing is polled, or the first poll is not over, so that changes of other programs are not detected.
    case off, starting
    case running
  }

  private let observerCount = Atomic(0)
  private let state = Mutex(State())
  private let interval: Duration
  private let poll: (@Sendable () -> Bool)?

  /// Makes a signal.
  ///
  /// - Parameters:
  ///   - interval: the interval between polls for changes by other programs.
  ///   - poll: returns whether other programs have changed something since its last call; `nil` if no other program can.
  package init(every interval: Duration = .milliseconds(50), poll: (@Sendable () -> Bool)? = nil) {
    self.interval = interval
    self.poll = poll
  }

  /// Records a change, after it has become visible.
  ///
  /// - Parameter tables: the changed tables; evaluated only if there are observers.
  package func notify(_ tables: @autoclosure () -> TableSet = .all) {
    if isObserved { wake(tables()) }
  }

  /// Whether there are observers. An observer that starts later sees earlier changes in its first result.
  var isObserved: Bool { observerCount.load(ordering: .sequentiallyConsistent) > 0 }

  /// The number of the state; it grows with each change.
  package var revision: Int { state.withLock(\.revision) }

  /// The last revision in which any table may have changed: by other programs, or by statements of unknown effect.
  package var revisionOfUnknownChange: Int { state.withLock(\.unknownChange) }

  /// Waits until one of several tables has changed after a revision, or until the task is cancelled.
  func wait(beyond revision: Int, in tables: TableSet) async {
    await wait(for: tables) { $0.hasChange(beyond: revision, in: tables) }
  }

  /// Waits until changes by other programs from now on are detected, or until the task is cancelled. An observer that reads
  /// earlier could miss one.
  func waitForFirstPoll() async {
    if poll != nil, state.withLock({ $0.polling != .running }) { await wait(for: nil) { $0.polling == .running } }
  }

  private func wait(for tables: TableSet?, unless isOver: (State) -> Bool) async {
    let ticket = Ticket()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if isOver(state) || Task.isCancelled { return true }
          state.waiting.append((ticket, tables, continuation))
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.waiting.firstIndex { $0.ticket === ticket }.map { state.waiting.remove(at: $0).continuation }
      }
      continuation?.resume()
    }
  }

  /// Counts an observer, which calls ``waitForFirstPoll()`` before it reads.
  func addObserver() {
    let isAlone = observerCount.add(1, ordering: .sequentiallyConsistent).oldValue == 0
    // Changes without observers were not recorded: any table may have changed.
    if isAlone { state.withLock { $0.note(.all) } }
    guard let poll else { return }
    let isFirst = state.withLock { state in
      defer { if state.polling == .off { state.polling = .starting } }
      return state.polling == .off
    }
    guard isFirst else { return }
    Task.detached { [weak self, interval] in
      _ = await Self.run(poll)
      self?.beginPolling()
      while (try? await Task.sleep(for: interval)) != nil, let self, self.continuesPolling() {
        if await Self.run(poll) { self.wake(.all) }
      }
    }
  }

  /// A poll may block for as long as a connection to a server takes, and must not block a thread of tasks.
  private static func run(_ poll: @escaping @Sendable () -> Bool) async -> Bool {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: poll()) }
    }
  }

  func removeObserver() {
    observerCount.subtract(1, ordering: .sequentiallyConsistent)
  }

  private func wake(_ tables: TableSet) {
    let woken = state.withLock { state in
      state.note(tables)
      return state.removeWaiting { $0?.intersects(tables) == true }
    }
    for observer in woken { observer.continuation.resume() }
  }

  /// Wakes those who wait for the first poll.
  private func beginPolling() {
    let woken = state.withLock { state in
      state.polling = .running
      return state.removeWaiting { $0 == nil }
    }
    for observer in woken { observer.continuation.resume() }
  }

  /// Whether there are observers; polling ends otherwise.
  private func continuesPolling() -> Bool {
    state.withLock { state in
      if observerCount.load(ordering: .sequentiallyConsistent) == 0 { state.polling = .off }
      return state.polling == .running
    }
  }
}

extension ChangeSignal.State {
  /// Records a change of tables.
  fileprivate mutating func note(_ tables: TableSet) {
    revision += 1
    switch tables {
    case .only(let names): for name in names { changes[name] = revision }
    case .allBut: unknownChange = revision
    }
  }

  /// Removes those who wait for tables that a closure accepts, and returns them.
  fileprivate mutating func removeWaiting(for tables: (TableSet?) -> Bool) -> ArraySlice<ChangeSignal.Waiter> {
    let split = waiting.partition { tables($0.tables) }
    defer { waiting.removeSubrange(split...) }
    return waiting[split...]
  }

  /// Returns whether one of several tables has changed after a revision.
  fileprivate func hasChange(beyond revision: Int, in tables: TableSet) -> Bool {
    if unknownChange > revision { return true }
    return switch tables {
    case .only(let names): names.contains { changes[$0, default: 0] > revision }
    case .allBut(let names): changes.contains { $1 > revision && !names.contains($0) }
    }
  }
}
