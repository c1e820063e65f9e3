public import Repository

/// The conformance suite, which checks that a repository or a store follows the contract: the semantics of each query, the
/// order of results, what is saved and what is refused.
///
/// One call in a test of any framework checks everything. For a repository of your own model, pass some elements:
///
/// ```swift
/// @Test func keepsTheContract() async throws {
///   try await RepositoryConformance.verify(samples: [bulbasaur, charizard, mewtwo]) { try PokemonAPI() }
/// }
/// ```
///
/// A repository that can hold any model is checked with the suite's own models, whose expected results were written by hand,
/// rule by rule; none of them is computed by the evaluator that the suite checks:
///
/// ```swift
/// try await RepositoryConformance.verify { try MemoryRepository<Specimen>() }
/// ```
///
/// A repository has to support saving: a read-only one can't be checked, since its contents are unknown.
public enum RepositoryConformance {
  /// Checks a repository of one of the suite's models: ``Specimen``, to which most of the rules apply, ``Station``, whose key is a
  /// text, ``Loan``, whose key is a UUID, and ``Drawer``, whose key has two columns.
  ///
  /// The check takes one or two seconds in a debug build, for a repository in memory or in a file.
  ///
  /// - Parameters:
  ///   - features: the features that the repository does not support. The repository has to refuse requests that need them
  ///     with the code `RepositoryError.Code.unsupported`, or to answer them correctly.
  ///   - makeRepository: makes a fresh and empty repository. Called once for each rule, one after another.
  /// - Returns: the report of the checked and the skipped rules.
  /// - Throws: ``ConformanceError``, which lists all violated rules; and what `makeRepository` throws.
  @discardableResult
  public static func verify<Model: ConformanceModel, Subject: Repository<Model>>(
    without features: Set<RepositoryFeature> = [], _ makeRepository: () async throws -> Subject
  ) async throws -> ConformanceReport {
    try await verify(Model.rules, without: features, makeRepository)
  }

  /// Checks only some rules.
  @discardableResult
  package static func verify<Model: ConformanceModel, Subject: Repository<Model>>(
    _ rules: [ConformanceRule<AnyRepository<Model>>], without features: Set<RepositoryFeature> = [],
    _ makeRepository: () async throws -> Subject
  ) async throws -> ConformanceReport {
    var checklist = Checklist(subject: "a repository of \(Model.self)", unsupported: features)
    for rule in rules {
      try await checklist.check([rule]) { declaration in
        AnyRepository(declaring: AnyRepository(try await makeRepository()), declaration)
      }
    }
    return try checklist.finish()
  }

  /// Checks a store: repositories of all the suite's models, and the operations of stores, such as tables that are described
  /// at run time.
  ///
  /// - Parameters:
  ///   - features: the features that the store does not support; see ``verify(without:_:)``.
  ///   - makeStore: makes a fresh and empty store. Called once for each rule, one after another.
  /// - Returns: the report of the checked and the skipped rules.
  /// - Throws: ``ConformanceError``, which lists all violated rules; and what `makeStore` throws.
  @discardableResult
  public static func verify<Subject: Store>(
    without features: Set<RepositoryFeature> = [], store makeStore: () async throws -> Subject
  ) async throws -> ConformanceReport {
    try await verify(without: features, checking: { $0 }, store: makeStore)
  }

  /// Checks only some rules of a store: those at the given positions.
  @discardableResult
  package static func verify<Subject: Store>(
    without features: Set<RepositoryFeature> = [], checking choose: ([Int]) -> [Int],
    store makeStore: () async throws -> Subject
  ) async throws -> ConformanceReport {
    var checklist = Checklist(subject: "a store", unsupported: features)
    let rules = choose(Array(RuleCatalogue.stores.indices)).map { RuleCatalogue.stores[$0] }
    for rule in rules {
      try await checklist.check([rule]) { declaration in
        let store = try await makeStore()
        return features.isEmpty ? store as any Store : DeclaringStore(base: store, declaration: declaration)
      }
    }
    try await verify(Specimen.self, choose, in: makeStore, &checklist)
    try await verify(Station.self, choose, in: makeStore, &checklist)
    try await verify(Loan.self, choose, in: makeStore, &checklist)
    try await verify(Drawer.self, choose, in: makeStore, &checklist)
    return try checklist.finish()
  }

  private static func verify<Model: ConformanceModel, Subject: Store>(
    _ model: Model.Type, _ choose: ([Int]) -> [Int], in makeStore: () async throws -> Subject,
    _ checklist: inout Checklist
  ) async throws {
    let rules = Model.rules
    for rule in choose(Array(rules.indices)).map({ rules[$0] }) {
      try await checklist.check([rule]) { declaration in
        let store = try await makeStore()
        return AnyRepository(declaring: try store.repository(Model.schema), declaration)
      }
    }
  }
}

