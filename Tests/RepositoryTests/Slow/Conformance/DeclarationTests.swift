import Query
import Repository
import RepositoryTesting
import TestSupport
import Testing

@Suite("A repository has to refuse the features that it declares as unsupported", .tags(.slow))
struct DeclarationTests {
  /// A query, and what a repository has to support to answer it.
  static let queries: [(String, Set<RepositoryFeature>)] = [
    ("true", []), ("false", [.queries]), ("name = 'a'", [.queries]), ("name != 'a'", [.queries]),
    ("weight is null", [.queries, .nullTests]), ("weight > 5", [.queries, .orderComparisons]),
    ("weight between 1 and 2", [.queries, .between]),
    ("weight between 1 and attack", [.queries, .between, .keyComparisons]),
    ("weight in (1, 2)", [.queries, .lists]), ("weight in (1, null)", [.queries, .lists, .nullTests]),
    ("name contains 'a'", [.queries, .textOperators]),
    ("name starts with 'a' ignoring case", [.queries, .textOperators, .ignoringCase]),
    ("name like 'a%'", [.queries, .textOperators, .patterns]),
    ("attack = defense", [.queries, .keyComparisons]),
    ("attack < defense", [.queries, .keyComparisons, .orderComparisons]),
    ("id = 1 and id = 2 and id = 3", [.queries, .conjunctions]), ("id = 1 or id = 2", [.queries, .disjunctions]),
    ("not id = 1", [.queries, .negations]),
    ("id = 1 and (id = 2 or id = 3)", [.queries, .conjunctions, .disjunctions, .nesting]),
    ("not (id = 1 and id = 2)", [.queries, .negations, .conjunctions, .nesting]),
    ("id = 1 and not id = 2", [.queries, .negations, .conjunctions]),
  ]

  @Test("The features that a query needs", arguments: queries)
  func needed(text: String, features: Set<RepositoryFeature>) throws {
    #expect(RepositoryFeature.needed(by: FetchRequest(try AnyQuery(parsing: text))) == features)
  }

  @Test("The features that a request needs beyond its query")
  func request() throws {
    #expect(RepositoryFeature.needed(by: FetchRequest(sortedBy: .descending(key: "name"))) == [.sorting])
    let nulls = AnySort.ascending(key: "name", nulls: .last)
    #expect(RepositoryFeature.needed(by: FetchRequest(sortedBy: nulls)) == [.sorting, .nullPlacement])
    #expect(RepositoryFeature.needed(by: FetchRequest(limit: 5, offset: 2)) == [.limits, .offsets])
    let cursor = try WebPokemon.schema.cursor(at: WebPokemon.samples[0], sortedBy: .primaryKey)
    #expect(RepositoryFeature.needed(by: FetchRequest(after: cursor)) == [.cursors])
    #expect(RepositoryFeature.needed(by: FetchRequest(.in(key: "id", values: 0...100))).contains(.largeRequests))
    let long = AnyQuery.equal(key: "name", value: String(repeating: "a", count: 3_000))
    #expect(RepositoryFeature.needed(by: FetchRequest(long)) == [.queries, .largeRequests])
    // Joined with itself again and again: it has too many parts to visit all of them.
    let vast = (0..<80).reduce(AnyQuery.equal(key: "id", value: 1)) { query, _ in query && query }
    #expect(RepositoryFeature.needed(by: FetchRequest(vast)) == [.queries, .conjunctions, .largeRequests])
  }

  @Test("The features that aggregates and writes by query need")
  func figuresAndWrites() {
    let query = AnyQuery.equal(key: "id", value: 1)
    #expect(RepositoryFeature.needed(by: AggregateRequest([.count])) == [.aggregates])
    let groups = AggregateRequest([.count], of: query, groupedBy: ["type"], sortedBy: .descending(.count), limit: 3)
    #expect(RepositoryFeature.needed(by: groups) == [.aggregates, .groups, .queries, .sorting, .limits])
    #expect(RepositoryFeature.needed(toUpdate: query, []) == [.updatingByQuery, .queries, .batches])
    #expect(RepositoryFeature.needed(toDelete: .true) == [.deletingByQuery, .deleting, .batches])
  }

