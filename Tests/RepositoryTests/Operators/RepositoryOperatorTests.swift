import ErrorHandling
import Repository
import Synchronization
import TestSupport
import Testing

@Suite("Operators on repositories")
struct RepositoryOperatorTests {
  /// One call of each requirement, in the order of the protocol.
  private func callAll(_ repository: some Repository<Creature>) async throws {
    _ = try await repository.find(1)
    _ = try await repository.findAll(FetchRequest())
    _ = try await repository.count(.true)
    _ = try await repository.aggregate(AggregateRequest([.count]))
    _ = try await repository.findRows(ProjectionRequest([.key("name")]))
    var changes = repository.changes(FetchRequest()).makeAsyncIterator()
    _ = try await changes.next()
    try await repository.save([Creature.samples[1]])
    _ = try await repository.delete([2])
    _ = try await repository.insert([Creature.samples[2]])
    _ = try await repository.update(where: .true, set: [Assignment("attack", 5)])
    _ = try await repository.delete(where: .equal(key: "id", value: 3))
    _ = try await repository.write(.save, from: ElementSource([Creature.samples[3]]), progress: nil)
  }

  @Test("every requirement is passed on as it is, those with defaults too, through five operators")
  func forwards() async throws {
    let base = try FlakyRepository([Creature.samples[0]])
    let five = base.retrying().catching { _ in nil }.mappingErrors { $0 }.reporting().logging { _ in }
    try await callAll(five)
    #expect(base.calls == RepositoryOperation.allCases)
  }

  @Test("every requirement is done again, and done elsewhere")
  func recovers() async throws {
    let errors = RepositoryOperation.allCases.map { _ in RepositoryError.busy }
    let (broken, backup) = (try FlakyRepository(failing: errors), try FlakyRepository([Creature.samples[0]]))
    try await callAll(broken.catching { _ in backup })
    #expect(broken.calls == RepositoryOperation.allCases && backup.calls == RepositoryOperation.allCases)

    let flaky = try FlakyRepository([Creature.samples[0]], failing: errors.flatMap { [$0, nil] })
    try await callAll(flaky.retrying(1, backoff: .none))
    #expect(flaky.calls == RepositoryOperation.allCases.flatMap { [$0, $0] })
  }

  @Test(
    "what is transient is tried again as often as told, and the last error passes",
    arguments: [
      ([.busy], 3, 2, nil), ([.busy, .timeout, .busy], 3, 4, nil), ([.busy, .busy, .timeout], 2, 3, .timeout),
      ([.busy], 0, 1, .busy), ([.busy], -1, 1, .busy), ([.corrupt], 3, 1, .corrupt),
      ([.busy, .corrupt, .busy], 3, 2, .corrupt),
    ] as [([RepositoryError.Code], Int, Int, RepositoryError.Code?)])
  func retries(codes: [RepositoryError.Code], times: Int, tries: Int, code: RepositoryError.Code?) async throws {
    let base = try FlakyRepository([Creature.samples[0]], failing: codes.map { RepositoryError($0, "it failed") })
    let clock = TestClock()
    let repository = base.retrying(times, backoff: .constant(.seconds(1)), clock: clock)
    if let code {
      await expectError(code) { try await repository.find(1) }
    } else {
      #expect(try await repository.find(1) == Creature.samples[0])
    }
    #expect(base.calls.count == tries)
    #expect(clock.waits == Array(repeating: .seconds(1), count: tries - 1))
  }

