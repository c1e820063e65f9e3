/// One rule of the contract, which a repository or a store either keeps or breaks.
public struct ConformanceRule<Subject: Sendable>: Sendable {
  /// The rule in plain words: "`!=` holds for rows whose value is null".
  public let name: String
  /// What the rule needs beyond what its requests tell.
  let features: Set<RepositoryFeature>
  private let check: @Sendable (Trial<Subject>) async throws -> Void

  init(
    _ name: String, needs features: Set<RepositoryFeature> = [],
    check: @escaping @Sendable (Trial<Subject>) async throws -> Void
  ) {
    self.name = name
    self.features = features
    self.check = check
  }

  /// The rule, with more that it needs.
  func needing(_ more: Set<RepositoryFeature>) -> ConformanceRule {
    ConformanceRule(name, needs: features.union(more), check: check)
  }

  /// Checks the rule.
  ///
  /// - Returns: what was found to be otherwise than it has to be, and what was left out.
  func outcome(of subject: Subject, declaration: Declaration) async -> RuleOutcome {
    let trial = Trial(subject, declaration: declaration)
    do {
      try await check(trial)
    } catch {
      trial.record("to try the rule", expected: "no error", error: error)
    }
    var outcome = trial.outcome
    outcome.broken += declaration.failures
    return outcome
  }
}
