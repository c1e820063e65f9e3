import PostgresStore
import Query
import Repository
import TestSupport
import Testing

@Suite("An index is built while others write", .requiresServer)
struct ConcurrentIndexTests {
  private static let create = Migration("create") { try $0.create(Note.schema) }
  private static let migrations = [
    create, Migration("texts") { try $0.addIndex(on: "text", of: "note", isUnique: true, concurrently: true) },
  ]

  private struct Index: Equatable {
    var name: String
    var isValid: Bool
  }

  private static func indexes(of store: PostgresStore) async throws -> [Index] {
    try await store.sql.query(
      """
      SELECT x.relname::text, indisvalid::int FROM pg_index JOIN pg_class x ON x.oid = indexrelid \
      WHERE indrelid = 'note'::regclass AND NOT indisprimary
      """, as: String.self, Int.self
    ).map { Index(name: $0, isValid: $1 == 1) }
  }

  private static let built = [Index(name: "note.text", isValid: true)]

  @Test("outside of a transaction, once, by one of several processes")
  func built() async throws {
    try await TestServer.withDatabase { connection in
      let statements = Journal<String>()
      let observer = StatementObserver { statements.note($0.sql) }
      let stores = try (0..<4).map { _ in
        try PostgresStore(connection, connections: 2, timeout: TestServer.timeout, observer: observer)
      }
      try await stores[0].migrate([Self.create])
      try await stores[0].repository(of: Note.self).save((0..<1_000).map { Note(id: $0, text: "\($0)") })
      let statement = "CREATE UNIQUE INDEX CONCURRENTLY"
      #expect(try stores[0].migrationPlan(Self.migrations).description.contains(statement))
      let applied = try await withThrowingTaskGroup(of: Int.self) { group in
        for store in stores { group.addTask { try await store.migrate(Self.migrations).count } }
        return try await group.reduce(0, +)
      }
      #expect(applied == 1)
      #expect(try await Self.indexes(of: stores[0]) == Self.built)
      #expect(statements.entries.count { $0.hasPrefix(statement) } == 1)
      #expect(try await stores[0].migrate(Self.migrations) == [])
      // The plan has it, too.
      let plan = try stores[0].migrationPlan(Self.migrations + [Migration("x") { try $0.drop(index: "note.text") }])
      #expect(plan.pending.map(\.name) == ["x"])
    }
  }

  @Test("again, where a build has left an invalid one, and not where it was built before it could be noted")
  func rebuilt() async throws {
    // A build waits for transactions of the whole database.
    try await TestServer.withDatabase { connection in
      let store = try PostgresStore(connection, connections: 4, timeout: TestServer.timeout)
      try await store.migrate([Self.create])
      let notes = try store.repository(of: Note.self)
      try await notes.save([Note(id: 1, text: "a"), Note(id: 2, text: "a")])
      // Two rows are in the way.
      await expectError(.migrationFailed) { try await store.migrate(Self.migrations) }
      #expect(try await Self.indexes(of: store) == [])
      // As a process leaves it that is killed meanwhile.
      await #expect(throws: RepositoryError.self) {
        try await store.sql.execute(#"CREATE UNIQUE INDEX CONCURRENTLY "note.text" ON note (text NULLS FIRST)"#)
      }
      #expect(try await Self.indexes(of: store) == [Index(name: "note.text", isValid: false)])
      try await notes.delete([2])
      #expect(try await store.migrate(Self.migrations).map(\.name) == ["texts"])
      #expect(try await Self.indexes(of: store) == Self.built)

      try await store.sql.execute("DELETE FROM repokit_migrations WHERE name = 'texts'")
      #expect(try await store.migrate(Self.migrations).map(\.name) == ["texts"])
      #expect(try await Self.indexes(of: store) == Self.built)
    }
  }

  @Test("and never another one of the name")
  func other() async throws {
    // A build waits for transactions of the whole database.
    try await TestServer.withDatabase { connection in
      let store = try PostgresStore(connection, connections: 4, timeout: TestServer.timeout)
      try await store.migrate([Self.create])
      for (kind, end) in [("INDEX", "(text)"), ("UNIQUE INDEX", "(id, text)"), ("UNIQUE INDEX", "(text) WHERE id > 1")]
      {
        let other = SQLStatement(verbatim: #"CREATE \#(kind) "note.text" ON note \#(end)"#)
        try await store.sql.execute(other)
        let error = await #expect(throws: RepositoryError.self) { try await store.migrate(Self.migrations) }
        let isNamed = error?.code == .migrationFailed && error?.reason?.contains("name") == true
        #expect(isNamed, "\(other.sql): \(error as Any)")
        try await store.sql.execute(#"DROP INDEX "note.text""#)
      }
      let mixed = Migration("mixed") {
        try $0.addIndex(on: "text", of: "note", concurrently: true)
        try $0.execute("DELETE FROM note")
      }
      await expectError(.invalidSchema) { try await store.migrate([Self.create, mixed]) }
    }
  }

  @Test("though other transactions last, for which it waits, until its task is cancelled")
  func waiting() async throws {
    // A build waits for transactions of the whole database.
    try await TestServer.withDatabase { connection in
      let store = try PostgresStore(connection, connections: 4, timeout: TestServer.timeout)
      try await store.migrate([Self.create])
      let notes = try store.repository(of: Note.self)
      let isOpen = Gate()
      let isOver = Gate()
      async let transaction: Void = store.transaction { _ in
        try await notes.save(Note(id: 1, text: "a"))
        isOpen.open()
        await isOver.wait()
      }
      await isOpen.wait()
      let migration = Task { try await store.migrate(Self.migrations) }
      // It has begun, and others write.
      while try await Self.indexes(of: store).isEmpty { try await Task.sleep(for: .milliseconds(5)) }
      try await notes.save(Note(id: 2, text: "b"))
      migration.cancel()
      let result = await migration.result
      #expect(throws: RepositoryError.self) { try result.get() }
      isOver.open()
      try await transaction
      #expect(try await store.migrate(Self.migrations).map(\.name) == ["texts"])
      #expect(try await Self.indexes(of: store) == Self.built)
    }
  }
}
