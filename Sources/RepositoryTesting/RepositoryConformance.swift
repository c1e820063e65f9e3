public import Repository

/// Checks that a repository or a store keeps to the contract: what each query means, in which order results come, what
/// is saved and what is refused.
///
/// One call in a test of any framework checks everything:
///
/// ```swift
/// @Test func keepsTheContract() async throws {
///   try await RepositoryConformance.verify { try MemoryRepository<Specimen>() }
/// }
/// ```
///
/// What is expected was written by hand, rule by rule; none of it is worked out by the evaluator that the suite checks.
public enum RepositoryConformance {
  /// Checks a repository of one of the suite's models: ``Specimen``, which has most of the rules, ``Place``, whose key is
  /// a text, ``Loan``, whose key is a UUID, and ``Drawer``, whose key has two columns.
  ///
  /// It takes one or two seconds in a debug build, for a repository in memory or in a file.
  ///
  /// - Parameter makeRepository: makes a fresh and empty repository. It is called once for each rule, one after another.
  /// - Throws: ``ConformanceError``, which lists all broken rules; and what `makeRepository` throws.
  public static func verify<Model: ConformanceModel, Subject: Repository<Model>>(
    _ makeRepository: () async throws -> Subject
  ) async throws {
    try await verify(Model.rules, makeRepository)
  }

  /// Checks some rules alone.
  package static func verify<Model: ConformanceModel, Subject: Repository<Model>>(
    _ rules: [ConformanceRule<AnyRepository<Model>>], _ makeRepository: () async throws -> Subject
  ) async throws {
    var report = Report(subject: "a repository of \(Model.self)")
    for rule in rules { await report.check(rule, with: AnyRepository(try await makeRepository())) }
    try report.finish()
  }

  /// Checks a store: repositories of all the suite's models, and what only a store can do, such as tables that are
  /// described at run time.
  ///
  /// - Parameter makeStore: makes a fresh and empty store. It is called once for each rule, one after another.
  /// - Throws: ``ConformanceError``, which lists all broken rules; and what `makeStore` throws.
  public static func verify<Subject: Store>(store makeStore: () async throws -> Subject) async throws {
    var report = Report(subject: "a store")
    for rule in StoreRules.all + TransactionRules.all + LiveRules.all {
      await report.check(rule, with: try await makeStore() as any Store)
    }
    try await verify(Specimen.self, in: makeStore, &report)
    try await verify(Place.self, in: makeStore, &report)
    try await verify(Loan.self, in: makeStore, &report)
    try await verify(Drawer.self, in: makeStore, &report)
    try report.finish()
  }

  private static func verify<Model: ConformanceModel, Subject: Store>(
    _ model: Model.Type, in makeStore: () async throws -> Subject, _ report: inout Report
  ) async throws {
    for rule in Model.rules {
      let store = try await makeStore()
      await report.check(rule, with: try store.repository())
    }
  }
}

/// What has been checked so far, and which rules were found broken.
private struct Report {
  let subject: String
  var ruleCount = 0
  var brokenRules: [BrokenRule] = []

  mutating func check<Subject>(_ rule: ConformanceRule<Subject>, with subject: Subject) async {
    ruleCount += 1
    let deviations = await rule.deviations(of: subject)
    if !deviations.isEmpty { brokenRules.append(BrokenRule(name: rule.name, deviations: deviations)) }
  }

  func finish() throws(ConformanceError) {
    if !brokenRules.isEmpty {
      throw ConformanceError(subject: subject, ruleCount: ruleCount, brokenRules: brokenRules)
    }
  }
}