  @Test(
    "What a repository does itself is checked, also where it declares something",
    arguments: Effort.sample(Fault<Specimen>.updates))
  func ownMethods(fault: Fault<Specimen>) async throws {
    let error = await #expect(throws: ConformanceError.self) {
      try await RepositoryConformance.verify(Specimen.shortRules, without: [.cursors]) { try fault.makeRepository() }
    }
    #expect(error?.failedRules.map(\.name) == fault.rules)
  }

  @Test(
    "Every feature may be refused, one at a time, and nothing else is found wrong",
    arguments: Effort.sample(RepositoryFeature.refusable))
  func refused(feature: RepositoryFeature) async throws {
    let own = try await RepositoryConformance.verify(samples: WebPokemon.samples, recombinedTo: [], without: [feature])
    {
      RefusingRepository(base: try MemoryRepository<WebPokemon>(), feature: feature)
    }
    // There are no large requests among those that samples lead to, and no projections.
    if feature != .largeRequests, feature != .projections {
      #expect(own.skippedRules.contains { $0.features.contains(feature) })
      #expect(!own.notes.contains { $0.contains("declared") })
    }
    let rules = [.largeRequests, .sequences].contains(feature) ? Specimen.rules : Specimen.shortRules
    let suite = try await RepositoryConformance.verify(rules, without: [feature]) {
      RefusingRepository(base: try MemoryRepository<Specimen>(), feature: feature)
    }
    #expect(suite.skippedRules.contains { $0.features.contains(feature) })
  }

  @Test(
    "What is not declared may not be refused",
    arguments: Effort.sample([RepositoryFeature.negations, .sorting, .batches]))
  func undeclared(feature: RepositoryFeature) async throws {
    await #expect(throws: ConformanceError.self) {
      try await RepositoryConformance.verify(samples: WebPokemon.samples, recombinedTo: []) {
        RefusingRepository(base: try MemoryRepository<WebPokemon>(), feature: feature)
      }
    }
  }

  @Test("Rules of features that can't be refused are skipped")
  func leftOut() async throws {
    let concurrent = Specimen.rules.filter { $0.name.contains("many tasks") }
    let rules = Effort.isFull ? Specimen.rules : Specimen.shortRules + concurrent
    let report = try await RepositoryConformance.verify(rules, without: [.uniqueness, .concurrency]) {
      try FaultyRepository<Specimen> {
        $0.onSave = { elements, base throws(RepositoryError) in
          do throws(RepositoryError) {
            try base.blocking.save(elements)
          } catch {
            if error.code != .conflict { throw error }
          }
        }
      }
    }
    #expect(report.skippedRules.contains { $0.features == [.uniqueness] && !$0.isPartial })
    #expect(report.skippedRules.contains { $0.features == [.concurrency] && !$0.isPartial })
  }

  @Test(
    "Batches that are declared as unsupported are neither saved in part nor refused in part", arguments: [true, false])
  func batches(isRefusing: Bool) async throws {
    let error = await #expect(throws: ConformanceError.self) {
      try await RepositoryConformance.verify(
        samples: WebPokemon.samples, recombinedTo: Effort.varieties, without: [.batches]
      ) {
        try FaultyRepository<WebPokemon> {
          $0.onSave = { elements, base throws(RepositoryError) in
            try base.blocking.save(Array(elements.prefix(1)))
            if isRefusing, elements.count > 1 { throw RepositoryError(.unsupported, "one at a time") }
          }
        }
      }
    }
    #expect(error?.failedRules.map(\.name) == [ConformanceReport.declarationRule])
  }
}

