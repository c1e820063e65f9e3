import Query
import Repository
import Synchronization
import TestSupport
import Testing

@Suite("A type-erased repository")
struct AnyRepositoryTests {
  @Test("It passes everything on, and so does a decorator without methods of its own", arguments: [false, true])
  func forwards(isDecorator: Bool) async throws {
    let spy = Spy()
    let repository: any Repository<Creature> = isDecorator ? Plain(base: spy) : AnyRepository(spy)
    try await Self.forwards(repository, to: spy)
  }

  @Test("A decorator that implements one method forwards all other methods, and derived methods use the implementation")
  func decorator() async throws {
    let store = MemoryStore()
    let shouting = Shouting(base: try store.repository(of: Creature.self))
    try await shouting.save(contentsOf: Creature.samples)
    #expect(try await shouting.filter { $0.id == 1 }.update { $0.name = "ember" } == 1)
    #expect(try await shouting.first(where: { $0.id == 1 })?.name == "EMBER")
    #expect(try await shouting.selection().page(size: 1).elements.map(\.name) == ["EMBER"])
    var changes = shouting.filter { $0.id == 1 }.changes().makeAsyncIterator()
    #expect(try await changes.next()?.map(\.name) == ["ember"])
  }

  private static func forwards(_ repository: some Repository<Creature>, to spy: Spy) async throws {
    let request = FetchRequest(.isNull(key: "height"), sortedBy: .descending(key: "name"), limit: 3, offset: 1)
    #expect(try await repository.find(7)?.id == 7)
    #expect(try await repository.findAll(request) == [Creature.samples[0]])
    #expect(try await repository.findAllReadable(request).elements == [Creature.samples[1]])
    #expect(try await repository.count(.isNull(key: "height")) == 42)
    #expect(try await repository.aggregate(AggregateRequest([.count])) == [AggregateRow(keys: [], aggregates: [42])])
    #expect(try await repository.findRows(ProjectionRequest([.key("name")])) == [["Leaf"]])
    try await repository.save([Creature.samples[1], Creature.samples[2]])
    #expect(try await repository.delete([1, 9]) == 1)
    #expect(try await repository.insert([Creature.samples[3]]).map(\.id) == [8])
    #expect(try await repository.update(where: .true, set: [Assignment("attack", 5)]) == 43)
    #expect(try await repository.delete(where: .isNull(key: "height")) == 44)
    #expect(try await repository.insert([Creature.samples[2]], onConflict: .ignore).isEmpty)
    #expect(try await repository.updateReturning(where: .true, set: [Assignment("attack", 6)]) == [Creature.samples[2]])
    #expect(try await repository.deleteReturning(where: .false) == [Creature.samples[3]])
    #expect(try await repository.save(contentsOf: [Creature.samples[0]]) == 45)
    _ = repository.changes(request)
    // One for each requirement: four of them belong to the operations of others.
    #expect(spy.calls.count == RepositoryOperation.allCases.count + 4)
    #expect(
      spy.calls == [
        .find(7), .findAll(request), .findAllReadable(request), .count(.isNull(key: "height")),
        .aggregates(AggregateRequest([.count])),
        .findRows(ProjectionRequest([.key("name")])),
        .save([2, 3]), .delete([1, 9]), .insert([4]),
        .update(.true, [Assignment("attack", 5)]), .deleteWhere(.isNull(key: "height")),
        .insertOnConflict([3]), .updateReturning(.true, [Assignment("attack", 6)]), .deleteReturning(.false),
        .write(.save), .changes(request),
      ])
  }

  @Test("Default implementations of a repository send minimal requests")
  func extensions() async throws {
    let spy = Spy()
    let repository = AnyRepository(spy)
    _ = try await repository.get(1)
    _ = try await repository.selection(FetchRequest(.isNull(key: "name"), sortedBy: .ascending(key: "weight"))).first()
    _ = try await repository.filter { $0.attack == 1 }.sorted { $0.weight.descending }.dropFirst(3).prefix(2).all()
    _ = try await repository.count()
    #expect(try await repository.filter { $0.name == "Ember" }.exists())
    _ = try await repository.filter { $0.isRare }.aggregate(.sum(\.attack))
    try await repository.save(Creature.samples[0])
    #expect(try await repository.delete(5) == 1)
    try await repository.insert(Creature.samples[1])
    try await repository.filter { $0.attack == 1 }.update { $0.weight = 2 }
    try await repository.filter { $0.attack == 1 }.delete()
    #expect(
      spy.calls == [
        .find(1), .findAll(FetchRequest(.isNull(key: "name"), sortedBy: .ascending(key: "weight"), limit: 1)),
        .findAll(
          FetchRequest(.equal(key: "attack", value: 1), sortedBy: .descending(key: "weight"), limit: 2, offset: 3)),
        .count(.true), .findAll(FetchRequest(.equal(key: "name", value: "Ember"), limit: 1)),
        .aggregates(AggregateRequest([.sum(key: "attack")], of: .equal(key: "rare", value: 1))), .save([1]),
        .delete([5]),
        .insert([2]), .update(.equal(key: "attack", value: 1), [Assignment("weight", 2.0)]),
        .deleteWhere(.equal(key: "attack", value: 1)),
      ])
  }

  @Test("It passes errors on as they are")
  func errors() async throws {
    let spy = Spy(error: RepositoryError(.busy, "busy", storeCode: 5))
    let repository = AnyRepository(spy)
    let errors = [
      await #expect(throws: RepositoryError.self) { try await repository.find(1) },
      await #expect(throws: RepositoryError.self) { try await repository.findAll() },
      await #expect(throws: RepositoryError.self) { try await repository.count() },
      await #expect(throws: RepositoryError.self) { try await repository.aggregate(AggregateRequest([.count])) },
      await #expect(throws: RepositoryError.self) { try await repository.save([]) },
      await #expect(throws: RepositoryError.self) { try await repository.delete([1]) },
    ]
    for error in errors { #expect(error?.code == .busy && error?.storeCode == 5) }
  }

  @Test("It is never wrapped twice")
  func wrapsOnce() throws {
    let once = AnyRepository(Spy())
    let twice = AnyRepository(AnyRepository(once))
    let base = try #require(Mirror(reflecting: twice).children.first).value
    #expect(base is Spy)
  }

  @Test("`get` of a key that no element has is an error, where `find` gives nil")
  func notFound() async throws {
    let repository = AnyRepository(try MemoryRepository<Creature>())
    #expect(try await repository.find(1) == nil)
    await expectError(.notFound, summary: "no Creature has this key") { try await repository.get(1) }
  }
}

