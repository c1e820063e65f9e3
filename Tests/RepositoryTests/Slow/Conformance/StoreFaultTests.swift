import Repository
import RepositoryTesting
import Testing

@Suite("The conformance suite finds faults of soft deletions and decimals")
struct StoreFaultTests {
  private static let found = "no request finds an element that is marked as deleted"
  private static let kept = "elements marked as deleted are in the table, and can be restored or removed"
  private static let unique =
    "an element marked as deleted has its key and its unique values; a save revives the element"
  private static let related = "references to an element marked as deleted stay, and relations skip the element"

  private static let decimals = "decimals are stored exactly, and are equal and ordered as numbers"

  /// What a store does otherwise than the contract says, and the rules that it breaks.
  static let faults: [(name: String, fault: ForgetfulStore.Fault, rules: [String])] = [
    ("removes for good", .removing, [kept, unique, related]),
    ("finds what is deleted by its key", .findingByKey, [found]),
    ("counts what is deleted", .counting, [found]),
    ("has what is deleted in aggregates", .aggregating, [found]),
    ("has what is deleted in projections", .projecting, [found]),
    ("changes what is deleted", .updating, [found]),
    ("has decimals in the order of their keys", .ordering, [decimals]),
    (
      "inserts over what is there", .inserting,
      [unique, "`insert` of a key that exists is a conflict, and nothing changes"]
    ),
  ]

  @Test("Each fault is reported under the rules that it breaks, and no others", arguments: faults.indices)
  func fault(index: Int) async throws {
    let (_, fault, rules) = Self.faults[index]
    let error = await #expect(throws: ConformanceError.self) {
      try await RepositoryConformance.verify(checking: { Array($0.prefix(40)) }) {
        ForgetfulStore(base: MemoryStore(), fault: fault)
      }
    }
    #expect(error?.failedRules.map(\.name) == rules)
  }
}

/// A store that does something as if no element were kept that is deleted.
struct ForgetfulStore: Store {
  enum Fault {
    case removing, findingByKey, counting, aggregating, projecting, updating, inserting, ordering
  }

  let base: any Store
  let fault: Fault

  func repository<Element: Storable>(_ schema: Schema<Element>) throws(RepositoryError) -> AnyRepository<Element> {
    AnyRepository(
      ForgetfulRepository(
        base: try base.repository(schema), all: try base.repository(schema.includingDeleted), fault: fault))
  }

  func transaction<Result>(_ body: (ForgetfulStore) async throws -> Result) async throws -> Result {
    func run(_ base: some Store) async throws -> Result {
      try await base.transaction { try await body(ForgetfulStore(base: $0, fault: fault)) }
    }
    return try await run(base)
  }

  func read<Result>(_ body: (ForgetfulStore) async throws -> Result) async throws -> Result {
    func run(_ base: some Store) async throws -> Result {
      try await base.read { try await body(ForgetfulStore(base: $0, fault: fault)) }
    }
    return try await run(base)
  }

  func changes<Value: Sendable>(
    comparedBy areEqual: @escaping @Sendable (Value, Value) -> Bool,
    _ read: @escaping @Sendable (ForgetfulStore) async throws -> Value
  ) -> ValueChanges<Value> {
    func run(_ base: some Store) -> ValueChanges<Value> {
      base.changes(comparedBy: areEqual) { [fault] in try await read(ForgetfulStore(base: $0, fault: fault)) }
    }
    return run(base)
  }
}

private struct ForgetfulRepository<Element: Storable>: RepositoryDecorator {
  let base: AnyRepository<Element>
  let all: AnyRepository<Element>
  let fault: ForgetfulStore.Fault

  private func repository(_ fault: ForgetfulStore.Fault) -> AnyRepository<Element> { self.fault == fault ? all : base }

  func find(_ id: Element.ID) async throws(RepositoryError) -> Element? {
    try await repository(.findingByKey).find(id)
  }

  func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [Element] {
    var request = request
    if fault == .ordering { request.sort = AnySort(request.sort.terms.filter { $0.key.plainKey != "amount" }) }
    return try await base.findAll(request)
  }

  func count(_ query: AnyQuery) async throws(RepositoryError) -> Int { try await repository(.counting).count(query) }

  func aggregate(_ request: AggregateRequest) async throws(RepositoryError) -> [AggregateRow] {
    try await repository(.aggregating).aggregate(request)
  }

  func findRows(_ request: ProjectionRequest) async throws(RepositoryError) -> [[Value]] {
    try await repository(.projecting).findRows(request)
  }

  func update(where query: AnyQuery, set assignments: [Assignment]) async throws(RepositoryError) -> Int {
    try await repository(.updating).update(where: query, set: assignments)
  }

  func insert(_ elements: [Element]) async throws(RepositoryError) -> [Element] {
    if fault == .inserting {
      try await base.save(elements)
      return elements
    }
    return try await base.insert(elements)
  }

  func delete(_ ids: [Element.ID]) async throws(RepositoryError) -> Int { try await repository(.removing).delete(ids) }

  func delete(where query: AnyQuery) async throws(RepositoryError) -> Int {
    try await repository(.removing).delete(where: query)
  }
}
