import Query
import Repository
import Synchronization

/// A repository in memory that fails as a test wants, and notes what it is asked.
final class FlakyRepository: Repository {
  private struct State {
    var errors: [RepositoryError?]
    var calls: [RepositoryOperation] = []
  }

  let base: MemoryRepository<Creature>
  private let signal = ChangeSignal()
  /// How many elements of a sequence it takes before it fails.
  private let taken: Int
  private let state: Mutex<State>

  /// - Parameter errors: what the first operations fail with, one each; nil for one that does not fail.
  init(_ creatures: [Creature] = [], failing errors: [RepositoryError?] = [], afterTaking taken: Int = 0) throws {
    base = try MemoryRepository(creatures)
    self.taken = taken
    state = Mutex(State(errors: errors))
  }

  var calls: [RepositoryOperation] { state.withLock(\.calls) }

  private func note(_ operation: RepositoryOperation) throws(RepositoryError) {
    let error = state.withLock { state -> RepositoryError? in
      state.calls.append(operation)
      return state.errors.isEmpty ? nil : state.errors.removeFirst()
    }
    if let error { throw error }
  }

  func find(_ id: Int) throws(RepositoryError) -> Creature? {
    try note(.find)
    return try base.blocking.find(id)
  }

  func findAll(_ request: FetchRequest) throws(RepositoryError) -> [Creature] {
    try note(.findAll)
    return try base.blocking.findAll(request)
  }

  func count(_ query: AnyQuery) throws(RepositoryError) -> Int {
    try note(.count)
    return try base.blocking.count(query)
  }

  func aggregate(_ request: AggregateRequest) throws(RepositoryError) -> [AggregateRow] {
    try note(.aggregates)
    return try base.blocking.aggregate(request)
  }

  func findRows(_ request: ProjectionRequest) throws(RepositoryError) -> [[Value]] {
    try note(.findRows)
    return try base.blocking.findRows(request)
  }

  func save(_ elements: [Creature]) throws(RepositoryError) {
    try note(.save)
    try base.blocking.save(elements)
    signal.notify()
  }

  func delete(_ ids: [Int]) throws(RepositoryError) -> Int {
    try note(.delete)
    return try base.blocking.delete(ids)
  }

  func insert(_ elements: [Creature]) throws(RepositoryError) -> [Creature] {
    try note(.insert)
    return try base.blocking.insert(elements)
  }

  func update(where query: AnyQuery, set assignments: [Assignment]) throws(RepositoryError) -> Int {
    try note(.update)
    return try base.blocking.update(where: query, set: assignments)
  }

  func delete(where query: AnyQuery) throws(RepositoryError) -> Int {
    try note(.deleteByQuery)
    return try base.blocking.delete(where: query)
  }

  func write(
    _ mode: WriteMode, from elements: sending ElementSource<Creature>, progress: (@Sendable (WorkProgress) -> Void)?
  ) async throws(RepositoryError) -> Int {
    for _ in 0..<taken { _ = try await elements.next() }
    try note(.write)
    return try await base.write(mode, from: elements, progress: progress)
  }

  /// Each look fails as the operations do.
  func changes(_ request: FetchRequest) -> Changes<Creature> {
    Changes(signal) { [self] () throws(RepositoryError) in
      try note(.changes)
      let found = try base.blocking.findAll(request)
      return ((found, found.map { [Value.text($0.name)] }), .all)
    }
  }
}

extension RepositoryError {
  static let busy = RepositoryError(.busy, "the store is busy")
  static let timeout = RepositoryError(.timeout, "the store does not answer")
  static let corrupt = RepositoryError(.corrupt, "the store is damaged")
}

/// A clock that does not wait, and notes for how long it was to wait.
final class TestClock: Clock {
  struct Instant: InstantProtocol {
    let offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
  }

  private let state = Mutex<[Duration]>([])

  /// How long each wait was.
  var waits: [Duration] { state.withLock(\.self) }
  var now: Instant { Instant(offset: waits.reduce(.zero, +)) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    let wait = now.duration(to: deadline)
    state.withLock { $0.append(wait) }
  }
}
