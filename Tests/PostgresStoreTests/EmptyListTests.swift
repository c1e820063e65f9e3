import Repository
import SQLStore
import Testing

@Suite("A list without values in a statement")
struct EmptyListTests {
  @Test("has no value in it, of whatever type the other side is", arguments: TestDatabase.available)
  func membership(_ database: TestDatabase) async throws {
    try await database.withStore { store in
      try await store.sql.execute("CREATE TABLE t (id integer, name text, weight double precision)")
      try await store.sql.execute("INSERT INTO t VALUES (1, 'a', 1.5), (2, NULL, NULL)")
      let (numbers, names, weights) = ([Int](), Set<String>(), [Double?]())
      func count(_ condition: SQLStatement) async throws -> [Int] {
        try await store.sql.query("SELECT count(*) FROM t WHERE \(part: condition)", as: Int.self)
      }
      #expect(try await count("id IN \(numbers)") == [0])
      #expect(try await count("id NOT IN \(numbers)") == [2])
      #expect(try await count("name in \(names) OR weight IN\(weights)") == [0])
      #expect(try await count("name not in \(names) AND weight NOT  IN  \(weights)") == [2])
      #expect(try await count("NOT id + 1 IN \(numbers) AND id IN \([1, 7])") == [1])
      try await store.sql.execute("DELETE FROM t WHERE id IN \(numbers)")
      try await store.migrate([Migration("delete") { try $0.execute("DELETE FROM t WHERE id NOT IN \(numbers)") }])
      #expect(try await count("true") == [0])
    }
  }
}
