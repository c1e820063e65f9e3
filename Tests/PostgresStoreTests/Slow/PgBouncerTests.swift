import PostgresStore
import Query
import Repository
@testable import RepositoryTesting
import SQLStore
import TestSupport
import Testing

@Suite("Behind PgBouncer in transaction mode", .tags(.slow), .requiresServer, .requiresPgBouncer)
struct PgBouncerTests {
  private struct Note: Entity, Hashable {
    var id: Int?
    var text: String

    static let schema = Schema("note", Note.init, Column("id", \.id, .generated), Column("text", \.text))
  }

  private static func store(_ connection: String, timeout: Duration = TestServer.timeout) throws -> PostgresStore {
    try PostgresStore(connection, connections: 8, timeout: timeout, preparedStatements: false)
  }

  @Test("the contract is kept without prepared statements")
  func contract() async throws {
    try await PgBouncer.with(sessions: 20) { pooled, direct in
      let administrator = try PostgresStore(direct, connections: 1, timeout: TestServer.timeout)
      func clear() async throws {
        try await administrator.sql.execute("DROP SCHEMA public CASCADE")
        try await administrator.sql.execute("CREATE SCHEMA public")
      }
      var checklist = Checklist(subject: "a store", unsupported: ConformanceTests.unsupported)
      try await checklist.check(RuleCatalogue.stores) { declaration in
        try await clear()
        return DeclaringStore(base: try Self.store(pooled), declaration: declaration) as any Store
      }
      _ = try checklist.finish()
      _ = try await RepositoryConformance.verify(Station.rules, without: ConformanceTests.unsupported) {
        try await clear()
        return try Self.store(pooled).repository(of: Station.self)
      }
    }
  }

  @Test("many tasks share two sessions, of which each transaction gets either")
  func sharing() async throws {
    try await PgBouncer.with { pooled, direct in
      let store = try Self.store(pooled)
      let notes = try store.repository(of: Note.self)
      try await withThrowingTaskGroup { group in
        for task in 0..<8 {
          group.addTask {
            for number in 0..<25 {
              let saved = try await notes.insert([Note(text: "\(task).\(number)")])
              let id = try #require(saved.first?.id)
              #expect(try await notes.find(id) == saved.first)
              #expect(try await notes.filter { $0.text == "\(task).\(number)" }.count() == 1)
              try await store.transaction(attempts: 20) { transaction in
                let notes = try transaction.repository(of: Note.self)
                try await notes.update(where: .equal(key: "id", value: id), set: [Assignment("text", "x\(id)")])
                _ = try await notes.filter(.equal(key: "id", value: id)).all()
              }
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await notes.filter { $0.text.hasPrefix("X", ignoringCase: true) }.count() == 200)
      #expect(try await notes.insert((0..<1_000).map { Note(text: "y\($0)") }).count == 1_000)
      // Nothing is left in a session for others: no statements, and no settings but those that PgBouncer keeps apart.
      let limit = try await store.sql.query("SELECT current_setting('lock_timeout')", as: String.self)
      #expect(limit == ["0"])
    }
  }

  @Test("a column that another program has changed is read as it is then")
  func changedColumns() async throws {
    try await PgBouncer.with { pooled, direct in
      let (store, other) = (try Self.store(pooled), try PostgresStore(direct, connections: 1))
      try await other.sql.execute("CREATE TABLE t (id int PRIMARY KEY, a int)")
      try await other.sql.execute("INSERT INTO t SELECT i, i FROM generate_series(1, 1000) i")
      for type in ["bigint", "text", "numeric(9,1)", "int"] {
        try await other.sql.execute(SQLStatement(verbatim: "ALTER TABLE t ALTER a TYPE \(type) USING a::\(type)"))
        let rows = try await store.sql.query("SELECT * FROM t ORDER BY id", as: Int.self, Value.self)
        let expected: Value = type == "text" ? "1000" : type == "numeric(9,1)" ? 1000.0 : 1000
        #expect(rows.count == 1_000 && rows.last?.1 == expected, "\(type)")
      }
    }
  }

  @Test("within a transaction, a lock is waited for as long as the store says")
  func lockTimeout() async throws {
    try await PgBouncer.with(sessions: 4) { pooled, _ in
      let (holder, store) = (try Self.store(pooled), try Self.store(pooled, timeout: .milliseconds(300)))
      let notes = try holder.repository(of: Note.self)
      let id = try #require(try await notes.insert([Note(text: "a")]).first?.id)
      let others = try store.repository(of: Note.self)
      try await holder.transaction { transaction in
        let notes = try transaction.repository(of: Note.self)
        try await notes.update(where: .equal(key: "id", value: id), set: [Assignment("text", "b")])
        let error = await #expect(throws: RepositoryError.self) {
          try await store.transaction { transaction in
            let notes = try transaction.repository(of: Note.self)
            try await notes.update(where: .true, set: [Assignment("text", "c")])
          }
        }
        #expect(error?.code == .busy && (error?.underlying as? PostgresError)?.sqlState == "55P03")
      }
      #expect(try await others.find(id)?.text == "b")
    }
  }

  @Test("live results are told of what the store itself changes")
  func liveResults() async throws {
    try await PgBouncer.with { pooled, _ in
      let store = try Self.store(pooled)
      let notes = try store.repository(of: Note.self)
      var results = notes.selection().changes().makeAsyncIterator()
      #expect(try await results.next()?.count == 0)
      try await notes.insert([Note(text: "a")])
      #expect(try await results.next()?.map(\.text) == ["a"])
    }
  }
}
