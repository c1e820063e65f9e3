import Repository
import Synchronization
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
            let thing = try await pool.take(within: .seconds(60))
            if thing.isHad.exchange(true, ordering: .relaxed) { tally.shared.add(1, ordering: .relaxed) }
            if (number + turn).isMultiple(of: 16) { await Task.yield() }
            thing.isHad.store(false, ordering: .relaxed)
            tally.taken.add(1, ordering: .relaxed)
            pool.giveBack(thing)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(tally.shared.load(ordering: .relaxed) == 0)
    #expect(tally.taken.load(ordering: .relaxed) == 4_000)
    // All are idle again, each once.
    var idle: [Thing] = []
    while idle.count < capacity, let thing = try pool.takeIdle() { idle.append(thing) }
    #expect(Set(idle.map(ObjectIdentifier.init)).count == idle.count)
    #expect(try idle.count < capacity || pool.takeIdle() == nil)
  }

  @Test("is not waited for by a thread that has one lent already")
  func lent() throws {
    let pool = ResourcePool<Thing>(only: Thing()) { $0.isHad.load(ordering: .relaxed) }
    let thing = try pool.takeBlocking(within: .seconds(1))
    thing.isHad.store(true, ordering: .relaxed)
    let again = try pool.takeBlocking(within: .zero)
    #expect(again === thing)
    // It is the outer one's to give back.
    pool.giveBack(again)
    thing.isHad.store(false, ordering: .relaxed)
    #expect(throws: RepositoryError.self) { try pool.takeBlocking(within: .zero) }
    pool.giveBack(thing)
    #expect(try pool.takeIdle() === thing)
  }
}
