import Synchronization

/// Hands resources to one user at a time, such as the connections of a database, and lets those wait who find none.
///
/// A task that waits is suspended, a thread is blocked; both for a while. Whoever has waited longest is called first when
/// something is given back. Between his call and his coming, somebody who is running already may take it, or else everybody
/// would wait for a task to be scheduled; but once he has waited for long, it is kept for him.
///
/// It is not generic, as ``ResourcePool`` is: generic code of another module looks its types up while it runs, which took as
/// long as reading a row by its key.
package final class ObjectPool: Sendable {
  package typealias Object = any AnyObject & Sendable
  private typealias Queue = WaitingQueue
  private struct State {
    /// How many there are.
    var known = 0
    /// How many there are or are being made.
    var made = 0
    var queue = Queue()
  }

  private let idle: IdleObjects
  private let state = Mutex(State())
  /// How many wait or are about to.
  ///
  /// Who waits counts himself and then looks for an idle object once more; who brings one back puts it down and then looks
  /// whether anybody waits. One of both sees the other.
  private let waiting = Atomic(0)
  private let capacity: Int
  private let make: @Sendable () throws(RepositoryError) -> Object
  private let isHeldByThisThread: @Sendable (Object) -> Bool
  /// Whoever has waited for so long is served before others.
  private static var patience: Duration { .seconds(1) }

  /// Makes a pool.
  ///
  /// - Parameters:
  ///   - idle: resources that are there from the start.
  ///   - capacity: how many there may be.
  ///   - isHeldByThisThread: whether the thread that asks has a resource already and would wait for itself, because it calls its
  ///     user's code while it has it. It gets the same one again then.
  ///   - make: makes another one, when all are in use and there may be more.
  package init(
    _ idle: [Object], capacity: Int, isHeldByThisThread: @escaping @Sendable (Object) -> Bool = { _ in false },
    make: @escaping @Sendable () throws(RepositoryError) -> Object
  ) {
    self.idle = IdleObjects(capacity: max(capacity, idle.count))
    self.capacity = capacity
    self.isHeldByThisThread = isHeldByThisThread
    self.make = make
    for (number, object) in idle.enumerated() {
      self.idle.register(object, as: number)
      self.idle.release(object)
    }
    state.withLock { $0 = State(known: idle.count, made: idle.count) }
  }

  /// Makes a pool of one resource.
  package convenience init(
    only resource: Object, isHeldByThisThread: @escaping @Sendable (Object) -> Bool = { _ in false }
  ) {
    self.init([resource], capacity: 1, isHeldByThisThread: isHeldByThisThread) { () throws(RepositoryError) in
      throw Self.busy
    }
  }

  /// Takes a resource that nobody has.
  ///
  /// - Returns: `nil` where all are in use.
  package func acquireIdle() throws(RepositoryError) -> Object? {
    if let resource = idle.pop() { return resource }
    return try makeAnother()
  }

  /// Makes another resource, if there may be one.
  private func makeAnother() throws(RepositoryError) -> Object? {
    let (lent, mayMake) = state.withLock { state -> (Object?, Bool) in
      guard state.made < capacity else { return (idle.first(where: isHeldByThisThread, among: state.known), false) }
      state.made += 1
      return (nil, true)
    }
    guard mayMake else { return lent }
    do throws(RepositoryError) {
      let resource = try make()
      state.withLock { state in
        idle.register(resource, as: state.known)
        state.known += 1
      }
      return resource
    } catch {
      giveUp(error)
      throw error
    }
  }

  /// Takes a resource, suspended until there is one.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/busy`` where that takes too long,
  ///   ``RepositoryError/Code/cancelled`` where the task is cancelled, and where none could be made.
  package func acquire(within timeout: Duration) async throws(RepositoryError) -> Object {
    if Task.isCancelled { throw .cancelled }
    if let resource = try acquireIdle() { return resource }
    return try await acquire(until: Deadline(in: timeout))
  }

  /// The same until a point in time.
  package func acquire(until deadline: Deadline) async throws(RepositoryError) -> Object {
    if Task.isCancelled { throw .cancelled }
    if let resource = try acquireIdle() { return resource }
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

  /// Takes a resource, with the thread blocked until there is one.
  ///
  /// - Parameter timeout: how long at most; `nil` for as long as it takes.
  /// - Throws: as ``acquire(within:)`` does, but for cancellation.
  package func acquireBlocking(within timeout: Duration?) throws(RepositoryError) -> Object {
    try acquireBlocking(until: timeout.map(Deadline.init(in:)) ?? .never)
  }

  /// The same until a point in time.
  package func acquireBlocking(until deadline: Deadline) throws(RepositoryError) -> Object {
    if let resource = try acquireIdle() { return resource }
    if deadline.hasPassed { throw Self.busy }
    let ticket = Queue.Ticket(until: deadline)
    while true {
      let channel = OneShotChannel<Queue.Answer>()
      enter(ticket) { channel.send($0) }
      var answer = channel.receive(until: deadline)
      if answer == nil {
        refuse(ticket, Self.busy)
        // Refused a moment ago, unless a resource came at the same time.
        answer = channel.receive(until: .never)
      }
      if let resource = try resource(after: answer ?? .refusal(Self.busy)) { return resource }
    }
  }

  /// Gives a resource back.
  package func release(_ resource: Object) {
    // Whoever lent it gives it back.
    if isHeldByThisThread(resource) { return }
    idle.release(resource)
    if waiting.load(ordering: .sequentiallyConsistent) > 0 { wakeFirst() }
  }

  /// Calls the first who waits, if anybody does.
  private func wakeFirst() {
    let (call, answer) = state.withLock { state -> (Queue.Call?, Queue.Answer) in
      guard state.queue.longestWait >= Self.patience else { return (removeFirst(&state), .retry) }
      // Somebody who was running may have been faster; whoever brings it back calls again.
      guard let resource = idle.pop() else { return (nil, .retry) }
      return (removeFirst(&state), .resource(resource))
    }
    call?(answer)
  }

  private func removeFirst(_ state: inout State) -> Queue.Call? {
    guard let call = state.queue.removeFirst() else { return nil }
    waiting.subtract(1, ordering: .sequentiallyConsistent)
    return call
  }

  /// What somebody gets who was called; `nil` where somebody else was faster, so that he has to wait again.
  private func resource(after answer: Queue.Answer) throws(RepositoryError) -> Object? {
    switch answer {
    case .resource(let resource): resource
    // Before anything else: whoever was called and leaves without it would have to call the next one.
    case .retry: try acquireIdle()
    case .refusal(let error): throw error
    }
  }

  private func enter(_ ticket: Queue.Ticket, _ call: @escaping Queue.Call) {
    let answer = state.withLock { state -> Queue.Answer? in
      waiting.add(1, ordering: .sequentiallyConsistent)
      // Something may have been given back since the last look.
      if let resource = idle.pop() {
        waiting.subtract(1, ordering: .sequentiallyConsistent)
        return .resource(resource)
      }
      // The alarm rings once.
      if ticket.deadline.hasPassed {
        waiting.subtract(1, ordering: .sequentiallyConsistent)
        return .refusal(Self.busy)
      }
      state.queue.insert(ticket, call)
      return nil
    }
    if let answer { call(answer) }
  }

  private func refuse(_ ticket: Queue.Ticket, _ error: RepositoryError) {
    let call = state.withLock { state -> Queue.Call? in
      guard let call = state.queue.remove(ticket) else { return nil }
      waiting.subtract(1, ordering: .sequentiallyConsistent)
      return call
    }
    call?(.refusal(error))
  }

  /// Notes that a resource could not be made. The first who waits is told too: nothing may come back that would call him.
  private func giveUp(_ error: RepositoryError) {
    let call = state.withLock { state -> Queue.Call? in
      state.made -= 1
      return removeFirst(&state)
    }
    call?(.refusal(error))
  }

  private static var busy: RepositoryError {
    RepositoryError(
      .busy, "the store is in use by other tasks of this program",
      reason: "none of its connections became free in time",
      suggestion: "shorten what is done within a transaction, or allow for a longer timeout")
  }
}

/// Hands resources of one type to one user at a time: see ``ObjectPool``, which does so.
package struct ResourcePool<Resource: AnyObject & Sendable>: Sendable {
  @usableFromInline package let pool: ObjectPool

  /// See ``ObjectPool/init(_:capacity:isHeldByThisThread:make:)``.
  package init(
    _ idle: [Resource], capacity: Int, isHeldByThisThread: @escaping @Sendable (Resource) -> Bool = { _ in false },
    make: @escaping @Sendable () throws(RepositoryError) -> Resource
  ) {
    pool = ObjectPool(
      idle, capacity: capacity, isHeldByThisThread: { isHeldByThisThread(unsafeDowncast($0, to: Resource.self)) },
      make: { () throws(RepositoryError) in try make() })
  }

  /// Makes a pool of one resource.
  package init(only resource: Resource, isHeldByThisThread: @escaping @Sendable (Resource) -> Bool = { _ in false }) {
    pool = ObjectPool(only: resource) { isHeldByThisThread(unsafeDowncast($0, to: Resource.self)) }
  }

  /// See ``ObjectPool/acquireIdle()``.
  @inlinable
  package func acquireIdle() throws(RepositoryError) -> Resource? { try pool.acquireIdle().map(Self.typed) }

  /// See ``ObjectPool/acquire(within:)``.
  @inlinable
  package func acquire(within timeout: Duration) async throws(RepositoryError) -> Resource {
    Self.typed(try await pool.acquire(within: timeout))
  }

  /// See ``ObjectPool/acquire(until:)``.
  @inlinable
  package func acquire(until deadline: Deadline) async throws(RepositoryError) -> Resource {
    Self.typed(try await pool.acquire(until: deadline))
  }

  /// See ``ObjectPool/acquireUncancellably()``.
  @inlinable
  package func acquireUncancellably() async -> Resource? { await pool.acquireUncancellably().map(Self.typed) }

  /// See ``ObjectPool/acquireBlocking(within:)``.
  @inlinable
  package func acquireBlocking(within timeout: Duration?) throws(RepositoryError) -> Resource {
    Self.typed(try pool.acquireBlocking(within: timeout))
  }

  /// See ``ObjectPool/acquireBlocking(until:)``.
  @inlinable
  package func acquireBlocking(until deadline: Deadline) throws(RepositoryError) -> Resource {
    Self.typed(try pool.acquireBlocking(until: deadline))
  }

  /// See ``ObjectPool/release(_:)``.
  @inlinable
  package func release(_ resource: Resource) { pool.release(resource) }

  /// A resource by its type: the pool holds no others.
  @usableFromInline
  static func typed(_ object: ObjectPool.Object) -> Resource { unsafeDowncast(object, to: Resource.self) }
}
