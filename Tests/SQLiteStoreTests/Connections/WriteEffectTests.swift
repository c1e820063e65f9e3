import Repository
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@testable import SQLStore

@Suite("The tables that a write changes besides its own")
struct WriteEffectTests {
  @Test("are looked up again where another program makes a trigger meanwhile")
  func triggerMeanwhile() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite")
    let other = try SQLiteStore(path: path)
    _ = try other.repository(of: City.self)
    try await other.sql.execute("CREATE TABLE visit (id INTEGER PRIMARY KEY)")
    let meanwhile = Mutex<(@Sendable () -> Void)?>(nil)
    let observer = StatementObserver { event in
      guard event.sql.contains("type = 'trigger'") else { return }
      meanwhile.withLock { work in
        work?()
        work = nil
      }
    }
    let store = try SQLiteStore(path: path, observer: observer)
    let city = TableSet(["city"])
    var results = try store.repository(of: City.self).selection().changes().makeAsyncIterator()
    _ = try await results.next()
    let before = try await store.sources(of: city)
    // Another program commits, and a poll notices it, while the triggers are read.
    meanwhile.withLock { work in
      work = { [signal = store.signal] in
        #expect(throws: Never.self) {
          try other.blocking.transaction(.writing) {
            try $0.execute("CREATE TRIGGER t AFTER INSERT ON visit BEGIN DELETE FROM city; END")
          }
        }
        signal.notify()
      }
    }
    store.signal.notify()
    #expect(try await store.sources(of: city) == before)
    let after = try await store.sources(of: city)
    #expect(after != before)
    #expect(try await other.sources(of: city) == after)
  }

  @Test("are those whose foreign keys delete or change rows", arguments: ForeignKeyActions.cases)
  func actions(action: String, changesRows: Bool) async throws {
    let store = try SQLiteStore.inMemory()
    try await store.sql.execute("CREATE TABLE parent (id INTEGER PRIMARY KEY)")
    try await store.sql.execute(
      SQLStatement(verbatim: "CREATE TABLE child (parent INTEGER REFERENCES parent \(action))"))
    #expect(try await store.sources(of: TableSet(["child"])).intersects(TableSet(["parent"])) == changesRows)
    #expect(try await !store.sources(of: TableSet(["parent"])).intersects(TableSet(["child"])))
  }
}
