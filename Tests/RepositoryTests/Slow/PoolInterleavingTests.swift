import Repository
import Synchronization
import TestSupport
import Testing

@Suite("A pool of objects, in every order of a few delays")
struct PoolInterleavingTests {
  private final class Thing: Sendable {}

  /// Tasks that take the only object, one of which is cancelled at some step.
  private func waiters(of pool: ObjectPool, on steps: StepExecutor) -> Interleavings.Program {
    let (arrived, served) = (Journal<Int>(), Journal<Int>())
    @Sendable func take(_ number: Int) async throws {
      for turn in [number, number + 10] {
        // Nothing comes between this and the place in the queue.
        arrived.note(turn)
        let thing = try await pool.acquire(until: Deadline(in: .seconds(600)))
        served.note(turn)
        await Task.yield()
        pool.release(thing)
      }
    }
    let cancelled: Interleavings.Program.Body = {
      let task = Task(executorPreference: steps) { try await take(3) }
      await Task.yield()
      task.cancel()
      if case .failure(let error) = await task.result, (error as? RepositoryError)?.code != .cancelled { throw error }
    }
    return Interleavings.Program(tasks: [{ try await take(1) }, cancelled, { try await take(2) }]) {
      let order = arrived.entries.filter(Set(served.entries).contains)
      if served.entries != order { return "\(served.entries) in place of \(order)" }
      return try pool.acquireIdle() == nil ? "the object is lost" : nil
    }
  }

  @Test("serves those that have waited for long in the order in which they came")
  func order() async throws {
    let outcome = try await Interleavings.explore(delays: Effort.isFull ? 6 : 4, limit: 100_000) { steps in
      waiters(of: ObjectPool(only: Thing(), fairnessDelay: .zero), on: steps)
    }
    #expect(outcome.fault == nil)
    #expect(outcome.isReplay || outcome.orders >= 30)
    #expect(!outcome.isCutShort)
  }
}
