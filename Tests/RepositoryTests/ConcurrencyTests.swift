import Repository
import Synchronization
import TestSupport
import Testing

@Suite("A pool of objects")
struct ObjectPoolTests {
  private final class Thing: Sendable {
    let isHad = Atomic(false)
  }

  private final class Tally: Sendable {
    let shared = Atomic(0)
    let taken = Atomic(0)
  }

  @Test("gives each to one at a time, and to everybody in the end", arguments: [1, 2, 5])
  func crowd(capacity: Int) async throws {
    let pool = ResourcePool<Thing>([], capacity: capacity) { () throws(RepositoryError) in Thing() }
    let tally = Tally()
    try await withThrowingTaskGroup { group in
      for number in 0..<8 {
        group.addTask {
          for turn in 0..<500 {
            let thing = try await pool.acquire(until: Deadline(in: .seconds(600)))
            if thing.isHad.exchange(true, ordering: .relaxed) { tally.shared.add(1, ordering: .relaxed) }
            if (number + turn).isMultiple(of: 16) { await Task.yield() }
            thing.isHad.store(false, ordering: .relaxed)
            tally.taken.add(1, ordering: .relaxed)
            pool.release(thing)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(tally.shared.load(ordering: .relaxed) == 0)
    #expect(tally.taken.load(ordering: .relaxed) == 4_000)
    // All are idle again, each once.
    var idle: [Thing] = []
    while idle.count < capacity, let thing = try pool.acquireIdle() { idle.append(thing) }
    #expect(Set(idle.map(ObjectIdentifier.init)).count == idle.count)
    #expect(try idle.count < capacity || pool.acquireIdle() == nil)
  }

  @Test("is not left by what is handed to a thread at its deadline")
  func handedAtDeadline() async throws {
    for _ in 0..<20 {
      let isArmed = Atomic(false)
      let isHeld = Atomic(false)
      // One that looks for a thing of its own thread holds up both the release and the end of the wait.
      let pool = ObjectPool(
        only: Thing(), fairnessDelay: .nanoseconds(1),
        isHeldByThisThread: { _ in
          guard isArmed.exchange(false, ordering: .sequentiallyConsistent) else { return false }
          isHeld.store(true, ordering: .sequentiallyConsistent)
          for _ in 0..<20 { OwnThread.pause() }
          return false
        })
      let thing = try #require(try pool.acquireIdle())
      let hasLeft = Atomic(false)
      async let waiting = OwnThread.run {
        defer { hasLeft.store(true, ordering: .sequentiallyConsistent) }
        return try? pool.acquireBlocking(until: Deadline(in: .milliseconds(10)))
      }
      while pool.waiterCount == 0, !hasLeft.load(ordering: .sequentiallyConsistent) { await Task.yield() }
      isArmed.store(true, ordering: .sequentiallyConsistent)
      async let looking = OwnThread.run { try? pool.acquireIdle() }
      while !isHeld.load(ordering: .sequentiallyConsistent), pool.waiterCount > 0 { await Task.yield() }
      pool.release(thing)
      let (handed, found) = (try await waiting, try await looking)
      #expect(handed != nil || found != nil || pool.popIdle() != nil)
    }
  }

  @Test("is given to a waiter, also where it is released just before that one waits")
  func releasedBeforeWait() async throws {
    let atLook = Mutex<(@Sendable () -> Void)?>(nil)
    // The pool asks this of a resource that is in use, just before a task waits for it.
    let pool = ResourcePool(only: Thing()) { _ in
      atLook.withLock { $0.take() }?()
      return false
    }
    let thing = try await pool.acquire(until: Deadline(in: .zero))
    atLook.withLock { $0 = { pool.release(thing) } }
    #expect(try await pool.acquire(until: Deadline(in: .seconds(30))) === thing)
    atLook.withLock { $0 = { pool.release(thing) } }
    #expect(try pool.acquireBlocking(until: Deadline(in: .seconds(30))) === thing)
  }

  @Test("is not waited for by a task that is cancelled just before it waits")
  func cancelledBeforeWait() async throws {
    let pool = ResourcePool(only: Thing()) { _ in
      withUnsafeCurrentTask { $0?.cancel() }
      return false
    }
    let thing = try #require(try pool.acquireIdle())
    let waiter = Task {
      do throws(RepositoryError) {
        pool.release(try await pool.acquire(until: Deadline(in: .seconds(30))))
        return nil as RepositoryError.Code?
      } catch {
        return error.code
      }
    }
    #expect(await waiter.value == .cancelled)
    #expect(pool.pool.waiterCount == 0)
    withExtendedLifetime(thing) {}
  }

  @Test("is not waited for by a thread that has one lent already, also where no other can be made", arguments: [1, 2])
  func lent(capacity: Int) throws {
    let pool = ResourcePool<Thing>(
      [Thing()], capacity: capacity, isHeldByThisThread: { $0.isHad.load(ordering: .relaxed) },
      make: { () throws(RepositoryError) in throw RepositoryError(.cannotOpen, "too many open files") })
    let thing = try pool.acquireBlocking(until: Deadline(in: .seconds(1)))
    thing.isHad.store(true, ordering: .relaxed)
    let again = try pool.acquireBlocking(until: Deadline(in: .zero))
    #expect(again === thing)
    // It is the outer one's to give back.
    pool.release(again)
    thing.isHad.store(false, ordering: .relaxed)
    #expect(throws: RepositoryError.self) { try pool.acquireBlocking(until: Deadline(in: .zero)) }
    pool.release(thing)
    #expect(try pool.acquireIdle() === thing)
  }

  @Test("is handed to a waiter, and to no running task, once that one has waited for long")
  func fairness() async throws {
    let pool = ObjectPool(only: Thing(), fairnessDelay: .zero)
    let thing = try #require(try pool.acquireIdle())
    async let waiter = pool.acquire(until: Deadline(in: .seconds(600)))
    while pool.waiterCount == 0 { await Task.yield() }
    pool.release(thing)
    let taken = try pool.acquireIdle()
    #expect(taken == nil)
    if let taken { pool.release(taken) }
    pool.release(try await waiter)
    #expect(try pool.acquireIdle() === thing)
  }

  @Test("tells a waiter for whom nothing was released that it may be waited for itself", arguments: [true, false])
  func heldForAllTheTime(isReleased: Bool) async throws {
    let pool = ResourcePool<Thing>(only: Thing())
    let thing = try await pool.acquire(until: Deadline(in: .zero))
    async let refusal = Self.errorOfTask(pool, within: .milliseconds(60))
    // Once the waiter is in the queue, a release wakes it; here the resource is taken again before it can look.
    try await Task.sleep(for: .milliseconds(20))
    if isReleased {
      pool.release(thing)
      while try pool.acquireIdle() == nil { await Task.yield() }
    }
    let error = await refusal
    #expect(error == nil || error?.code == .busy)
    if !isReleased { #expect(error?.suggestion?.contains("`Task.detached`") == true, "\(String(describing: error))") }
  }

  /// Threads that make an object, all of which fail once so many others wait.
  @Test("tells everybody who waits why none can be made", arguments: [1, 3])
  func failedMaking(capacity: Int) async throws {
    let (begun, mayFail) = (Shared(0), Shared(0))
    let pool = ResourcePool<Thing>([], capacity: capacity) { () throws(RepositoryError) in
      begun.value.add(1, ordering: .sequentiallyConsistent)
      while mayFail.value.load(ordering: .sequentiallyConsistent) == 0 { OwnThread.pause() }
      throw RepositoryError(.cannotOpen, "too many open files")
    }
    let codes = try await withThrowingTaskGroup(of: RepositoryError.Code?.self) { group in
      for _ in 0..<capacity { group.addTask { try await Self.errorOfThread(pool)?.code } }
      while begun.value.load(ordering: .sequentiallyConsistent) < capacity { await Task.yield() }
      for _ in 0..<capacity {
        group.addTask { try await Self.errorOfThread(pool)?.code }
        group.addTask { await Self.errorOfTask(pool)?.code }
        group.addTask { await pool.acquireUncancellably() == nil ? .cannotOpen : nil }
      }
      while pool.pool.waiterCount < 3 * capacity { await Task.yield() }
      mayFail.value.store(1, ordering: .sequentiallyConsistent)
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes == Array(repeating: .cannotOpen, count: 4 * capacity))
    #expect(pool.pool.waiterCount == 0)
  }

  @Test("refuses none while another attempt to make one is under way")
  func attemptUnderWay() async throws {
    let (begun, step) = (Shared(0), Shared(0))
    let thing = Thing()
    let pool = ResourcePool<Thing>([], capacity: 2) { () throws(RepositoryError) in
      // The second attempt fails, and then the first one succeeds.
      let isFirst = begun.value.add(1, ordering: .sequentiallyConsistent).oldValue == 0
      while step.value.load(ordering: .sequentiallyConsistent) < (isFirst ? 2 : 1) { OwnThread.pause() }
      if isFirst { return thing }
      throw RepositoryError(.cannotOpen, "too many open files")
    }
    async let first = OwnThread.run { try pool.acquireBlocking(until: Deadline(in: .seconds(60))) }
    while begun.value.load(ordering: .sequentiallyConsistent) < 1 { await Task.yield() }
    async let failed = Self.errorOfThread(pool)
    while begun.value.load(ordering: .sequentiallyConsistent) < 2 { await Task.yield() }
    async let waiter = Self.errorOfTask(pool)
    while pool.pool.waiterCount < 1 { await Task.yield() }
    step.value.store(1, ordering: .sequentiallyConsistent)
    while pool.pool.waiterCount < 2 { await Task.yield() }
    step.value.store(2, ordering: .sequentiallyConsistent)
    pool.release(try await first)
    #expect(try await failed == nil)
    #expect(await waiter == nil)
  }

  @Test(
    "waits for one in use where no other can be made, and tells why at the end of its time", arguments: [true, false])
  func noOther(isReleased: Bool) async throws {
    let pool = ResourcePool<Thing>([Thing()], capacity: 3) { () throws(RepositoryError) in
      throw RepositoryError(.cannotOpen, "too many sessions", suggestion: "ask for fewer")
    }
    let held = try #require(try pool.acquireIdle())
    let time = Duration.seconds(isReleased ? 600 : 0)
    async let task = Self.errorOfTask(pool, within: time)
    async let thread = Self.errorOfThread(pool, within: time)
    if isReleased {
      while pool.pool.waiterCount < 2 { await Task.yield() }
      pool.release(held)
    }
    for error in [await task, try await thread] {
      #expect((error == nil) == isReleased)
      #expect(isReleased || error?.code == .busy && error?.reason?.contains("too many sessions") == true)
      #expect(isReleased || error?.suggestion == "ask for fewer")
    }
    withExtendedLifetime(held) {}
  }

  /// The last attempt of others fails between a waiter's last look and its wait: nothing would wake it.
  @Test("is made by a waiter, also where the only attempt fails just before that one waits")
  func failureBeforeWait() async throws {
    let (begun, moment) = (Shared(0), BeforeWait())
    let thing = Thing()
    let pool = ResourcePool<Thing>([], capacity: 1) { () throws(RepositoryError) in
      if begun.value.add(1, ordering: .sequentiallyConsistent).oldValue > 0 { return thing }
      while !moment.hasCome { OwnThread.pause() }
      throw RepositoryError(.cannotOpen, "too many open files")
    }
    async let failure = OwnThread.run {
      defer { moment.end() }
      do throws(RepositoryError) {
        _ = try pool.acquireBlocking(until: Deadline(in: .zero))
        return nil as RepositoryError.Code?
      } catch {
        return error.code
      }
    }
    while begun.value.load(ordering: .sequentiallyConsistent) == 0 { await Task.yield() }
    #expect(try await pool.acquire(until: Deadline(by: moment)) === thing)
    #expect(try await failure == .cannotOpen)
  }

  /// The moment just before a task waits, which asks its deadline for an executor then.
  private final class BeforeWait: DeadlineSignal {
    private let come = Atomic(false)
    private let gone = Atomic(false)
    var hasCome: Bool { come.load(ordering: .sequentiallyConsistent) }
    var hasPassed: Bool { false }
    var executor: any TaskExecutor {
      come.store(true, ordering: .sequentiallyConsistent)
      while !gone.load(ordering: .sequentiallyConsistent) { OwnThread.pause() }
      return globalConcurrentExecutor
    }
    func end() { gone.store(true, ordering: .sequentiallyConsistent) }
    func wait() async -> Bool {
      while !Task.isCancelled { await Task.yield() }
      return false
    }
  }

  @Test(
    "is handed to the first waiter, and to no running task, where any waiter has a higher priority than the task that releases it",
    arguments: [
      (TaskPriority.background, TaskPriority.medium), (.background, .high), (.low, .medium), (.medium, .high),
    ])
  func priority(ofHolder holder: TaskPriority, ofWaiter waiter: TaskPriority) async throws {
    let pool = ResourcePool<Thing>(only: Thing())
    let thing = try await pool.acquire(until: Deadline(in: .zero))
    let served = Journal<TaskPriority>()
    let hasLooked = Shared(0)
    var tasks: [Task<Void, any Error>] = []
    for priority in [TaskPriority.background, waiter] {
      tasks.append(
        Task.detached(priority: priority) {
          let thing = try await pool.acquire(until: Deadline(in: .seconds(600)))
          served.note(priority)
          while hasLooked.value.load(ordering: .sequentiallyConsistent) == 0 { await Task.yield() }
          pool.release(thing)
        })
      while pool.pool.waiterCount < tasks.count { await Task.yield() }
    }
    await withCheckedContinuation { continuation in
      Task.detached(priority: holder) {
        pool.release(thing)
        let again = pool.popIdle()
        #expect(again == nil)
        if let again { pool.release(again) }
        hasLooked.value.store(1, ordering: .sequentiallyConsistent)
        continuation.resume()
      }
    }
    for task in tasks { try await task.value }
    #expect(served.entries == [.background, waiter])
  }

  private final class Shared: Sendable {
    let value: Atomic<Int>
    init(_ value: Int) { self.value = Atomic(value) }
  }

  /// The error of a thread that takes an object and releases it; `nil` if it got one.
  private static func errorOfThread(
    _ pool: ResourcePool<Thing>, within timeout: Duration = .seconds(60)
  ) async throws -> RepositoryError? {
    try await OwnThread.run {
      do throws(RepositoryError) {
        pool.release(try pool.acquireBlocking(until: Deadline(in: timeout)))
        return nil
      } catch {
        return error
      }
    }
  }

  /// The error of a task that takes an object and releases it; `nil` if it got one.
  private static func errorOfTask(
    _ pool: ResourcePool<Thing>, within timeout: Duration = .seconds(60)
  ) async -> RepositoryError? {
    do throws(RepositoryError) {
      pool.release(try await pool.acquire(until: Deadline(in: timeout)))
      return nil
    } catch {
      return error
    }
  }
}

@Suite("How long is waited between two tries")
struct BackoffTests {
  private func waits(_ backoff: Backoff, tries: Int = 6) async throws -> [Duration] {
    let clock = TestClock()
    let base = try FlakyRepository(failing: Array(repeating: .busy, count: tries))
    _ = try await base.retrying(tries, backoff: backoff, clock: clock).find(1)
    return clock.waits
  }

  @Test(
    "without chance",
    arguments: [
      (.none, []), (.constant(.milliseconds(7)), [7, 7, 7, 7, 7, 7]),
      (.exponential(from: .milliseconds(10), jitter: 0), [10, 20, 40, 80, 160, 320]),
      (
        .exponential(from: .milliseconds(10), factor: 3, atMost: .milliseconds(100), jitter: 0),
        [10, 30, 90, 100, 100, 100]
      ),
      (.exponential(from: .milliseconds(10), factor: 0.5, jitter: 0), [10, 10, 10, 10, 10, 10]),
      (.exponential(from: .milliseconds(10), factor: .nan, jitter: .nan), [10, 10, 10, 10, 10, 10]),
      (.exponential(from: .seconds(9), atMost: .milliseconds(1), jitter: -1), [1, 1, 1, 1, 1, 1]),
      (.exponential(from: .seconds(-9), jitter: 0), []), (.exponential(from: .zero, factor: .infinity), []),
      (Backoff { .milliseconds($0) }, [1, 2, 3, 4, 5, 6]),
    ] as [(Backoff, [Int])])
  func fixed(backoff: Backoff, milliseconds: [Int]) async throws {
    let waits = try await waits(backoff).map { Int(($0 / .milliseconds(1)).rounded()) }
    #expect(waits == milliseconds)
  }

  @Test("with chance, each is between its bounds, and they differ")
  func jitter() async throws {
    let waits = try await waits(.constant(.seconds(100), jitter: 0.25), tries: 50)
    #expect(waits.count == 50 && waits.allSatisfy { .seconds(75)...(.seconds(100)) ~= $0 })
    #expect(Set(waits).count > 40)
    let full = try await self.waits(.constant(.seconds(100), jitter: 7), tries: 50)
    #expect(full.allSatisfy { .zero...(.seconds(100)) ~= $0 } && full.contains { $0 < .seconds(75) })
  }

  @Test("none is longer than a year", arguments: [Duration.seconds(Int64.max), .seconds(400 * 24 * 3_600)])
  func limit(duration: Duration) async throws {
    let year = Duration.seconds(365 * 24 * 3_600)
    #expect(try await waits(.constant(duration), tries: 1) == [year])
    let growing = Backoff.exponential(from: duration, factor: .infinity, atMost: duration, jitter: 0)
    #expect(try await waits(growing, tries: 3).last == year)
  }
}
