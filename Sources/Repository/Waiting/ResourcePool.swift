import Synchronization

/// Hands resources to one user at a time, such as the connections of a database, and lets those wait who find none.
///
/// A task that waits is suspended, a thread is blocked; both for a while. Whoever has waited longest is called first when
/// something is given back. Between his call and his coming, somebody who is running already may take it, or else everybody
/// would wait for a task to be scheduled; but once he has waited for long, it is kept for him.
package final class ResourcePool<Resource: Sendable>: Sendable {
  private typealias Queue = WaitingQueue<Resource>
  private struct State {
    var idle: [Resource] = []
    var made = 0
    var queue = Queue()
  }

  private let state: Mutex<State>
  private let capacity: Int
  private let make: @Sendable () throws(RepositoryError) -> Resource
  /// Whoever has waited for so long is served before others.
  private static var patience: Duration { .seconds(1) }

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
  /// - Returns: `nil` where all are in use.
  package func takeIdle() throws(RepositoryError) -> Resource? {
    let (resource, mayMake) = state.withLock { state -> (Resource?, Bool) in
      if let resource = state.idle.popLast() { return (resource, false) }
      guard state.made < capacity else { return (nil, false) }
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
    return try await take(until: Deadline(in: timeout))
  }

  /// The same until a point in time.
  package func take(until deadline: Deadline) async throws(RepositoryError) -> Resource {
    if Task.isCancelled { throw .cancelled }
    if let resource = try takeIdle() { return resource }
    if deadline.hasPassed { throw Self.busy }
    let ticket = Queue.Ticket(until: deadline)
    let alarm = Task.detached { [weak self] in
      if await deadline.wait() { self?.refuse(ticket, Self.busy) }
    }
    defer { alarm.cancel() }
    while true {
      let answer = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          enter(ticket) { continuation.resume(returning: $0) }
          // The handler may have run before there was anybody to refuse.
          if Task.isCancelled { refuse(ticket, .cancelled) }
        }
      } onCancel: {
        refuse(ticket, .cancelled)
      }
      if let resource = try resource(after: answer) { return resource }
    }
  }

  /// Takes a resource for good, however long that takes and whether the task is cancelled or not.
  package func reclaim() async -> Resource? {
    if let resource = try? takeIdle() { return resource }
    let ticket = Queue.Ticket(until: .never)
    while true {
      let answer = await withCheckedContinuation { continuation in
        enter(ticket) { continuation.resume(returning: $0) }
      }
      do throws(RepositoryError) {
        if let resource = try resource(after: answer) { return resource }
      } catch {
        return nil
      }
    }
  }

  /// Takes a resource, with the thread blocked until there is one.
  ///
  /// - Parameter timeout: how long at most; `nil` for as long as it takes.
  /// - Throws: as ``take(within:)`` does, but for cancellation.
  package func takeBlocking(within timeout: Duration?) throws(RepositoryError) -> Resource {
    try takeBlocking(until: timeout.map(Deadline.init(in:)) ?? .never)
  }

  /// The same until a point in time.
  package func takeBlocking(until deadline: Deadline) throws(RepositoryError) -> Resource {
    if let resource = try takeIdle() { return resource }
    if deadline.hasPassed { throw Self.busy }
    let ticket = Queue.Ticket(until: deadline)
    while true {
      let letter = Letter<Queue.Answer>()
      enter(ticket) { letter.send($0) }
      var answer = letter.receive(until: deadline)
      if answer == nil {
        refuse(ticket, Self.busy)
        // Refused a moment ago, unless a resource came at the same time.
        answer = letter.receive(until: .never)
      }
      if let resource = try resource(after: answer ?? .refusal(Self.busy)) { return resource }
    }
  }

  /// Gives a resource back.
  package func giveBack(_ resource: Resource) {
    let (call, answer) = state.withLock { state -> (Queue.Call?, Queue.Answer) in
      if state.queue.longestWait >= Self.patience {
        return (state.queue.removeFirst(), .resource(resource))
      }
      state.idle.append(resource)
      return (state.queue.removeFirst(), .retry)
    }
    call?(answer)
  }

  /// What somebody gets who was called; `nil` where somebody else was faster, so that he has to wait again.
  private func resource(after answer: Queue.Answer) throws(RepositoryError) -> Resource? {
    switch answer {
    case .resource(let resource): resource
    // Before anything else: whoever was called and leaves without it would have to call the next one.
    case .retry: try takeIdle()
    case .refusal(let error): throw error
    }
  }

  private func enter(_ ticket: Queue.Ticket, _ call: @escaping Queue.Call) {
    let answer = state.withLock { state -> Queue.Answer? in
      // Something may have been given back since the last look.
      if let resource = state.idle.popLast() { return .resource(resource) }
      // The alarm rings once.
      if ticket.deadline.hasPassed { return .refusal(Self.busy) }
      state.queue.insert(ticket, call)
      return nil
    }
    if let answer { call(answer) }
  }

  private func refuse(_ ticket: Queue.Ticket, _ error: RepositoryError) {
    state.withLock { $0.queue.remove(ticket) }?(.refusal(error))
  }

  /// Notes that a resource could not be made. The first who waits is told too: nothing may come back that would call him.
  private func giveUp(_ error: RepositoryError) {
    state.withLock { state in
      state.made -= 1
      return state.queue.removeFirst()
    }?(.refusal(error))
  }

  private static var busy: RepositoryError {
    RepositoryError(
      .busy, "the store is in use by other tasks of this program",
      reason: "none of its connections became free in time",
      suggestion: "shorten what is done within a transaction, or allow for a longer timeout")
  }
}
