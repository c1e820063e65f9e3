import Query
import Repository
import Testing

@testable import SQLiteStore

@Suite("Stopping a store")
struct StoppingTests {
  /// Far more rows than can be counted within a test.
  private static let endless: SQLStatement = """
    WITH RECURSIVE number(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM number) SELECT count(*) FROM number
    """

  @Test("ends a call that does not suspend, and refuses those after it")
  func blocking() async throws {
    let store = try SQLiteStore.inMemory()
    let call = Task.detached { () -> RepositoryError.Code? in
      do {
        // In a function that does not suspend, this is the call that does not.
        func count() throws { _ = try store.sql.query(Self.endless, as: Int.self) }
        try count()
        return nil
      } catch {
        return (error as? RepositoryError)?.code
      }
    }
    store.stop()
    #expect(await call.value == .cancelled)
    #expect(throws: RepositoryError.self) { try store.tableNames() }
  }
}

@Suite("Values for completions")
struct SampledValuesTests {
  @Test("are different, short and few")
  func values() async throws {
    let store = try SQLiteStore.inMemory()
    let table: SQLStatement = "CREATE TABLE \"a b\"(\"x'; y\" ANY, n INTEGER)"
    _ = try await store.sql.execute(table)
    for value: Value in ["b", "a", "b", 1, 2.5, .null, .blob([1]), .text(String(repeating: "x", count: 61))] {
      _ = try await store.sql.execute("INSERT INTO \(identifier: "a b") VALUES (\(value), 1)")
    }
    #expect(try await store.sampledValues(of: "x'; y", in: "a b") == [1, 2.5, "a", "b"])
    #expect(try await store.sampledValues(of: "x'; y", in: "a b", rows: 2) == ["a", "b"])
    #expect(try await store.sampledValues(of: "x'; y", in: "a b", atMost: 3) == nil)
    await #expect(throws: RepositoryError.self) { try await store.sampledValues(of: "none", in: "a b") }
  }
}
