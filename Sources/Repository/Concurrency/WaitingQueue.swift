import Dispatch
import Synchronization

/// The waiters for a resource, in order of arrival.
struct WaitingQueue: Sendable {
  typealias Call = @Sendable (Answer) -> Void

  /// The answer to a waiter.
  enum Answer: Sendable {
    /// A resource for the waiter.
    case resource(ObjectPool.Object)
    /// A resource has become free: the waiter tries again.
    case retry
    /// The waiter stops waiting, with an error.
    case refusal(RepositoryError)
  }

  /// A position in the queue, which keeps its rank if the waiter enters again.
  final class Ticket: Sendable {
    let start = ContinuousClock.now
    let priority = WaitingQueue.currentPriority
    let deadline: Deadline
    /// The number of signalled releases when the ticket was made.
    let releases: Int

    init(until deadline: Deadline, releases: Int = 0) {
      self.deadline = deadline
      self.releases = releases
    }
  }

  // A queue is short: there are at most as many waiters as running tasks.
  private var places: [(ticket: Ticket, call: Call)] = []

  /// The time for which the first waiter has been waiting.
  var longestWait: Duration { places.first.map { .now - $0.ticket.start } ?? .zero }

  /// The priority of the running task; `nil` on a thread without one, which systems rate in different ways.
  static var currentPriority: TaskPriority? { withUnsafeCurrentTask { $0?.priority } }

  /// Returns whether a waiting task has a higher priority than another task.
  func hasWaiter(above priority: TaskPriority?) -> Bool {
    guard let priority else { return false }
    return places.contains { place in place.ticket.priority.map { $0 > priority } == true }
  }

  mutating func insert(_ ticket: Ticket, _ call: @escaping Call) {
    let index = places.lastIndex { $0.ticket.start <= ticket.start }.map { $0 + 1 } ?? 0
    places.insert((ticket, call), at: index)
  }

  mutating func removeFirst() -> Call? {
    places.isEmpty ? nil : places.removeFirst().call
  }

  mutating func remove(_ ticket: Ticket) -> Call? {
    places.firstIndex { $0.ticket === ticket }.map { places.remove(at: $0).call }
  }
}

/// A channel that hands one value to a waiting thread.
final class OneShotChannel<Content: Sendable>: Sendable {
  private let content = Mutex<Content?>(nil)
  private let arrival = DispatchSemaphore(value: 0)

  func send(_ content: Content) {
    self.content.withLock { $0 = content }
    arrival.signal()
  }

  /// Waits for the value; `nil` if none was sent in time.
  func receive(until deadline: Deadline) -> Content? {
    guard arrival.wait(timeout: deadline.dispatchTime) == .success else { return nil }
    return content.withLock { $0 }
  }
}

extension Deadline {
  fileprivate var dispatchTime: DispatchTime {
    guard let remaining else { return .distantFuture }
    let (seconds, attoseconds) = remaining.components
    return .now() + .seconds(Int(clamping: seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
  }
}
