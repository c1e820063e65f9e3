import Foundation
import Query
import Repository
import SQLiteStore
import Testing

@Suite("Statements bind what is interpolated")
struct SQLStatementTests {
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
    let rows = try sql.query(
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
    let found = try City.store().sql.query("SELECT id FROM city WHERE id IN \(ids)", as: Int.self)
    #expect(found == [1, 2, 3].filter { $0 <= count })
  }

  @Test("A hostile text stays a text wherever it is interpolated")
  func hostile() throws {
    let store = try City.store()
    for city in City.all {
      #expect(try store.sql.query("SELECT * FROM city WHERE name = \(city.name)", as: City.self) == [city])
      try store.sql.execute("UPDATE city SET name = \(city.name) WHERE id = \(city.id)")
    }
    #expect(try store.repository(of: City.self).findAll(FetchRequest()) == City.all)
  }
}
