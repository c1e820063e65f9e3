import Query
import Repository
import Synchronization
import TestSupport
import Testing

@Suite("Observed results")
struct ChangesTests {
  @Test("what changes while a result is fetched is fetched once more")
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

  @Test("observers are told when others can see what was written", arguments: [false, true])
  func visibility(isTransaction: Bool) async throws {
    let store = MemoryStore()
    let creatures: AnyRepository<Creature> = try store.repository()
    let seen = Journal<[Creature]>()
    // Looks within the call that tells it.
    let observer = Task(executorPreference: InlineExecutor.shared) {
      for try await result in creatures.changes() { seen.note(result) }
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

  @Test("what is read of a store is read again when its tables have changed, and only then")
  func observedReads() async throws { try await checkObservedReads(of: MemoryStore()) }
}
