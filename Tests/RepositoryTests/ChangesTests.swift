import Dispatch
import Query
import Repository
import Synchronization
import TestSupport
import Testing

@Suite("Observed results")
struct ChangesTests {
  @Test("a change during a fetch causes another fetch")
  func changeDuringFetch() async throws {
    let signal = ChangeSignal()
    let fetches = Atomic(0)
    let changes = Changes<Record>(signal) { () throws(RepositoryError) in
      let number = fetches.add(1, ordering: .relaxed).oldValue
      if number == 0 { signal.notify() }
      return (([], [[.integer(Int64(number))]]), .all)
    }
    let seen = Journal<Int>()
    let observer = Task(executorPreference: InlineExecutor.shared) {
      for try await _ in changes { seen.note(fetches.load(ordering: .relaxed)) }
    }
    #expect(seen.entries == [1, 2])
    observer.cancel()
    try await observer.value
  }

  @Test("observers are notified when other readers can see the write", arguments: [false, true])
  func visibility(isTransaction: Bool) async throws {
    let store = MemoryStore()
    let creatures = try store.repository(of: Creature.self)
    let seen = Journal<[Creature]>()
    // Looks within the call that tells it.
    let observer = Task(executorPreference: InlineExecutor.shared) {
      for try await result in creatures.selection().changes() { seen.note(result) }
    }
    if isTransaction {
      try await store.transaction { _ in try await creatures.save([Creature.samples[0]]) }
    } else {
      try await creatures.save([Creature.samples[0]])
    }
    #expect(seen.entries == [[], [Creature.samples[0]]])
    observer.cancel()
    try await observer.value
  }

  @Test("a read of a store is not repeated after an error")
  func failure() async throws {
    let reads = Atomic(0)
    var values = MemoryStore().changes { _ in
      let count = reads.add(1, ordering: .relaxed).newValue
      if count == 1 { throw RepositoryError(.storeFailure, "the first read fails") }
      return count
    }.makeAsyncIterator()
    await #expect(throws: RepositoryError.self) { try await values.next() }
    #expect(try await values.next() == nil)
    #expect(reads.load(ordering: .relaxed) == 1)
  }

  /// What other programs commit is polled; the first poll may open a connection to a server, and begins to listen.
  @Test("no observer fetches before the first poll is over, and no caller waits for it")
  func firstPoll() async throws {
    let seen = Journal<String>()
    let mayEnd = DispatchSemaphore(value: 0)
    let observers = Mutex<[Task<Void, any Error>]>([])
    let signal = Mutex<ChangeSignal?>(nil)
    let observe: @Sendable () -> Void = {
      guard let signal = signal.withLock(\.self) else { return }
      let changes = Changes<Record>(signal) { () throws(RepositoryError) in
        seen.note("fetch")
        return (([], []), .all)
      }
      // Runs within the call until it waits.
      let task = Task(executorPreference: InlineExecutor.shared) { for try await _ in changes {} }
      observers.withLock { $0.append(task) }
    }
    let polls = Atomic(0)
    signal.withLock { signal in
      signal = ChangeSignal(every: .seconds(600)) {
        if polls.add(1, ordering: .relaxed).oldValue > 0 { return false }
        // A second observer, while the first poll runs.
        observe()
        seen.note(mayEnd.wait(timeout: .now() + 30) == .success ? "poll" : "the caller waited")
        return false
      }
    }
    observe()
    mayEnd.signal()
    while seen.entries.count < 3 { await Task.yield() }
    #expect(seen.entries == ["poll", "fetch", "fetch"])
    for observer in observers.withLock(\.self) { observer.cancel() }
    for observer in observers.withLock(\.self) { try await observer.value }
    signal.withLock { $0 = nil }
  }

  @Test("an observer that is cancelled does not wait for the first poll")
  func cancelledBeforeFirstPoll() async throws {
    let mayEnd = DispatchSemaphore(value: 0)
    let signal = ChangeSignal(every: .seconds(600)) { mayEnd.wait(timeout: .now() + 30) == .timedOut }
    let changes = Changes<Record>(signal) { () throws(RepositoryError) in
      Issue.record("a fetch before the first poll")
      return (([], []), .all)
    }
    let observer = Task { for try await _ in changes {} }
    observer.cancel()
    try await observer.value
    mayEnd.signal()
  }

  @Test("a read of a store is repeated when its tables have changed, and only then")
  func observedReads() async throws { try await checkObservedReads(of: MemoryStore()) }
}