  @Test("a matcher selects the errors to retry")
  func matcher() async throws {
    let base = try FlakyRepository(failing: [.corrupt, .busy])
    let error = await #expect(throws: RepositoryError.self) {
      try await base.retrying(on: .repository(.corrupt), backoff: .none).count()
    }
    #expect(error?.code == .busy && base.calls.count == 2)
  }

  @Test("a write that timed out is not done twice, a read is")
  func timeout() async throws {
    let base = try FlakyRepository(failing: [.timeout, .timeout])
    let backup = try FlakyRepository()
    let repository = base.retrying(backoff: .none).catching { _ in backup }
    let error = await #expect(throws: RepositoryError.self) { try await repository.save(Creature.samples[0]) }
    #expect(error?.code == .timeout && base.calls == [.save] && backup.calls == [])
    #expect(try await repository.find(1) == nil)
    #expect(base.calls == [.save, .find, .find])
  }

  @Test("a sequence is written again as long as nothing of it was taken")
  func sequences() async throws {
    let untouched = try FlakyRepository(failing: [.busy])
    #expect(try await untouched.retrying(backoff: .none).save(contentsOf: Creature.samples) == Creature.samples.count)
    #expect(untouched.calls == [.write, .write])

    let taken = try FlakyRepository(failing: [.busy], afterTaking: 1)
    let backup = try FlakyRepository()
    let repository = taken.retrying(backoff: .none).catching { _ in backup }
    let error = await #expect(throws: RepositoryError.self) { try await repository.save(contentsOf: Creature.samples) }
    #expect(error?.code == .busy && taken.calls == [.write] && backup.calls == [])
  }

  @Test("a policy can't repeat an operation that is not repeatable")
  func unrepeatable() async throws {
    struct Insisting: FailurePolicy {
      func answer(to failure: FailedOperation) throws(RepositoryError) -> FailureAnswer<Creature> { .retry }
    }
    let taken = try FlakyRepository(failing: [.busy], afterTaking: 1)
    let error = await #expect(throws: RepositoryError.self) {
      try await taken.handlingFailures(by: Insisting()).save(contentsOf: Creature.samples)
    }
    #expect(error?.code == .busy && taken.calls == [.write])
  }

  @Test(
    "who is cancelled between two tries is not kept waiting", arguments: [Backoff.none, .constant(.seconds(3_600))])
  func cancellation(backoff: Backoff) async throws {
    let base = try FlakyRepository(failing: [.busy, .busy])
    let repository = base.retrying(backoff: backoff)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await repository.find(1)
    }
    let error = await #expect(throws: RepositoryError.self) { try await task.value }
    #expect(error?.code == .cancelled && base.calls == [.find])
    #expect((error?.underlying as? RepositoryError)?.code == .busy)
  }

  @Test("another repository is asked for the errors that are meant, and its own errors pass")
  func catching() async throws {
    let base = try FlakyRepository(failing: [.corrupt, .busy, .corrupt])
    let backup = try FlakyRepository([Creature.samples[0]], failing: [])
    let broken = try FlakyRepository(failing: [.timeout])
    let repository = base.catching { $0.code == .corrupt ? backup : nil }
    #expect(try await repository.find(1) == Creature.samples[0])
    let busy = await #expect(throws: RepositoryError.self) { try await repository.find(1) }
    #expect(busy?.code == .busy)
    let timeout = await #expect(throws: RepositoryError.self) { try await base.catching { _ in broken }.find(1) }
    #expect(timeout?.code == .timeout && broken.calls == [.find])
    let cancelled = try FlakyRepository(failing: [RepositoryError(.cancelled, "cancelled")])
    await #expect(throws: RepositoryError.self) { try await cancelled.catching { _ in backup }.find(1) }
    #expect(backup.calls == [.find])
  }

  @Test("a failed read uses the other repository, and a failed write is an error")
  func replacing() async throws {
    let base = try FlakyRepository(failing: [.corrupt, .corrupt])
    let constants = try MemoryRepository([Creature.samples[0]])
    let repository = base.replacingErrors(with: constants)
    #expect(try await repository.find(1) == Creature.samples[0])
    await expectError(.corrupt) { try await repository.save(Creature.samples[1]) }
    #expect(try await constants.count(.true) == 1)
  }

  @Test("operators see the error as the ones within left it")
  func order() async throws {
    let lines = Mutex<[String]>([])
    let handler = ErrorHandler().catch { error in lines.withLock { $0.append("handled: \(error)") } }
    let base = try FlakyRepository(failing: [.busy, .corrupt])
    let repository = base.logging { failure in lines.withLock { $0.append("\(failure)") } }
      .retrying(backoff: .none)
      .mappingErrors { RepositoryError(.storeFailure, "the Pokédex is broken", reason: "see below", underlying: $0) }
      .reporting(to: handler)
    let error = await #expect(throws: RepositoryError.self) { try await repository.find(1) }
    #expect(error?.code == .storeFailure)
    #expect(AnyFriendlyError(try #require(error)).chain.last?.summary == "the store is damaged")
    #expect(
      lines.withLock(\.self) == [
        "find of Creature failed (busy): \(RepositoryError.busy)",
        "find of Creature failed (corrupt): \(RepositoryError.corrupt)",
        "handled: the Pokédex is broken; see below",
      ])
  }

  @Test("errors are reported to the handler that is current where the repository is asked")
  func current() async throws {
    let seen = Mutex<[RepositoryError.Code]>([])
    let handler = ErrorHandler().catch(RepositoryError.self) { error in seen.withLock { $0.append(error.code) } }
    let repository = try FlakyRepository(failing: [.busy, .corrupt]).reporting()
    await #expect(throws: RepositoryError.self) { try await repository.find(1) }
    let found = await handler.asCurrent { try? await repository.find(1) }
    #expect(found == nil && seen.withLock(\.self) == [.corrupt])
  }

  @Test("a failure that must not be is told, a cancellation is not")
  func asserting() async throws {
    let told = Mutex<[RepositoryOperation]>([])
    let base = try FlakyRepository(failing: [.busy, RepositoryError(.cancelled, "cancelled")])
    let repository = base.assertingNoFailure { failure in told.withLock { $0.append(failure.operation) } }
    await #expect(throws: RepositoryError.self) { try await repository.count() }
    await #expect(throws: RepositoryError.self) { try await repository.count() }
    #expect(try await repository.count() == 0)
    #expect(told.withLock(\.self) == [.count])
  }

  #if DEBUG && (os(Linux) || os(macOS))
    @Test("by default a failure that must not be ends the program")
    func assertion() async {
      await #expect(processExitsWith: .failure) {
        _ = try await FlakyRepository(failing: [.busy]).assertingNoFailure().find(1)
      }
    }
  #endif
}
