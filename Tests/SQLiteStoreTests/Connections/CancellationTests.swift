import Dispatch
import Query
import Repository
import SQLInspection
import SQLiteInspection
@testable import SQLStore
@testable import SQLiteStore
import Synchronization
import Testing

@Suite("Interrupting a connection")
struct InterruptionTests {
  /// Interrupts a connection without end on another thread, while something is done.
  private func interrupting(_ connection: Connection, _ body: () throws -> Void) rethrows {
    let end = DispatchSemaphore(value: 0)
    let flag = Flag()
    DispatchQueue.global().async {
      while !flag.isSet { connection.interrupt() }
      end.signal()
    }
    defer {
      flag.set()
      end.wait()
    }
    try body()
  }

  @Test("no rollback is left undone", arguments: [true, false])
  func rollback(isNested: Bool) throws {
    let driver = try SQLiteStore.inMemory().driver
    let connection = Connection(SQLiteConnection(try RawDatabase(path: ":memory:", mode: .create)), of: driver)
    var left = 0
    interrupting(connection) {
      for _ in 0..<2_000 {
        while !connection.isInTransaction {
          connection.clearInterruption()
          try? isNested ? connection.begin(.trial) : connection.begin(.writing)
        }
        if isNested { connection.rollBack(to: .trial) } else { connection.rollBack(.writing) }
        if connection.isInTransaction { left += 1 }
      }
    }
    #expect(left == 0)
  }
}

/// Something that is over or not.
private final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}

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
        func count() throws { _ = try store.blocking.sql.query(Self.endless, as: Int.self) }
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
