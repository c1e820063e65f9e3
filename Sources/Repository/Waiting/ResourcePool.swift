import Synchronization

/// Hands resources to one user at a time, such as the connections of a database, and lets those wait who find none.
///
/// Whoever has waited longest is served first: what is given back goes to the first in the queue, never to somebody who
/// comes by at the right moment. A task that waits is suspended, a thread is blocked; both for a while.
package final class ResourcePool<Resource: Sendable>: Sendable {
  private struct State {
    var idle: [Resource] = []
    var made = 0
    var queue = WaitingQueue<Resource>()
  }

  private let state: Mutex<State>
  private let capacity: Int
  private let make: @Sendable () throws(RepositoryError) -> Resource

  /// Makes a pool.
  ///
  /// - Parameters:
  ///   - idle: resources that are there from the start.
  ///   - capacity: how many there may be.
  ///   - make: makes another one, when all are in use and there may be more.
  package init(
    _ idle: [Resource], capacity: Int, make: @escaping @Sendable () throws(RepositoryError) -> Resource
  ) {
    state = Mutex(State(idle: idle, made: idle.count))
    self.capacity = capacity
    self.make = make
  }

  /// Makes a pool of one resource.
  package convenience init(only resource: Resource) {
    self.init([resource], capacity: 1) { () throws(RepositoryError) in throw Self.busy }
  }

  /// Takes a resource that nobody has.
  ///
  /// - Returns: `nil` where all are in use, or others have been waiting.
  package func takeIdle() throws(RepositoryError) -> Resource? {
    let (resource, mayMake) = state.withLock { state -> (Resource?, Bool) in
      if let resource = state.idle.popLast() { return (resource, false) }
      guard state.made < capacity, state.queue.isEmpty else { return (nil, false) }
      state.made += 1
      return (nil, true)
    }
    guard mayMake else { return resource }
    do throws(RepositoryError) {
      return try make()
    } catch {
      giveUp(error)
      throw error
    }
  }

  /// Takes a resource, suspended until there is one.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/busy`` where that takes too long,
  ///   ``RepositoryError/Code/cancelled`` where the task is cancelled, and where none could be made.
  package func take(within timeout: Duration) async throws(RepositoryError) -> Resource {
    if Task.isCancelled { throw .cancelled }
    if let resource = try takeIdle() { return resource }
    let deadline = Deadline(in: timeout)
    if deadline.hasPassed { throw Self.busy }
    let ticket = WaitingQueue<Resource>.Ticket()
    let alarm = Task.detached { [weak self] in
      if await deadline.wait() { self?.refuse(ticket, Self.busy) }
    }
    defer { alarm.cancel() }
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enter(ticket) { continuation.resume(returning: $0) }
        // The handler may have run before there was anybody to refuse.
        if Task.isCancelled { refuse(ticket, .cancelled) }
      }
    } onCancel: {
      refuse(ticket, .cancelled)
    }
    return try answer.get()
  }

  /// Takes a resource for good, however long that takes and whether the task is cancelled or not.
  package func reclaim() async -> Resource? {
    if let resource = try? takeIdle() { return resource }
    let answer = await withCheckedContinuation { continuation in
      enter(WaitingQueue<Resource>.Ticket()) { continuation.resume(returning: $0) }
    }
    return try? answer.get()
  }

  /// Takes a resource, with the thread blocked until there is one.
  ///
  /// - Parameter timeout: how long at most; `nil` for as long as it takes.
  /// - Throws: as ``take(within:)`` does, but for cancellation.
  package func takeBlocking(within timeout: Duration?) throws(RepositoryError) -> Resource {
    if let resource = try takeIdle() { return resource }
    let deadline = timeout.map(Deadline.init(in:)) ?? .never
    if deadline.hasPassed { throw Self.busy }
    let ticket = WaitingQueue<Resource>.Ticket()
    let letter = Letter<Result<Resource, RepositoryError>>()
    enter(ticket) { letter.send($0) }
    if let answer = letter.receive(until: deadline) { return try answer.get() }
    refuse(ticket, Self.busy)
    // Refused a moment ago, unless a resource came at the same time.
    return try (letter.receive(until: .never) ?? .failure(Self.busy)).get()
  }

  /// Gives a resource back.
  package func giveBack(_ resource: Resource) {
    let first = state.withLock { state -> WaitingQueue<Resource>.Answer? in
      let first = state.queue.removeFirst()
      if first == nil { state.idle.append(resource) }
      return first
    }
    first?(.success(resource))
  }

  /// How many wait.
  package var waitingCount: Int { state.withLock { $0.queue.count } }

  private func enter(
    _ ticket: WaitingQueue<Resource>.Ticket, _ answer: @escaping WaitingQueue<Resource>.Answer
  ) {
    // Something may have been given back since the look at the idle ones.
    let resource = state.withLock { state -> Resource? in
      if state.queue.isEmpty, let resource = state.idle.popLast() { return resource }
      state.queue.append(ticket, answer)
      return nil
    }
    if let resource { answer(.success(resource)) }
  }

  private func refuse(_ ticket: WaitingQueue<Resource>.Ticket, _ error: RepositoryError) {
    state.withLock { $0.queue.remove(ticket) }?(.failure(error))
  }

  /// Notes that a resource could not be made. The first who waits is told too: nothing may come back that would wake him.
  private func giveUp(_ error: RepositoryError) {
    state.withLock { state in
      state.made -= 1
      return state.queue.removeFirst()
    }?(.failure(error))
  }

  private static var busy: RepositoryError {
    RepositoryError(
      .busy, "the store is in use by other tasks of this program",
      reason: "none of its connections became free in time",
      suggestion: "shorten what is done within a transaction, or allow for a longer timeout")
  }
}