extension AnyRepository {
  /// Makes a repository that is observed for the features that are declared as unsupported, if there are any.
  init(declaring base: AnyRepository, _ declaration: Declaration) {
    self =
      declaration.unsupported.isEmpty
      ? base : AnyRepository(DeclaringRepository(base: base, declaration: declaration))
  }
}

extension RepositoryConformance {
  /// Checks a repository of any model, with questions that are generated from its schema and from some elements.
  ///
  /// ```swift
  /// try await RepositoryConformance.verify(samples: [bulbasaur, charizard, mewtwo]) { try PokemonAPI() }
  /// ```
  ///
  /// The samples are saved, and the repository's results are compared with those of a `MemoryRepository` with the same
  /// schema, which is itself checked by the hand-written rules for the suite's own models. Further elements are made by
  /// recombining the samples' values, so three to ten samples that differ in every property are a good number. The
  /// repository should accept each of them, in any combination with the others.
  ///
  /// - Parameters:
  ///   - samples: at least three elements, with different keys and different values in unique columns. Together they should
  ///     have a null in every optional property, and different values in each.
  ///   - features: the features that the repository does not support. The repository has to refuse requests that need them
  ///     with the code `RepositoryError.Code.unsupported`, or to answer them correctly.
  ///   - allowingGaps: whether samples that are not sufficient for all rules are accepted; the report's notes list the gaps.
  ///   - seed: the seed that repeats a run; reports contain it. By default it is random.
  ///   - makeRepository: makes a fresh and empty repository. Called up to three times for each rule, one after
  ///     another.
  /// - Returns: the report of the checked and the skipped rules.
  /// - Throws: ``SampleError`` if the samples are not sufficient for all rules; ``ConformanceError``, which lists all
  ///   violated rules; `RepositoryError` if the schema contradicts itself; and what `makeRepository` throws.
  @discardableResult
  public static func verify<Model: Entity, Subject: Repository<Model>>(
    samples: [Model], without features: Set<RepositoryFeature> = [], allowingGaps: Bool = false, seed: UInt64? = nil,
    _ makeRepository: () async throws -> Subject
  ) async throws -> ConformanceReport {
    try await verify(
      samples: samples, recombinedTo: [3, .max], without: features, allowingGaps: allowingGaps, seed: seed,
      makeRepository)
  }

  /// Checks a repository with the samples and with a number of sets of further elements.
  ///
  /// - Parameters:
  ///   - varieties: for each further set, the maximum number of different values in a column: few make ties.
  ///   - names: the names of the rules that are checked; all by default.
  @discardableResult
  package static func verify<Model: Entity, Subject: Repository<Model>>(
    samples: [Model], recombinedTo varieties: [Int], only names: Set<String>? = nil,
    without features: Set<RepositoryFeature> = [], allowingGaps: Bool = false, seed: UInt64? = nil,
    _ makeRepository: () async throws -> Subject
  ) async throws -> ConformanceReport {
    let seed = seed ?? .random(in: 0...(.max))
    let problems = try SampleSet.problems(of: samples)
    if !problems.isEmpty { throw SampleError(model: "\(Model.self)", gaps: problems) }
    let first = try SampleSet(samples, seed: seed)
    var recombination = Recombination(first, seed: seed)
    var sets = [first]
    for variety in varieties {
      let elements = recombination.elements(variety: variety)
      if elements.count > 2 { sets.append(try SampleSet(elements, seed: seed)) }
    }
    let gaps = SampleSet.gaps(in: sets)
    if !gaps.isEmpty, !allowingGaps { throw SampleError(model: "\(Model.self)", gaps: gaps) }

    var checklist = Checklist(subject: "a repository of \(Model.self)", unsupported: features)
    for gap in gaps { checklist.note(gap) }
    checklist.note("the samples were recombined with the seed \(seed); pass `seed: \(seed)` to repeat this run")
    func check(_ rule: SampleRule<Model>) async throws {
      try await checklist.check(sets.map { rule.rule(over: $0) }) { declaration in
        AnyRepository(declaring: AnyRepository(try await makeRepository()), declaration)
      }
    }
    for rule in SampleRule<Model>.all where names?.contains(rule.name) != false {
      try await check(rule)
      if rule.name == SampleRule<Model>.roundTrip.name, !checklist.report.failedRules.isEmpty {
        for index in sets.indices { sets[index].isLossy = true }
      }
    }
    let random = SampleRule<Model>.random
    if names?.contains(random.name) != false, checklist.report.failedRules.isEmpty { try await check(random) }
    return try checklist.finish()
  }
}
