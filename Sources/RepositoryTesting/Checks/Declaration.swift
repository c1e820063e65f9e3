import Query
import Repository
import Synchronization

/// The features that a repository declares as unsupported, with the outcomes of the questions that need them during the
/// check of one rule.
final class Declaration: Sendable {
  let unsupported: Set<RepositoryFeature>
  private let state = Mutex(State())

  private struct State {
    /// The features for lack of which requests were refused, as required.
    var refused: Set<RepositoryFeature> = []
    /// The features that requests needed which were answered, correctly or not, since the current question began.
    var answered: Set<RepositoryFeature> = []
    /// The features that writes needed which were carried out.
    var written: Set<RepositoryFeature> = []
    /// The features that writes needed which were refused: later questions no longer have the answers that a rule expects.
    var missing: Set<RepositoryFeature> = []
    var failures: [CheckFailure] = []
  }

  init(_ unsupported: Set<RepositoryFeature>) {
    self.unsupported = unsupported
  }

  /// The declared features that were refused so far.
  var refused: Set<RepositoryFeature> { state.withLock { $0.refused } }

  /// The declared features on which the answer to the current question depends.
  var answered: Set<RepositoryFeature> { state.withLock { $0.answered.union($0.written) } }

  /// The failures of the refusals themselves.
  var failures: [CheckFailure] { state.withLock { $0.failures } }

  /// Records a refusal that had an effect nevertheless.
  func record(_ deviation: CheckFailure) {
    state.withLock { $0.failures.append(deviation) }
  }

  /// Begins a new question.
  func begin() {
    state.withLock { $0.answered = [] }
  }

  /// Runs a call that needs features.
  ///
  /// - Throws: what the call throws; if it is a refusal of a declared feature, ``SkippedCheck``, within a `RepositoryError`.
  func run<Answer>(
    needing features: Set<RepositoryFeature>, isWriting: Bool = false,
    _ body: @autoclosure () async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    try checkWritten()
    do throws(RepositoryError) {
      let answer = try await body()
      noteAnswer(needing: features, isWriting: isWriting)
      return answer
    } catch {
      throw noted(error, needing: features, isWriting: isWriting)
    }
  }

  /// Throws for a question about elements that were not written.
  func checkWritten() throws(RepositoryError) {
    let missing = state.withLock { $0.missing }
    if missing.isEmpty { return }
    throw RepositoryError(
      .unsupported, "the elements of the question were not written", underlying: SkippedCheck(features: missing))
  }

  /// Records that a call that needs features was answered, correctly or not.
  func noteAnswer(needing features: Set<RepositoryFeature>, isWriting: Bool) {
    let lacking = features.intersection(unsupported)
    state.withLock { if isWriting { $0.written.formUnion(lacking) } else { $0.answered.formUnion(lacking) } }
  }

  /// Records an error instead of an answer.
  ///
  /// - Returns: the error; if it is a refusal of a declared feature, with ``SkippedCheck`` in it.
  func noted(
    _ error: RepositoryError, needing features: Set<RepositoryFeature>, isWriting: Bool
  ) -> RepositoryError {
    let lacking = features.intersection(unsupported)
    if lacking.isEmpty || SkippedCheck(error) != nil { return error }
    guard error.code == .unsupported else {
      state.withLock { $0.answered.formUnion(lacking) }
      return error
    }
    state.withLock {
      $0.refused.formUnion(lacking)
      if isWriting { $0.missing.formUnion(lacking) }
    }
    return RepositoryError(.unsupported, error.summary, underlying: SkippedCheck(features: lacking))
  }
}

/// The error of a question that was refused because it needs a feature that is declared as unsupported.
struct SkippedCheck: Error {
  let features: Set<RepositoryFeature>

  init(features: Set<RepositoryFeature>) {
    self.features = features
  }

  /// Makes the error from such a refusal; `nil` for every other error.
  init?(_ error: any Error) {
    guard let skipped = (error as? RepositoryError)?.underlying as? SkippedCheck else { return nil }
    self = skipped
  }
}

/// A repository whose requests are observed for features that are declared as unsupported.
struct DeclaringRepository<Element: Storable>: Repository {
  let base: AnyRepository<Element>
  let declaration: Declaration

  func find(_ id: Element.ID) async throws(RepositoryError) -> Element? {
    try await declaration.run(needing: [], try await base.find(id))
  }

  func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [Element] {
    try await declaration.run(needing: RepositoryFeature.needed(by: request), try await base.findAll(request))
  }

  func findAllReadable(_ request: FetchRequest) async throws(RepositoryError) -> PartialResult<Element> {
    try await declaration.run(needing: RepositoryFeature.needed(by: request), try await base.findAllReadable(request))
  }

  func count(_ query: AnyQuery) async throws(RepositoryError) -> Int {
    try await declaration.run(needing: RepositoryFeature.needed(by: query), try await base.count(query))
  }

  func aggregate(_ request: AggregateRequest) async throws(RepositoryError) -> [AggregateRow] {
    try await declaration.run(needing: RepositoryFeature.needed(by: request), try await base.aggregate(request))
  }

  func findRows(_ request: ProjectionRequest) async throws(RepositoryError) -> [[Value]] {
    try await declaration.run(needing: RepositoryFeature.needed(by: request), try await base.findRows(request))
  }

