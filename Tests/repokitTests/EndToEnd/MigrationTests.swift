import SQLiteStore
import Testing

@Suite("A database with migrations")
struct MigrationTests {
  @Test("tells of them beside its tables, and their own table is none of those")
  func schema() async throws {
    let workshop = try Workshop()
    do {
      let store = try SQLiteStore(path: "\(workshop.path)/a.sqlite")
      try await store.migrate([
        Migration("create type") { try $0.execute("CREATE TABLE type (name TEXT NOT NULL PRIMARY KEY) STRICT") },
        Migration("two\nlines") { _ in },
      ])
    }
    let outcome = try await workshop.run(["schema", "a.sqlite"])
    #expect(outcome.messages == "")
    let times = outcome.output.matches(of: #/  [0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z  /#)
    #expect(times.count == 2)
    #expect(
      outcome.output.replacing(#/ [0-9]{4}-[^ ]*Z /#, with: " (time) ")
        == "type\n  name  text     key\n\napplied migrations\n  (time)  create type\n  (time)  two␊lines\n")
    #expect(try await workshop.run(["tables", "a.sqlite", "--names"]).output == "type\n")
    let names = try await workshop.run([
      "query", "a.sqlite", "repokit_migrations", "--columns", "name", "--format", "csv",
    ])
    #expect(names.output.hasPrefix("name\ncreate type\n"))
  }

  @Test("of another program under that name is described without them")
  func stranger() async throws {
    let workshop = try Workshop()
    do {
      let store = try SQLiteStore(path: "\(workshop.path)/a.sqlite")
      try await store.sql.execute("CREATE TABLE repokit_migrations (a)")
      try await store.sql.execute("CREATE TABLE b (a)")
    }
    let outcome = try await workshop.run(["schema", "a.sqlite"])
    #expect(outcome.output == "b\n  a  any      may be null, declared without a type\n")
  }
}
