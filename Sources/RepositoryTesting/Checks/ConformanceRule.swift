import Query
public import Repository

/// A model of the suite, with the rules that every repository of it has to obey.
public protocol ConformanceModel: Entity {
  /// The rules, each of which needs an empty repository.
  static var rules: [ConformanceRule<AnyRepository<Self>>] { get }
}

/// A rule of the contract, which a repository or a store either obeys or violates.
public struct ConformanceRule<Subject: Sendable>: Sendable {
  /// The rule in plain words: "`!=` holds for rows whose value is null".
  public let name: String
  /// The features that the rule needs beyond those of its requests.
  let features: Set<RepositoryFeature>
  private let check: @Sendable (CheckContext<Subject>) async throws -> Void

  init(
    _ name: String, needs features: Set<RepositoryFeature> = [],
    check: @escaping @Sendable (CheckContext<Subject>) async throws -> Void
  ) {
    self.name = name
    self.features = features
    self.check = check
  }

  /// Makes a rule that is checked among elements, which are saved first.
  init<Model: ConformanceModel>(
    _ name: String, among elements: [Model], needs features: Set<RepositoryFeature> = [],
    check: @escaping @Sendable (CheckContext<AnyRepository<Model>>) async throws -> Void
  ) where Subject == AnyRepository<Model> {
    self.init(name, needs: features) { context in
      try await context.prepare(elements)
      try await check(context)
    }
  }

  /// Returns the rule with further needed features.
  func needing(_ more: Set<RepositoryFeature>) -> ConformanceRule {
    ConformanceRule(name, needs: features.union(more), check: check)
  }

  /// Checks the rule.
  ///
  /// - Returns: the deviations, and what was skipped.
  func outcome(of subject: Subject, declaration: Declaration) async -> RuleOutcome {
    let context = CheckContext(subject, declaration: declaration)
    do {
      try await check(context)
    } catch {
      context.record("to try the rule", expected: "no error", error: error)
    }
    var outcome = context.outcome
    outcome.broken += declaration.failures
    return outcome
  }
}