/// A decorator that does nothing.
private struct Plain<Base: Repository>: RepositoryDecorator {
  let base: Base
}

/// A decorator of one method.
private struct Shouting<Base: Repository<Creature>>: RepositoryDecorator {
  let base: Base

  func findAll(_ request: FetchRequest) async throws(RepositoryError) -> [Creature] {
    var found = try await base.findAll(request)
    for index in found.indices { found[index].name = found[index].name.uppercased() }
    return found
  }
}

/// A repository by hand, whose live results fail at once.
private struct NoChanges: Repository {
  func find(_ id: Int) -> Creature? { nil }
  func findAll(_ request: FetchRequest) -> [Creature] { [] }
  func count(_ query: AnyQuery) -> Int { 0 }
  func save(_ elements: [Creature]) {}
  func delete(_ ids: [Int]) -> Int { 0 }
}

/// Notes what it is asked.
private final class Spy: Repository {
  enum Call: Equatable {
    case find(Int), findAll(FetchRequest), count(AnyQuery), aggregates(AggregateRequest),
      findRows(ProjectionRequest), save([Int]), delete([Int])
    case insert([Int]), update(AnyQuery, [Assignment]), deleteWhere(AnyQuery), write(WriteMode)
    case insertOnConflict([Int]), updateReturning(AnyQuery, [Assignment]), deleteReturning(AnyQuery)
    case changes(FetchRequest), findAllReadable(FetchRequest)
  }

  private let error: RepositoryError?
  private let other = NoChanges()
  private let log = Mutex<[Call]>([])

  init(error: RepositoryError? = nil) {
    self.error = error
  }

  var calls: [Call] { log.withLock { $0 } }

  private func note(_ call: Call) throws(RepositoryError) {
    log.withLock { $0.append(call) }
    if let error { throw error }
  }

  func find(_ id: Int) throws(RepositoryError) -> Creature? {
    try note(.find(id))
    return Creature(id: id, name: "", element: .fire)
  }

  func findAll(_ request: FetchRequest) throws(RepositoryError) -> [Creature] {
    try note(.findAll(request))
    return [Creature.samples[0]]
  }

