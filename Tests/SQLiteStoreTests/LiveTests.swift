import Query
import Repository
import SQLiteStore
import TestSupport
import Testing

@Suite("Live results of a file")
struct LiveTests {
  @Test("What another connection commits is noticed", .timeLimit(.minutes(10)))
  func otherStore() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("cities.sqlite")
    let (one, other) = (try SQLiteStore(path: path), try SQLiteStore(path: path))
    var results = try one.repository(of: City.self).changes().makeAsyncIterator()
    #expect(try await results.next() == [])
    try await other.repository(of: City.self).save(City.all)
    #expect(try await results.next() == City.all)
    try await other.sql.execute("DELETE FROM city WHERE id > 1")
    #expect(try await results.next() == [City.all[0]])
    let reader = try SQLiteStore(path: path, mode: .readOnly)
    var read = try reader.repository(of: City.self).changes().makeAsyncIterator()
    #expect(try await read.next() == [City.all[0]])
    try await one.sql.execute("DELETE FROM city")
    #expect(try await read.next() == [])
  }

  @Test("Statements, triggers and foreign keys are noticed too", .timeLimit(.minutes(10)))
  func statements() async throws {
    let store = try City.store()
    try await store.sql.execute("CREATE TABLE log (id INTEGER PRIMARY KEY)")
    try await store.sql.execute(
      "CREATE TRIGGER logged AFTER INSERT ON log BEGIN DELETE FROM city WHERE id = new.id; END")
    var results = try store.repository(of: City.self).changes().makeAsyncIterator()
    #expect(try await results.next() == City.all)
    try await store.sql.execute("INSERT INTO log VALUES (1)")
    #expect(try await results.next() == Array(City.all.dropFirst()))
  }

  @Test("Nobody looks out for others any more once nobody observes", .timeLimit(.minutes(10)))
  func ending() async throws {
    let folder = try TemporaryFolder()
    weak var weakStore: SQLiteStore?
    do {
      let store = try SQLiteStore(path: folder.path("cities.sqlite"))
      weakStore = store
      for try await cities in try store.repository(of: City.self).changes() where cities.isEmpty { break }
    }
    #expect(weakStore == nil)
  }
}