  func save(_ elements: [Element]) async throws(RepositoryError) {
    try await write(
      "save \(elements.count) elements", needing: elements.count > 1 ? [.batches] : [],
      try await base.save(elements))
  }

  func delete(_ ids: [Element.ID]) async throws(RepositoryError) -> Int {
    try await write(
      "delete \(ids.count) keys", needing: ids.count > 1 ? [.batches, .deleting] : [.deleting],
      try await base.delete(ids))
  }

  func changes(_ request: FetchRequest) -> Changes<Element> { base.changes(request) }

  func insert(_ elements: [Element]) async throws(RepositoryError) -> [Element] {
    let features: Set<RepositoryFeature> = elements.count > 1 ? [.inserting, .batches] : [.inserting]
    return try await write(
      "insert \(elements.count) elements", needing: features,
      try await base.insert(elements))
  }

  func update(where query: AnyQuery, set assignments: [Assignment]) async throws(RepositoryError) -> Int {
    try await write(
      "update where \(query)", needing: RepositoryFeature.needed(toUpdate: query, assignments),
      try await base.update(where: query, set: assignments))
  }

  func insert(_ elements: [Element], onConflict rule: ConflictRule) async throws(RepositoryError) -> [Element] {
    var features: Set<RepositoryFeature> = [.inserting, .conflictRules]
    if elements.count > 1 { features.insert(.batches) }
    return try await write(
      "insert \(elements.count) elements by a rule for conflicts", needing: features,
      try await base.insert(elements, onConflict: rule))
  }

  func updateReturning(
    where query: AnyQuery, set assignments: [Assignment]
  ) async throws(RepositoryError) -> [Element] {
    try await write(
      "update where \(query), returning", needing: RepositoryFeature.needed(toUpdate: query, assignments),
      try await base.updateReturning(where: query, set: assignments))
  }

  func deleteReturning(where query: AnyQuery) async throws(RepositoryError) -> [Element] {
    try await write(
      "delete where \(query), returning", needing: RepositoryFeature.needed(toDelete: query),
      try await base.deleteReturning(where: query))
  }

  func delete(where query: AnyQuery) async throws(RepositoryError) -> Int {
    try await write(
      "delete where \(query)", needing: RepositoryFeature.needed(toDelete: query),
      try await base.delete(where: query))
  }

  func write(
    _ mode: WriteMode, from elements: sending ElementSource<Element>, progress: (@Sendable (WorkProgress) -> Void)?
  ) async throws(RepositoryError) -> Int {
    let features: Set<RepositoryFeature> =
      mode == .insert ? [.sequences, .batches, .inserting] : [.sequences, .batches]
    // The common `write` is not used: its closure can't capture elements that are sent on.
    try declaration.checkWritten()
    let isDeclared = !features.isDisjoint(with: declaration.unsupported)
    let before = isDeclared ? try await base.count(.true) : 0
    do throws(RepositoryError) {
      let count = try await base.write(mode, from: elements, progress: progress)
      declaration.noteAnswer(needing: features, isWriting: true)
      return count
    } catch {
      let noted = declaration.noted(error, needing: features, isWriting: true)
      if isDeclared { try await checkUnchanged("write a sequence", before, noted) }
      throw noted
    }
  }

  /// Writes, and checks that a refusal changes nothing.
  private func write<Answer>(
    _ question: String, needing features: Set<RepositoryFeature>,
    _ body: @autoclosure () async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    if features.isDisjoint(with: declaration.unsupported) {
      return try await declaration.run(needing: features, isWriting: true, try await body())
    }
    let before = try await base.count(.true)
    do throws(RepositoryError) {
      return try await declaration.run(needing: features, isWriting: true, try await body())
    } catch {
      try await checkUnchanged(question, before, error)
      throw error
    }
  }

  private func checkUnchanged(
    _ question: String, _ before: Int, _ error: RepositoryError
  ) async throws(RepositoryError) {
    let after = try await base.count(.true)
    if SkippedCheck(error) == nil || after == before { return }
    declaration.record(
      CheckFailure(
        question: "\(question), which is refused, and count", expected: "\(before), as before", found: "\(after)"))
  }
}

/// A store whose repositories are observed.
struct DeclaringStore: Store {
  let base: any Store
  let declaration: Declaration

  func repository<Element: Storable>(_ schema: Schema<Element>) throws(RepositoryError) -> AnyRepository<Element> {
    AnyRepository(DeclaringRepository(base: try base.repository(schema), declaration: declaration))
  }

  @discardableResult
  func transaction<Result>(_ body: (DeclaringStore) async throws -> Result) async throws -> Result {
    try await base.transaction { inner in try await body(DeclaringStore(base: inner, declaration: declaration)) }
  }

  func read<Result>(_ body: (DeclaringStore) async throws -> Result) async throws -> Result {
    try await base.read { inner in try await body(DeclaringStore(base: inner, declaration: declaration)) }
  }

  func changes<Value: Sendable>(
    comparedBy areEqual: @escaping @Sendable (Value, Value) -> Bool,
    _ read: @escaping @Sendable (DeclaringStore) async throws -> Value
  ) -> ValueChanges<Value> {
    base.changes(comparedBy: areEqual) { [declaration] inner in
      try await read(DeclaringStore(base: inner, declaration: declaration))
    }
  }
}
