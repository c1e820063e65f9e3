import Repository

/// A rule that is checked with questions about samples, whatever their model.
///
/// What is expected is what a repository in memory answers, which the hand-written rules of the suite's own models check.
/// A rule has the name of the hand-written one where it is the same idea.
struct SampleRule<Model: Entity>: Sendable {
  let name: String
  private let features: Set<RepositoryFeature>
  private let isEmpty: Bool
  private let check: @Sendable (Examination<Model>) async throws -> Void

  /// Makes a rule.
  ///
  /// - Parameters:
  ///   - features: what it needs beyond what its requests tell.
  ///   - isEmpty: whether it begins with an empty repository, not with the samples in it.
  init(
    _ name: String, needs features: Set<RepositoryFeature> = [], amongNothing isEmpty: Bool = false,
    check: @escaping @Sendable (Examination<Model>) async throws -> Void
  ) {
    self.name = name
    self.features = features
    self.isEmpty = isEmpty
    self.check = check
  }

  /// The rule over one set of samples.
  func rule(over samples: SampleSet<Model>) -> ConformanceRule<AnyRepository<Model>> {
    ConformanceRule(name, needs: features) { trial in
      if !isEmpty { try await trial.prepare(samples.elements) }
      try await check(Examination(trial: trial, samples: samples))
    }
  }

  /// All rules but those that would repeat what others find.
  static var all: [SampleRule] {
    [
      saving, batches, conflicts, deleting, equality, order, between, membership, text, patterns, keys, logic, sorting,
      pages, cursors, refusals, aggregates, groups, inserting, updating,
      deletingByQuery, sequences, tableRules,
    ].flatMap(\.self)
  }
}