  func findAllReadable(_ request: FetchRequest) throws(RepositoryError) -> PartialResult<Creature> {
    try note(.findAllReadable(request))
    return PartialResult(elements: [Creature.samples[1]])
  }

  func count(_ query: AnyQuery) throws(RepositoryError) -> Int {
    try note(.count(query))
    return 42
  }

  func aggregate(_ request: AggregateRequest) throws(RepositoryError) -> [AggregateRow] {
    try note(.aggregates(request))
    return [AggregateRow(keys: [], aggregates: [42])]
  }

  func findRows(_ request: ProjectionRequest) throws(RepositoryError) -> [[Value]] {
    try note(.findRows(request))
    return [["Leaf"]]
  }

  func save(_ elements: [Creature]) throws(RepositoryError) { try note(.save(elements.map(\.id))) }

  func delete(_ ids: [Int]) throws(RepositoryError) -> Int {
    try note(.delete(ids))
    return 1
  }

  func changes(_ request: FetchRequest) -> Changes<Creature> {
    try? note(.changes(request))
    return other.changes(request)
  }

  func insert(_ elements: [Creature]) throws(RepositoryError) -> [Creature] {
    try note(.insert(elements.map(\.id)))
    return [Creature(id: 8, name: "", element: .fire)]
  }

  func update(where query: AnyQuery, set assignments: [Assignment]) throws(RepositoryError) -> Int {
    try note(.update(query, assignments))
    return 43
  }

  func delete(where query: AnyQuery) throws(RepositoryError) -> Int {
    try note(.deleteWhere(query))
    return 44
  }

  func insert(_ elements: [Creature], onConflict rule: ConflictRule) throws(RepositoryError) -> [Creature] {
    try note(.insertOnConflict(elements.map(\.id)))
    return []
  }

  func updateReturning(where query: AnyQuery, set assignments: [Assignment]) throws(RepositoryError) -> [Creature] {
    try note(.updateReturning(query, assignments))
    return [Creature.samples[2]]
  }

  func deleteReturning(where query: AnyQuery) throws(RepositoryError) -> [Creature] {
    try note(.deleteReturning(query))
    return [Creature.samples[3]]
  }

  func write(
    _ mode: WriteMode, from elements: sending ElementSource<Creature>, progress: (@Sendable (WorkProgress) -> Void)?
  ) throws(RepositoryError) -> Int {
    try note(.write(mode))
    return 45
  }
}

@Suite("A repository that is written by hand")
struct RepositoryByHandTests {
  private struct City: Entity, Hashable {
    let id: String
    static let schema = Schema("city", City.init, Column("id", \.id))
  }

  private struct Note: Entity {
    let id: Int?
    static let schema = Schema("note", Note.init, Column("id", \.id, .generated))
  }

  private struct ByHand<Element: Entity>: Repository {
    let base: MemoryRepository<Element>

    func find(_ id: Element.ID) throws(RepositoryError) -> Element? { try base.blocking.find(id) }
    func findAll(_ request: FetchRequest) throws(RepositoryError) -> [Element] { try base.blocking.findAll(request) }
    func count(_ query: AnyQuery) throws(RepositoryError) -> Int { try base.blocking.count(query) }
    func save(_ elements: [Element]) throws(RepositoryError) { try base.blocking.save(elements) }
    func delete(_ ids: [Element.ID]) throws(RepositoryError) -> Int { try base.blocking.delete(ids) }
  }

  @Test("does not insert an element without a key, since it could not return the generated key")
  func generatedKey() async throws {
    let notes = ByHand(base: try MemoryRepository<Note>())
    await expectError(.unsupported, suggestion: "implement insert(_:), or give the element a key") {
      try await notes.insert([Note(id: 1), Note(id: nil)])
    }
    #expect(try await notes.count() == 0)
    #expect(try await notes.insert([Note(id: 7)]).map(\.id) == [7])
  }

  @Test("inserts keys that are composed and decomposed as two, and the same one not twice")
  func composedKeys() async throws {
    let cities = ByHand(base: try MemoryRepository<City>())
    try await cities.insert([City(id: "\u{E9}"), City(id: "e\u{301}")])
    #expect(try await cities.count() == 2)
    await #expect(throws: RepositoryError.self) { try await cities.insert([City(id: "a"), City(id: "a")]) }
    #expect(try await cities.delete("e\u{301}") == 1 && cities.find("\u{E9}") != nil)
  }
}
