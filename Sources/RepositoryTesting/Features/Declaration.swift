import Repository
import Synchronization

/// What a repository declares that it does not support, and what became of the questions that need it while one rule was
/// checked.
final class Declaration: Sendable {
  let unsupported: Set<RepositoryFeature>
  private let state = Mutex(State())

  private struct State {
    /// Refused as they have to be.
    var refused: Set<RepositoryFeature> = []
    /// Answered, rightly or not, since the current question began.
    var answered: Set<RepositoryFeature> = []
    /// Done to the elements by calls that need what is not supported.
    var written: Set<RepositoryFeature> = []
    /// Not done to them, because it was refused: no question about them has the answer any more that a rule expects.
    var missing: Set<RepositoryFeature> = []
    var deviations: [Deviation] = []
  }

  init(_ unsupported: Set<RepositoryFeature>) {
    self.unsupported = unsupported
  }

  /// The declared features that were refused so far.
  var refused: Set<RepositoryFeature> { state.withLock { $0.refused } }

  /// The declared features on which the answer to the current question rests.
  var answered: Set<RepositoryFeature> { state.withLock { $0.answered.union($0.written) } }

  /// What was found wrong with the refusals themselves.
  var deviations: [Deviation] { state.withLock { $0.deviations } }

  /// Notes a refusal that did something all the same.
  func record(_ deviation: Deviation) {
    state.withLock { $0.deviations.append(deviation) }
  }

  /// A new question begins.
  func begin() {
    state.withLock { $0.answered = [] }
  }

  /// Runs something that needs features.
  ///
  /// - Throws: what `body` throws; where it is a refusal of what is declared, ``LeftOut``, within a `RepositoryError`.
  func run<Answer>(
    needing features: Set<RepositoryFeature>, isWriting: Bool = false,
    _ body: () async throws(RepositoryError) -> Answer
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

  /// Refuses a question about what was not written.
  func checkWritten() throws(RepositoryError) {
    let missing = state.withLock { $0.missing }
    if missing.isEmpty { return }
    throw RepositoryError(
      .unsupported, "what the question is about was not written", underlying: LeftOut(features: missing))
  }

  /// Notes that something that needs features was answered, rightly or not.
  func noteAnswer(needing features: Set<RepositoryFeature>, isWriting: Bool) {
    let lacking = features.intersection(unsupported)
    state.withLock { if isWriting { $0.written.formUnion(lacking) } else { $0.answered.formUnion(lacking) } }
  }

  /// Notes the error in the place of an answer.
  ///
  /// - Returns: the error; where it is a refusal of what is declared, with ``LeftOut`` in it.
  func noted(
    _ error: RepositoryError, needing features: Set<RepositoryFeature>, isWriting: Bool
  ) -> RepositoryError {
    let lacking = features.intersection(unsupported)
    if lacking.isEmpty || LeftOut(error) != nil { return error }
    guard error.code == .unsupported else {
      state.withLock { $0.answered.formUnion(lacking) }
      return error
    }
    state.withLock {
      $0.refused.formUnion(lacking)
      if isWriting { $0.missing.formUnion(lacking) }
    }
    return RepositoryError(.unsupported, error.summary, underlying: LeftOut(features: lacking))
  }
}

/// A question that was refused because it needs what is declared as unsupported.
struct LeftOut: Error {
  let features: Set<RepositoryFeature>

  init(features: Set<RepositoryFeature>) {
    self.features = features
  }

  /// Recognises such a refusal; `nil` for every other error.
  init?(_ error: any Error) {
    guard let leftOut = (error as? RepositoryError)?.underlying as? LeftOut else { return nil }
    self = leftOut
  }
}
