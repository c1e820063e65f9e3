/// Those who wait for a resource, the longest first.
struct WaitingQueue<Resource: Sendable>: Sendable {
  typealias Answer = @Sendable (Result<Resource, RepositoryError>) -> Void

  /// A place in the queue.
  final class Ticket: Sendable {}

  // A queue is short: at most as many wait as there are tasks at work.
  private var places: [(ticket: Ticket, answer: Answer)] = []

  var isEmpty: Bool { places.isEmpty }
  var count: Int { places.count }

  mutating func append(_ ticket: Ticket, _ answer: @escaping Answer) {
    places.append((ticket, answer))
  }

  mutating func removeFirst() -> Answer? {
    places.isEmpty ? nil : places.removeFirst().answer
  }

  mutating func remove(_ ticket: Ticket) -> Answer? {
    places.firstIndex { $0.ticket === ticket }.map { places.remove(at: $0).answer }
  }
}
