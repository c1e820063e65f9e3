import ErrorHandling
import Repository
import Synchronization
import TestSupport
import Testing

@Suite("Operators on live results")
struct ChangesOperatorTests {
  private let request = FetchRequest()

  @Test("a fetch that fails temporarily is retried, and its result is delivered once")
  func retrying() async throws {
    let base = try FlakyRepository([Creature.samples[0]], failing: [.busy, .timeout, nil, nil, .busy, nil])
    let clock = TestClock()
    var results = base.changes(request).retrying(2, backoff: .constant(.seconds(1)), clock: clock).makeAsyncIterator()
    #expect(try await results.next()?.map(\.id) == [1])
    try await base.save(Creature.samples[1])
    #expect(try await results.next()?.map(\.id) == [1, 2])
    #expect(base.calls == [.changes, .changes, .changes, .save, .changes, .changes])
    #expect(clock.waits.count == 3)
  }

  @Test("failures are counted from the last success on, and the last one ends it")
  func counts() async throws {
    let base = try FlakyRepository(
      [Creature.samples[0]], failing: [.busy, nil, nil, .busy, .busy])
    var results = base.retrying(1, backoff: .none).changes(request).makeAsyncIterator()
    #expect(try await results.next()?.map(\.id) == [1])
    try await base.save(Creature.samples[1])
    await expectError(.busy) { try await results.next() }
    #expect(try await results.next() == nil)
  }

  @Test("it goes on with another one, which follows its own changes, without giving the same result again")
  func catching() async throws {
    for isOfRepository in [true, false] {
      let base = try FlakyRepository([Creature.samples[0]], failing: [nil, nil, .corrupt])
      let backup = try FlakyRepository([Creature.samples[0]])
      let caught =
        isOfRepository
        ? base.catching { $0.code == .corrupt ? backup : nil }.changes(request)
        : base.changes(request).catching { [request] in $0.code == .corrupt ? backup.changes(request) : nil }
      var results = caught.makeAsyncIterator()
      #expect(try await results.next()?.map(\.id) == [1])
      try await base.save(Creature.samples[1])
      try await backup.save(Creature.samples[2])
      #expect(try await results.next()?.map(\.id) == [1, 3])
      try await backup.save(Creature.samples[3])
      #expect(try await results.next()?.map(\.id) == [1, 3, 4])
    }
  }

  @Test("its errors are replaced, told, and reported")
  func telling() async throws {
    let lines = Mutex<[String]>([])
    let write: @Sendable (String) -> Void = { line in lines.withLock { $0.append(line) } }
    let handler = ErrorHandler().catch { write("handled: \(($0 as? RepositoryError)?.summary ?? "")") }
    let results = try FlakyRepository(failing: [.corrupt]).changes(request)
      .logging { write("\($0.operation.rawValue): \($0.error.summary)") }
      .mappingErrors { RepositoryError(.storeFailure, "the Pokédex is broken", underlying: $0) }
      .assertingNoFailure { write("asserted: \($0.error.summary)") }
      .reporting(to: handler).reporting()
    let error = await #expect(throws: RepositoryError.self) {
      try await handler.asCurrent { () async throws in for try await _ in results {} }
    }
    #expect((error?.underlying as? RepositoryError)?.code == .corrupt)
    #expect(
      lines.withLock(\.self) == [
        "changes: the store is damaged", "asserted: the Pokédex is broken", "handled: the Pokédex is broken",
        "handled: the Pokédex is broken",
      ])
  }

  @Test("a repository that can't observe falls back to another repository")
  func unsupported() async throws {
    struct Blind: Repository {
      func find(_ id: Int) -> Creature? { nil }
      func findAll(_ request: FetchRequest) -> [Creature] { [] }
      func count(_ query: AnyQuery) -> Int { 0 }
      func save(_ elements: [Creature]) {}
      func delete(_ ids: [Int]) -> Int { 0 }
    }
    let backup = try FlakyRepository([Creature.samples[0]])
    var results = Blind().replacingErrors(with: backup).changes(request).makeAsyncIterator()
    #expect(try await results.next()?.map(\.id) == [1])
  }

  @Test("a cancelled task ends it without an error that anybody hears of")
  func cancellation() async throws {
    let told = Mutex(0)
    let base = try FlakyRepository(failing: [RepositoryError(.cancelled, "the task was cancelled"), .busy, .busy])
    var results = base.changes(request).logging { _ in told.withLock { $0 += 1 } }.makeAsyncIterator()
    #expect(try await results.next() == nil)
    #expect(told.withLock(\.self) == 0)

    let task = Task {
      var results = base.changes(FetchRequest()).retrying(backoff: .constant(.seconds(3_600))).makeAsyncIterator()
      withUnsafeCurrentTask { $0?.cancel() }
      return try await results.next()
    }
    #expect(try await task.value == nil)
  }
}
