import SQLiteStore
import Synchronization
import TestSupport
import Testing

/// Runs what the article *Stores* says.
@Suite("The article on stores tells the truth")
struct StoresArticleTests {
  struct Berry: Entity, Equatable {
    let id: Int
    var name: String

    static let schema = Schema<Berry>(table: "berry") {
      Parameters(of: Berry.init)
      Column("id", \.id)
      Column("name", \.name)
    }
  }

  struct Basket {
    let berries: AnyRepository<Berry>

    init(in store: some Store) throws {
      berries = try store.repository(of: Berry.self)
    }
  }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("a file, memory, and one code for both")
  func opening() async throws {
    let path = folder.path("berries.sqlite")
    let store = try SQLiteStore(path: path)
    let basket = try Basket(in: store)
    let inTests = try Basket(in: MemoryStore())
    let withSQL = try Basket(in: try SQLiteStore.inMemory())
    for basket in [basket, inTests, withSQL] {
      try await basket.berries.insert(Berry(id: 1, name: "Oran"))
      #expect(try await basket.berries.count() == 1)
    }
    let fake = try MemoryRepository([Berry(id: 1, name: "Oran")])
    #expect(try await AnyRepository(fake).count() == 1)
    // Each is a database of its own.
    let two = (try SQLiteStore.inMemory(), try SQLiteStore.inMemory())
    try await two.0.repository(of: Berry.self).insert(Berry(id: 1, name: "Oran"))
    #expect(try await two.1.repository(of: Berry.self).count() == 0)
  }

  @Test("modes of opening, and a file that can only be read")
  func modes() async throws {
    let path = folder.path("berries.sqlite")
    expectError(.cannotOpen) { try SQLiteStore(path: path, mode: .existing) }
    let writing = try SQLiteStore(path: path)
    try await writing.repository(of: Berry.self).insert(Berry(id: 1, name: "Oran"))

    let shipped = try SQLiteStore(path: path, mode: .readOnly)
    let berries = try shipped.repository(of: Berry.self)
    let names = try await berries.findAll().map(\.name)
    #expect(names == ["Oran"])
    await expectError(.readOnly) { try await berries.save(Berry(id: 2, name: "Cheri")) }
    #expect(throws: RepositoryError.self) { try shipped.repository(of: RelationsArticleTests.Region.self) }
    try await writing.repository(of: Berry.self).insert(Berry(id: 3, name: "Sitrus"))
    #expect(try await berries.count() == 2)
  }

  @Test("a pool, and waiting for a turn")
  func pool() async throws {
    let path = folder.path("berries.sqlite")
    let store = try SQLiteStore(path: path, synchronous: .full, readers: 8, timeout: .seconds(2))
    let berries = try store.repository(of: Berry.self)
    #expect(store.timeout == .seconds(2))

    let (count, first) = try await store.read { _ in
      (try await berries.count(), try await berries.selection().first())
    }
    #expect(count == 0 && first == nil)

    let impatient = try SQLiteStore(path: path, timeout: .zero)
    try await store.transaction { _ in
      // Another store of the same file, as another program has it.
      await expectError(.busy) { try await impatient.repository(of: Berry.self).save(Berry(id: 1, name: "Oran")) }
    }
  }

  @Test("a backup while the database is in use, its check, and the way back")
  func backup() async throws {
    let store = try SQLiteStore(path: folder.path("berries.sqlite"))
    let berries = try store.repository(of: Berry.self)
    try await berries.insert((1...3_000).map { Berry(id: $0, name: "berry \($0)") })
    let done = Mutex(0.0)

    let copy = folder.path("berries-copy.sqlite")
    try await store.backup(to: copy) { progress in done.withLock { $0 = progress.fraction ?? 0 } }
    let problems = try await SQLiteStore(path: copy, mode: .readOnly).integrityCheck()
    #expect(problems.isEmpty && done.withLock(\.self) == 1)

    let memory = try SQLiteStore.inMemory()
    try await memory.repository(of: Berry.self).insert(Berry(id: 1, name: "Oran"))
    try await memory.backup(to: folder.path("from-memory.sqlite"))
    let saved = try SQLiteStore(path: folder.path("from-memory.sqlite"))
    #expect(try await saved.repository(of: Berry.self).count() == 1)

    try await berries.filter { $0.id > 1 }.delete()
    try await store.vacuum()
    try await store.checkpoint()
    #expect(try await berries.count() == 1)
    await expectError(.cannotOpen) { try await store.backup(to: folder.path("berries.sqlite")) }
  }

  @Test("each of its lines of Swift stands in this file")
  func snippets() throws {
    let snippets = try Article("Sources/SQLiteStore/SQLiteStore.docc/Stores.md").snippets()
    #expect(snippets.count > 12 && snippets.missing.isEmpty)
  }
}
