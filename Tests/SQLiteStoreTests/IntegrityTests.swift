import Query
import Repository
import TestSupport
import Testing

@testable import SQLiteStore

@Suite("What is wrong with a database")
struct IntegrityTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A database that another program made.
  private func store(_ statements: String...) throws -> SQLiteStore {
    let path = folder.path("a.sqlite")
    let database = try RawDatabase(path: path, mode: .create)
    for sql in statements { _ = try database.prepare(sql).step() }
    return try SQLiteStore(path: path)
  }

  @Test("is nothing where all is well")
  func whole() async throws {
    let store = try store("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO t VALUES (1, 'x')")
    #expect(try await store.integrityCheck() == [])
    #expect(try await SQLiteStore.inMemory().integrityCheck() == [])
  }

  @Test("a row that refers to one that is not there")
  func brokenReference() async throws {
    let store = try store(
      "CREATE TABLE trainer (id INTEGER PRIMARY KEY)",
      "CREATE TABLE pokemon (id INTEGER PRIMARY KEY, trainer REFERENCES trainer)",
      "INSERT INTO trainer VALUES (1)", "INSERT INTO pokemon VALUES (1, 1), (2, 7), (3, 8)")
    let problems = try await store.integrityCheck()
    #expect(problems.map(\.kind) == [.brokenReference])
    #expect(problems.map(\.description) == ["pokemon: 2 rows refer to rows of trainer that are not there"])
  }

  @Test("a text that is not UTF-8")
  func invalidText() async throws {
    let store = try store(
      "CREATE TABLE \"a \"\"b\"\"\" (id INTEGER PRIMARY KEY, name TEXT, note TEXT)",
      "INSERT INTO \"a \"\"b\"\"\" VALUES (1, CAST(x'ff' AS TEXT), 'x'), (2, CAST(x'c341' AS TEXT), 'y'), (3, 'z', x'ff')"
    )
    let problems = try await store.integrityCheck()
    #expect(problems.map(\.kind) == [.invalidText])
    #expect(problems.map(\.table) == ["a \"b\""])
    #expect(problems.map(\.summary) == ["2 texts in column name are not valid UTF-8"])
  }

  @Test("a row that breaks a rule of its table")
  func brokenRule() async throws {
    let store = try store(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO t VALUES (1, NULL)",
      "PRAGMA writable_schema = ON",
      "UPDATE sqlite_schema SET sql = 'CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL)' WHERE name = 't'")
    #expect(try await store.integrityCheck().map(\.kind) == [.damage])
  }
}