extension RepositoryFeature {
  static let refusable: [RepositoryFeature] = [
    .queries, .nullTests, .orderComparisons, .between, .lists, .textOperators, .patterns, .ignoringCase,
    .keyComparisons, .conjunctions, .disjunctions, .negations, .nesting, .largeRequests, .sorting, .nullPlacement,
    .limits, .offsets, .cursors, .aggregates, .groups, .groupConditions, .projections, .batches, .deleting, .inserting,
    .updatingByQuery,
    .deletingByQuery,
    .sequences,
  ]
}

/// A repository in memory that refuses what needs a feature.
struct RefusingRepository<Element: Entity>: Repository {
  let base: MemoryRepository<Element>
  let feature: RepositoryFeature

  private func check(_ features: Set<RepositoryFeature>) throws(RepositoryError) {
    if features.contains(feature) { throw RepositoryError(.unsupported, "no \(feature)") }
  }

  func find(_ id: Element.ID) throws(RepositoryError) -> Element? { try base.blocking.find(id) }

  func findAll(_ request: FetchRequest) throws(RepositoryError) -> [Element] {
    try check(RepositoryFeature.needed(by: request))
    return try base.blocking.findAll(request)
  }

  func count(_ query: AnyQuery) throws(RepositoryError) -> Int {
    try check(RepositoryFeature.needed(by: FetchRequest(query)))
    return try base.blocking.count(query)
  }

  func aggregate(_ request: AggregateRequest) throws(RepositoryError) -> [AggregateRow] {
    try check(RepositoryFeature.needed(by: request))
    return try base.blocking.aggregate(request)
  }

  func findRows(_ request: ProjectionRequest) throws(RepositoryError) -> [[Value]] {
    try check(RepositoryFeature.needed(by: request))
    return try base.blocking.findRows(request)
  }

  func save(_ elements: [Element]) throws(RepositoryError) {
    try check(elements.count > 1 ? [.batches] : [])
    try base.blocking.save(elements)
  }

  func insert(_ elements: [Element]) throws(RepositoryError) -> [Element] {
    try check(elements.count > 1 ? [.batches, .inserting] : [.inserting])
    return try base.blocking.insert(elements)
  }

  func update(where query: AnyQuery, set assignments: [Assignment]) throws(RepositoryError) -> Int {
    try check(RepositoryFeature.needed(toUpdate: query, assignments))
    return try base.blocking.update(where: query, set: assignments)
  }

  func insert(_ elements: [Element], onConflict rule: ConflictRule) throws(RepositoryError) -> [Element] {
    try check(elements.count > 1 ? [.batches, .inserting, .conflictRules] : [.inserting, .conflictRules])
    return try base.blocking.insert(elements, onConflict: rule)
  }

  func updateReturning(where query: AnyQuery, set assignments: [Assignment]) throws(RepositoryError) -> [Element] {
    try check(RepositoryFeature.needed(toUpdate: query, assignments))
    return try base.blocking.updateReturning(where: query, set: assignments)
  }

  func deleteReturning(where query: AnyQuery) throws(RepositoryError) -> [Element] {
    try check(RepositoryFeature.needed(toDelete: query))
    return try base.blocking.deleteReturning(where: query)
  }

  func delete(where query: AnyQuery) throws(RepositoryError) -> Int {
    try check(RepositoryFeature.needed(toDelete: query))
    return try base.blocking.delete(where: query)
  }

  func write(
    _ mode: WriteMode, from elements: sending ElementSource<Element>, progress: (@Sendable (WorkProgress) -> Void)?
  ) async throws(RepositoryError) -> Int {
    try check(mode == .insert ? [.sequences, .batches, .inserting] : [.sequences, .batches])
    return try await base.write(mode, from: elements, progress: progress)
  }

  func delete(_ ids: [Element.ID]) throws(RepositoryError) -> Int {
    try check(ids.count > 1 ? [.batches, .deleting] : [.deleting])
    return try base.blocking.delete(ids)
  }
}
