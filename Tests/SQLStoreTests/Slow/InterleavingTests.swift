import Repository
import SQLStore
import TestSupport
import Testing

@Suite("The pool, in every order of a few delays", .tags(.slow))
struct InterleavingTests {
  /// Runs a program in each order, and looks at the connections after it.
  ///
  /// - Parameter fewer: by how much there are fewer delays, for the sake of time.
  private func expectNoFault(
    in kind: FakeKind, withFewer fewer: Int = 0, timeout: Duration = .seconds(600), atLeast fewest: Int = 20,
    _ make: @escaping @Sendable (FakeRun) async throws -> Interleavings.Program
  ) async throws {
    // A server's tasks take more steps, and the same faults take fewer delays.
    let delays = (kind == .server ? 2 : 3) + (Effort.isFull ? 1 : 0) - fewer
    let outcome = try await Interleavings.explore(delays: delays, limit: 100_000) { steps in
      let run = try FakeRun(kind, timeout: timeout, on: steps)
      return try await make(run).checking { try kind.poolFault(of: run.store) }
    }
    #expect(outcome.fault == nil)
    #expect(outcome.isReplay || outcome.orders >= fewest)
    #expect(!outcome.isCutShort, "there are more than \(outcome.orders) orders")
  }

  @Test("a store keeps its promises", arguments: FakeKind.allCases, BankProgram.allCases)
  func promises(kind: FakeKind, program: BankProgram) async throws {
    // Of the server's programs these have four times as many orders as the next one.
    let fewer = kind == .server && [.observation, .snapshots].contains(program) ? 1 : 0
    try await expectNoFault(
      in: kind, withFewer: fewer, timeout: program.timeout, atLeast: program.fewestOrders
    ) { run in
      try await program.make(over: run.store, on: run.steps)
    }
  }

  @Test("a task that is stopped while it waits stops waiting", arguments: FakeKind.allCases, PoolProgram.Stop.allCases)
  func stoppedWaiter(kind: FakeKind, stop: PoolProgram.Stop) async throws {
    try await expectNoFault(in: kind) { run in try await PoolProgram.stoppedWaiter(in: run, by: stop) }
  }

  @Test("what fails once harms nothing else", arguments: PoolProgram.Failure.allCases, FakeKind.allCases)
  func failures(failure: PoolProgram.Failure, kind: FakeKind) async throws {
    try await expectNoFault(in: kind, withFewer: 1) { run in try await PoolProgram.withFailure(failure, in: run) }
  }

  @Test("an observer that is cancelled ends", arguments: FakeKind.allCases)
  func cancelledObserver(kind: FakeKind) async throws {
    try await expectNoFault(in: kind) { run in try await PoolProgram.cancelledObserver(in: run) }
  }
}
