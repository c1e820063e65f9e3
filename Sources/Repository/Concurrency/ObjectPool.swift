import Synchronization

/// A pool of exclusive resources, such as the connections of a database.
///
/// A waiting task is suspended, a waiting thread blocked, both with a deadline. A release wakes the longest waiter. Until
/// that one runs, a running task may acquire the resource (barging), since otherwise each hand-over would wait for the
/// scheduler. Two things end that, so that the first waiter is handed the resource directly: it has waited for more than a
/// second (`fairnessDelay`), or a waiter has a higher priority than the task that releases, as the main actor has beside work
/// in the background. The order of the waiters remains that of their arrival, and a waiter's priority that of its first wait.
/// Threads outside of tasks have none.
///
/// A resource that can't be made is waited for while there are others, as if the capacity were smaller. Where there is none,
/// all waiters get the error.
///
/// Unlike ``ResourcePool``, it is not generic: generic code of another module looks up its types at run time, which took as
/// long as reading a row by its key.
package final class ObjectPool: Sendable {
  package typealias Object = any AnyObject & Sendable
  private typealias Queue = WaitingQueue
  private struct State {
    /// The number of resources, idle or in use.
    var registered = 0
    /// The number of resources, and of those that are being made.
    var registeredOrBeingMade = 0
    /// The number of releases that were signalled to waiters.
    var releases = 0
    /// The error of the last attempt to make a resource; `nil` if it did not fail.
    var lastFailure: RepositoryError?
    var queue = Queue()
  }

  private let idle: IdleObjects
  private let state = Mutex(State())
  /// The number of waiters, including those that are about to wait.
  ///
  /// A waiter counts itself and then looks for an idle object once more; a release puts the object down and then looks for
  /// waiters. One of them sees the other.
  private let waiting = Atomic(0)
  private let capacity: Int
  private let make: @Sendable () throws(RepositoryError) -> Object
  private let isHeldByThisThread: @Sendable (Object) -> Bool
  private let fairnessDelay: Duration

  /// Makes a pool.
  ///
  /// - Parameters:
  ///   - idle: the resources at the start.
  ///   - capacity: the maximum number of resources.
  ///   - fairnessDelay: the time after which a waiter is served before running tasks.
  ///   - isHeldByThisThread: whether the current thread already holds the resource and would wait for itself, because it calls
  ///     user code while holding it. The thread then gets the same resource (re-entrancy).
  ///   - make: makes another resource, when all are in use and the maximum is not reached.
  package init(
    _ idle: [Object], capacity: Int, fairnessDelay: Duration = .seconds(1),
    isHeldByThisThread: @escaping @Sendable (Object) -> Bool = { _ in false },
    make: @escaping @Sendable () throws(RepositoryError) -> Object
  ) {
    self.fairnessDelay = fairnessDelay
    self.idle = IdleObjects(capacity: max(capacity, idle.count))
    self.capacity = capacity
    self.isHeldByThisThread = isHeldByThisThread
    self.make = make
    for (number, object) in idle.enumerated() {
      self.idle.register(object, as: number)
      self.idle.release(object)
    }
    state.withLock { $0 = State(registered: idle.count, registeredOrBeingMade: idle.count) }
  }

  /// Makes a pool of one resource.
  package convenience init(
    only resource: Object, fairnessDelay: Duration = .seconds(1),
    isHeldByThisThread: @escaping @Sendable (Object) -> Bool = { _ in false }
  ) {
    self.init(
      [resource], capacity: 1, fairnessDelay: fairnessDelay, isHeldByThisThread: isHeldByThisThread
    ) { () throws(RepositoryError) in throw Self.busy }
  }

  /// The number of tasks and threads that wait for a resource.
  package var waiterCount: Int { waiting.load(ordering: .sequentiallyConsistent) }

  /// Acquires an idle resource; `nil` if there is none.
  package func popIdle() -> Object? { idle.pop() }

  /// Acquires an idle resource, or makes one.
  ///
  /// - Returns: `nil` if all resources are in use, and the maximum is reached or another one could not be made.
  /// - Throws: the error of making a resource, if there is no other.
  package func acquireIdle() throws(RepositoryError) -> Object? {
    if let resource = idle.pop() { return resource }
    return try makeOrLendAgain()
  }

  /// Makes another resource, or, if the maximum is reached or none can be made, returns the one that the current thread holds already
  /// (re-entrancy); `nil` if it holds none.
  private func makeOrLendAgain() throws(RepositoryError) -> Object? {
    let (lent, mayMake) = state.withLock { state -> (Object?, Bool) in
      guard state.registeredOrBeingMade < capacity else {
        return (idle.first(where: isHeldByThisThread, among: state.registered), false)
      }
      state.registeredOrBeingMade += 1
      return (nil, true)
    }
    guard mayMake else { return lent }
    do throws(RepositoryError) {
      let resource = try make()
      state.withLock { state in
        idle.register(resource, as: state.registered)
        state.registered += 1
        state.lastFailure = nil
      }
      return resource
    } catch {
      if giveUp(error) { throw error }
      return state.withLock { idle.first(where: isHeldByThisThread, among: $0.registered) }
    }
  }

  /// Acquires a resource, suspended until one is free or the deadline passes.
  ///
  /// - Parameter deadline: the deadline, which is made only for a wait.
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/busy`` after the deadline,
  ///   ``RepositoryError/Code/cancelled`` if the task is cancelled, and the error of making a resource.
  package func acquire(until deadline: @autoclosure () -> Deadline) async throws(RepositoryError) -> Object {
    if Task.isCancelled { throw .cancelled }
    if let resource = try acquireIdle() { return resource }
    let deadline = deadline()
    let ticket = Queue.Ticket(until: deadline, releases: state.withLock(\.releases))
    let alarm = Task.detached(executorPreference: deadline.executor) { [weak self] in
      if await deadline.wait() { self?.refuse(ticket) }
    }
    defer { alarm.cancel() }
    while true {
      let answer = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          enter(ticket) { continuation.resume(returning: $0) }
          // The cancellation handler may have run before the ticket was in the queue.
          if Task.isCancelled { refuse(ticket, .cancelled) }
        }
      } onCancel: {
        refuse(ticket, .cancelled)
      }
      if let resource = try resource(after: answer) { return resource }
    }
  }

  /// Acquires a resource without a deadline and without regard to cancellation.
  package func acquireUncancellably() async -> Object? {
    if let resource = try? acquireIdle() { return resource }
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

  /// Acquires a resource, with the thread blocked until one is free or the deadline passes.
  ///
  /// - Throws: as ``acquire(until:)`` does, except for cancellation.
  package func acquireBlocking(until deadline: @autoclosure () -> Deadline) throws(RepositoryError) -> Object {
    if let resource = try acquireIdle() { return resource }
    let deadline = deadline()
    let ticket = Queue.Ticket(until: deadline, releases: state.withLock(\.releases))
    while true {
      let channel = OneShotChannel<Queue.Answer>()
      enter(ticket) { channel.send($0) }
      var answer = channel.receive(until: deadline)
      if answer == nil {
        refuse(ticket)
        // The waiter has just been refused, unless a resource arrived at the same time.
        answer = channel.receive(until: .never)
      }
      if let resource = try resource(after: answer ?? .refusal(Self.busy)) { return resource }
    }
  }

  /// Releases a resource.
  package func release(_ resource: Object) {
    // An outer use on the same thread still has the resource, and releases it.
    if isHeldByThisThread(resource) { return }
    idle.release(resource)
    if waiting.load(ordering: .sequentiallyConsistent) > 0 { wakeFirst() }
  }

  /// Wakes the first waiter, if there is one.
  private func wakeFirst() {
    let (call, answer) = state.withLock { state -> (Queue.Call?, Queue.Answer) in
      state.releases += 1
      guard state.queue.longestWait >= fairnessDelay || state.queue.hasWaiter(above: Queue.currentPriority) else {
        return (removeFirst(&state), .retry)
      }
      // A running task may have been faster; its release wakes the waiter.
      guard let resource = idle.pop() else { return (nil, .retry) }
      return (removeFirst(&state), .resource(resource))
    }
    call?(answer)
  }

  private func removeFirst(_ state: inout State) -> Queue.Call? {
    guard let call = state.queue.removeFirst() else { return nil }
    endWait()
    return call
  }

  /// Returns the resource for a waiter after its answer; `nil` if a running task was faster, so that it has to wait again.
  private func resource(after answer: Queue.Answer) throws(RepositoryError) -> Object? {
    switch answer {
    case .resource(let resource): resource
    // Neither cancellation nor the deadline is checked before: a waiter that leaves without the resource would have to wake the
    // next one.
    case .retry: try acquireIdle()
    case .refusal(let error): throw error
    }
  }

  private func enter(_ ticket: Queue.Ticket, _ call: @escaping Queue.Call) {
    let answer = state.withLock { state -> Queue.Answer? in
      waiting.add(1, ordering: .sequentiallyConsistent)
      if let answer = immediateAnswer(to: ticket, state) {
        endWait()
        return answer
      }
      state.queue.insert(ticket, call)
      return nil
    }
    if let answer { call(answer) }
  }

  /// Returns the answer to a waiter that has counted itself; `nil` if it has to enter the queue.
  private func immediateAnswer(to ticket: Queue.Ticket, _ state: State) -> Queue.Answer? {
    // A resource may have been released since the last attempt.
    if let resource = idle.pop() { return .resource(resource) }
    // The last attempt of others may have failed since, before this waiter was there to be refused.
    if state.registeredOrBeingMade == 0 { return .retry }
    // The alarm fires only once, perhaps while the ticket was not in the queue.
    return ticket.deadline.hasPassed ? .refusal(Self.busy(after: ticket, state)) : nil
  }

  /// Counts a waiter no longer.
  private func endWait() { waiting.subtract(1, ordering: .sequentiallyConsistent) }

  /// Refuses a waiter, unless it has left the queue.
  ///
  /// - Parameter error: the error; by default that of a deadline that has passed.
  private func refuse(_ ticket: Queue.Ticket, _ error: RepositoryError? = nil) {
    let (call, error) = state.withLock { state -> (Queue.Call?, RepositoryError) in
      let error = error ?? Self.busy(after: ticket, state)
      guard let call = state.queue.remove(ticket) else { return (nil, error) }
      endWait()
      return (call, error)
    }
    call?(.refusal(error))
  }

  /// Records that a resource could not be made.
  ///
  /// - Returns: whether there is no other, nor an attempt to make one, so that nothing would wake a waiter. All of them get the
  ///   error then, since their own attempts would take one another's time until they are over.
  private func giveUp(_ error: RepositoryError) -> Bool {
    let calls = state.withLock { state -> [Queue.Call]? in
      state.registeredOrBeingMade -= 1
      state.lastFailure = error
      // Each of the others ends in a release, or here.
      if state.registeredOrBeingMade > 0 { return nil }
      var calls: [Queue.Call] = []
      while let call = removeFirst(&state) { calls.append(call) }
      return calls
    }
    for call in calls ?? [] { call(.refusal(error)) }
    return calls != nil
  }

  private static var busy: RepositoryError {
    busy(
      "no connection became free in time",
      "shorten the transactions, or set a longer timeout")
  }

  private static func busy(_ reason: String, _ suggestion: String?) -> RepositoryError {
    RepositoryError(.busy, "other tasks of this program use the store", reason: reason, suggestion: suggestion)
  }

  /// Returns the error of a waiter whose deadline has passed. Where nothing was released meanwhile, the holder of the resources
  /// may itself wait for the waiter: a detached task inherits nothing by which the pool could recognise the task that started it.
  /// https://developer.apple.com/documentation/swift/task/detached(name:priority:operation:)
  private static func busy(after ticket: Queue.Ticket, _ state: State) -> RepositoryError {
    if let failure = state.lastFailure {
      return busy(
        "no connection became free in time, and opening another connection failed: \(failure.summary)",
        failure.suggestion)
    }
    if state.releases != ticket.releases { return busy }
    return busy(
      "a transaction or a read of another task lasted longer than the timeout",
      "if that transaction waits for this task, such as a `Task.detached`, give the task a repository that the "
        + "transaction opened; otherwise shorten the transaction, or set a longer timeout")
  }
}
