import Dispatch
import Repository
import Synchronization
import Testing

@testable import SQLiteStore

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

  @Test("no rollback is left undone", arguments: [Connection.Level.writing, .savepoint(1)])
  func rollback(level: Connection.Level) throws {
    let connection = Connection(try RawDatabase(path: ":memory:", mode: .create))
    var left = 0
    interrupting(connection) {
      for _ in 0..<2_000 {
        while !connection.isInTransaction {
          connection.forgetInterruption()
          try? connection.begin(level)
        }
        connection.rollBack(level)
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
