import Foundation
import Query
import Repository
import SQLiteStore
import TestSupport
import Testing

@Suite("Statements in SQL")
struct SQLSessionTests {
  @Test("A result is read as records, elements or values, with and without suspending")
  func reading() async throws {
    let sql = try City.store().sql
    let records = try await sql.query("SELECT name, height AS h FROM city ORDER BY id LIMIT 2")
    #expect(records.map(\.keys) == [["name", "h"], ["name", "h"]])
    #expect(records.map { $0["h"] } == [60.0, .null])
    let cities = try await sql.query("SELECT height, 7 AS x, name, id FROM city ORDER BY id", as: City.self)
    #expect(cities == City.all)
    let pairs = try await sql.query("SELECT count(*), max(height) FROM city", as: Int.self, Double?.self)
    #expect(pairs.count == 1 && pairs[0] == (3, 60))
  }

  @Test("A statement changes rows, and tells how many")
  func changing() async throws {
    let store = try City.store()
    #expect(try await store.sql.execute("UPDATE city SET height = \(nil as Double?) WHERE id > \(1)") == 2)
    #expect(try await store.sql.execute("CREATE TABLE note (a)") == 0)
    #expect(try await store.sql.execute("SELECT 1") == 0)
    let returned = try await store.sql.query("DELETE FROM city WHERE id = \(3) RETURNING name", as: String.self)
    #expect(returned == ["東京\u{0}"])
    #expect(try await store.sql.query("SELECT count(*) FROM city", as: Int.self) == [2])
  }

  @Test("Statements take part in transactions")
  func transactions() async throws {
    let store = try City.store()
    _ = try? await store.transaction { transaction in
      try await transaction.sql.execute("DELETE FROM city")
      try await store.sql.execute("INSERT INTO city VALUES (9, 'Rome', NULL)")
      #expect(try await store.sql.query("SELECT id FROM city", as: Int.self) == [9])
      throw CancellationError()
    }
    #expect(try await store.repository(of: City.self).findAll() == City.all)
    try await store.read { transaction in
      await expectError(.writeInsideRead) { try await transaction.sql.execute("DELETE FROM city") }
      await expectError(.writeInsideRead) { try await store.sql.query("DELETE FROM city RETURNING id") }
    }
    #expect(try await store.repository(of: City.self).findAll() == City.all)
  }

  @Test(
    "What is no statement for here is refused and says why",
    arguments: [
      ("SELEC 1", "syntax error"), ("SELECT nme FROM city", "no such column: nme"),
      ("SELECT 1; SELECT 2", "more than one"),
      ("", "no statement"), ("SELECT '", "unrecognized token"), ("BEGIN", "transaction { }"),
      (" -- x\n /* y */ commit", "transaction { }"), ("ROLLBACK", "throw"), ("savepoint a", "transaction { }"),
      ("PRAGMA foreign_keys = OFF", "pragma_name"), ("ATTACH 'x' AS y", "as a store"), ("vacuum", "vacuum()"),
      ("CREATE TEMP TABLE city (id)", "not authorized"), ("CREATE VIEW temp.city AS SELECT 1", "not authorized"),
      ("CREATE TEMPORARY TRIGGER t BEFORE INSERT ON city BEGIN SELECT RAISE(IGNORE); END", "not authorized"),
      ("SELECT ?", "1 placeholders and 0 values"), ("SELECT \"nme\" FROM city", "no such column"),
    ] as [(String, String)])
  func refused(sql: String, words: String) throws {
    let store = try City.store()
    for attempt in [
      { try store.blocking.sql.execute(SQLStatement(verbatim: sql)) },
      { try store.blocking.sql.query(SQLStatement(verbatim: sql)).count },
    ] {
      #expect {
        try attempt()
      } throws: { error in
        guard let error = error as? RepositoryError else { return false }
        return error.code == .invalidStatement && error.description.contains(words)
      }
    }
    #expect(try store.sqlRepository(of: City.self).blocking.count(.true) == 3)
  }

  @Test("A result that does not fit names the column, never the value")
  func misfits() throws {
    let sql = try City.store().sql
    expectError(.unreadableRow, "can't read row 1 of the result, column name") {
      try sql.blocking.query("SELECT name FROM city", as: Int.self)
    }
    expectError(.invalidStatement, "the result has 2 columns, not 1") {
      try sql.blocking.query("SELECT name, id FROM city", as: String.self)
    }
    expectError(.invalidStatement, "no column height") {
      try sql.blocking.query("SELECT id, name FROM city", as: City.self)
    }
    expectError(.unreadableRow, "can't read row 1 of city, column name") {
      try sql.blocking.query("SELECT id, NULL AS name, height FROM city", as: City.self)
    }
    expectError(.invalidValue) { try sql.blocking.query("SELECT \(Double.nan)") }
    expectError(.unreadableRow, "column x") { try sql.blocking.query("SELECT CAST(x'FF' AS TEXT) AS x") }
  }
}

