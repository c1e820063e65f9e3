import Query
import Repository
import Testing

@testable import SQLiteStore

@Suite("Indexes")
struct IndexTests {
  private func store() throws -> SQLiteStore {
    let store = try SQLiteStore.inMemory()
    for sql in [
      "CREATE TABLE t (a TEXT COLLATE NOCASE, b INTEGER UNIQUE, c, PRIMARY KEY (a, b)) WITHOUT ROWID",
      "CREATE INDEX part ON t (c, lower(a)) WHERE c > 1", "INSERT INTO t VALUES ('x', 1, 5), ('y', 2, 5), ('z', 3, 6)",
    ] { try store.sql.execute(SQLStatement(verbatim: sql)) }
    return store
  }

  @Test("are described as they are")
  func description() throws {
    let indexes = try store().indexes(ofTable: "t")
    #expect(indexes.map(\.name) == ["part", "sqlite_autoindex_t_1", "sqlite_autoindex_t_2"])
    #expect(indexes.map(\.columns) == [["c", nil], ["b"], ["a", "b"]])
    #expect(indexes.map(\.isUnique) == [false, true, true])
    #expect(indexes.map(\.isPartial) == [true, false, false])
    #expect(indexes.map(\.origin) == [.created, .uniqueness, .primaryKey])
    #expect(indexes.map(\.isDroppable) == [true, false, false])
    #expect(throws: RepositoryError.self) { try store().indexes(ofTable: "u") }
  }

  @Test("are created and dropped in a transaction")
  func changes() throws {
    let store = try store()
    let table = try store.schema(ofTable: "t")
    #expect(SQLiteStore.indexName(of: ["c", "b"], in: "t") == "t.c.b")
    try store.transaction { transaction in
      try transaction.createIndex("t.c.b", on: ["c", "b"], of: table, isUnique: true)
      try transaction.dropIndex("part")
    }
    #expect(try store.indexes().filter(\.isDroppable).map(\.name) == ["t.c.b"])
    expectError(.conflict) {
      try store.transaction { try $0.createIndex("t.c", on: ["c"], of: table, isUnique: true) }
    }
  }

  @Test("could not be unique for values that are told, by the column's own comparison")
  func duplicates() throws {
    let store = try SQLiteStore.inMemory()
    for sql in [
      "CREATE TABLE t (a TEXT COLLATE NOCASE, b INTEGER)",
      "INSERT INTO t VALUES ('x', 1), ('X', 1), ('y', 2), ('y', 2), ('y', 2), (NULL, 3), (NULL, 3), ('é', 4), ('É', 4)",
    ] { try store.sql.execute(SQLStatement(verbatim: sql)) }
    let table = try store.schema(ofTable: "t")
    let found = try store.duplicates(of: ["a"], in: table, limit: 9)
    #expect(found.map(\.count) == [3, 2])
    #expect(found.first?.values == [.text("y")])
    #expect(try store.duplicates(of: ["a"], in: table, limit: 1).count == 1)
    #expect(try store.rowCount(ofTable: "t") == 9)
  }
}
