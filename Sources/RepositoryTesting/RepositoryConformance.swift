public import Repository

/// Checks that a repository or a store keeps to the contract: what each query means, in which order results come, what
/// is saved and what is refused.
///
/// One call in a test of any framework checks everything. A repository of your own model is given some elements:
///
/// ```swift
/// @Test func keepsTheContract() async throws {
///   try await RepositoryConformance.verify(samples: [bulbasaur, charizard, mewtwo]) { try PokemonAPI() }
/// }
/// ```
///
/// One that can hold any model is checked with the suite's own models, for which what is expected was written by hand, rule
/// by rule; none of it is worked out by the evaluator that the suite checks:
///
/// ```swift
/// try await RepositoryConformance.verify { try MemoryRepository<Specimen>() }
/// ```
///
/// A repository has to save: one that can only be read can't be checked, since nobody knows what it should find.
public enum RepositoryConformance {
  /// Checks a repository of one of the suite's models: ``Specimen``, which has most of the rules, ``Place``, whose key is
  /// a text, ``Loan``, whose key is a UUID, and ``Drawer``, whose key has two columns.
  ///
  /// It takes one or two seconds in a debug build, for a repository in memory or in a file.
  ///
  /// - Parameters:
  ///   - features: what the repository does not support. It has to refuse what needs them with the code
  ///     `RepositoryError.Code.unsupported`, or to answer it rightly.
  ///   - makeRepository: makes a fresh and empty repository. It is called once for each rule, one after another.
  /// - Returns: what was checked and what was left out.
  /// - Throws: ``ConformanceError``, which lists all broken rules; and what `makeRepository` throws.
  @discardableResult
  public static func verify<Model: ConformanceModel, Subject: Repository<Model>>(
    without features: Set<RepositoryFeature> = [], _ makeRepository: () async throws -> Subject
  ) async throws -> ConformanceReport {
    try await verify(Model.rules, without: features, makeRepository)
  }

  /// Checks some rules alone.
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

  /// Checks a store: repositories of all the suite's models, and what only a store can do, such as tables that are
  /// described at run time.
  ///
  /// - Parameters:
  ///   - features: what the store does not support; see ``verify(without:_:)``.
  ///   - makeStore: makes a fresh and empty store. It is called once for each rule, one after another.
  /// - Returns: what was checked and what was left out.
  /// - Throws: ``ConformanceError``, which lists all broken rules; and what `makeStore` throws.
  @discardableResult
  public static func verify<Subject: Store>(
    without features: Set<RepositoryFeature> = [], store makeStore: () async throws -> Subject
  ) async throws -> ConformanceReport {
    var checklist = Checklist(subject: "a store", unsupported: features)
    let rules = StoreRules.all + StoreAggregateRules.all + TransactionRules.all + LiveRules.all + TableRules.all
    for rule in rules {
      try await checklist.check([rule]) { declaration in
        let store = try await makeStore()
        return features.isEmpty ? store as any Store : DeclaringStore(base: store, declaration: declaration)
      }
    }
    try await verify(Specimen.self, in: makeStore, &checklist)
    try await verify(Place.self, in: makeStore, &checklist)
    try await verify(Loan.self, in: makeStore, &checklist)
    try await verify(Drawer.self, in: makeStore, &checklist)
    return try checklist.finish()
  }

  private static func verify<Model: ConformanceModel, Subject: Store>(
    _ model: Model.Type, in makeStore: () async throws -> Subject, _ checklist: inout Checklist
  ) async throws {
    for rule in Model.rules {
      try await checklist.check([rule]) { declaration in
        let store = try await makeStore()
        return AnyRepository(declaring: try store.repository(Model.schema), declaration)
      }
    }
  }
}

extension AnyRepository {
  /// A repository that is watched for what it declares as unsupported, where it declares anything.
  init(declaring base: AnyRepository, _ declaration: Declaration) {
    self =
      declaration.unsupported.isEmpty
      ? base : AnyRepository(DeclaringRepository(base: base, declaration: declaration))
  }
}
