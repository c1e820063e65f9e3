/// Those who wait for a resource, the longest first.
struct WaitingQueue: Sendable {
  typealias Call = @Sendable (Answer) -> Void

  /// What somebody who waits is told.
  enum Answer: Sendable {
    /// Here is a resource.
    case resource(ObjectPool.Object)
    /// One has become free: try again.
    case retry
    /// Wait no longer.
    case refusal(RepositoryError)
  }

  /// A place in the queue, which keeps its rank when it is taken again.
  final class Ticket: Sendable {
    let start = ContinuousClock.now
    let deadline: Deadline

    init(until deadline: Deadline) {
      self.deadline = deadline
    }
  }

  // A queue is short: at most as many wait as there are tasks at work.
  private var places: [(ticket: Ticket, call: Call)] = []

  /// How long the first has been waiting.
  var longestWait: Duration { places.first.map { .now - $0.ticket.start } ?? .zero }

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