@Suite("Statements bind interpolated values")
struct SQLStatementTests {
  @Test("A misspelled name in double quotes is no text")
  func misspelledName() async throws {
    let sql = try City.store().sql
    await expectError(.invalidStatement) {
      try await sql.query("SELECT id FROM city WHERE \"nme\" <> ''", as: Int.self)
    }
  }

  @Test("A value, a name, a list and a part of a statement")
  func interpolation() {
    let name = "x' OR 1 = 1; --"
    let part: SQLStatement = "AND height > \(1.5)"
    let statement: SQLStatement =
      "SELECT \(identifier: "a\"b") FROM \(table: City.self) WHERE name = \(name) \(part: part) AND id IN \([1, 2]) AND x = \(Value.null)"
    #expect(
      statement.sql == #"SELECT "a""b" FROM "city" WHERE name = ? AND height > ? AND id IN (?, ?) AND x = ?"#)
    #expect(statement.bindings == [.text(name), 1.5, 1, 2, .null])
    #expect(!statement.description.contains("OR 1"))
  }

  @Test("Values of all kinds, read as they were bound")
  func kinds() throws {
    let sql = try SQLiteStore.inMemory().sql
    let id = UUID()
    let date = Date(timeIntervalSince1970: 1_000.25)
    let rows = try sql.blocking.query(
      "SELECT \("a\0é"), \(Int64.min), \(Double.infinity), \(blob: [0, 255]), \(Data([7])), \(id), \(date), \(nil as Int?), \(true)",
      as: String.self, Int64.self, Double.self, [UInt8].self, Data.self, UUID.self, Date.self, Int?.self, Bool.self)
    #expect(rows.count == 1)
    let row = try #require(rows.first)
    #expect(row.0 == "a\0é" && row.1 == .min && row.2 == .infinity && row.3 == [0, 255])
    #expect(row.4 == Data([7]) && row.5 == id && row.6 == date && row.7 == nil && row.8)
  }

  @Test("Lists of any length", arguments: [0, 1, 16, 17, 100_000])
  func lists(count: Int) throws {
    let ids = Array(1..<(count + 1))
    let found = try City.store().blocking.sql.query("SELECT id FROM city WHERE id IN \(ids)", as: Int.self)
    #expect(found == [1, 2, 3].filter { $0 <= count })
  }

  @Test("A hostile text stays a text wherever it is interpolated")
  func hostile() throws {
    let store = try City.store()
    for city in City.all {
      #expect(try store.blocking.sql.query("SELECT * FROM city WHERE name = \(city.name)", as: City.self) == [city])
      try store.blocking.sql.execute("UPDATE city SET name = \(city.name) WHERE id = \(city.id)")
    }
    #expect(try store.sqlRepository(of: City.self).blocking.findAll(FetchRequest()) == City.all)
  }
}

struct City: Entity, Hashable {
  let id: Int
  var name: String
  var height: Double?

  static let schema = Schema(
    "city", City.init, Column("id", \.id), Column("name", \.name), Column("height", \.height))

  static let all = [
    City(id: 1, name: "Bonn", height: 60), City(id: 2, name: "O'Fallon; DROP TABLE city; --", height: nil),
    City(id: 3, name: "東京\u{0}", height: 40.5),
  ]

  static func store() throws -> SQLiteStore {
    let store = try SQLiteStore.inMemory()
    try store.sqlRepository(of: City.self).blocking.save(all)
    return store
  }
}
