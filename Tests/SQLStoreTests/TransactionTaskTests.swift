import Foundation
import Repository
import SQLStore
import Synchronization
import TestSupport
import Testing

extension TransactionTests {
  /// Waits until the closure of a transaction has ended, and a commit that waits for nothing would be made.
  private static func waitForCommit(of transaction: SQLTransaction, in fake: FakeDatabase) {
    while transaction.isActive { Thread.sleep(forTimeInterval: 0.001) }
    for _ in 0..<200 where !fake.log.contains("COMMIT") { Thread.sleep(forTimeInterval: 0.001) }
  }

  @Test("a transaction ends when the tasks that it started have done what they do with its connection")
  func taskOfTransaction() async throws {
    let fake = FakeDatabase()
    let task = Mutex<Task<Void, any Error>?>(nil)
    try await fake.open().transaction { (transaction: SQLTransaction) async throws in
      let hasBegun = Flag()
      task.withLock {
        $0 = Task {
          try await transaction.perform(.write, isLong: true) { connection throws(RepositoryError) in
            hasBegun.set()
            Self.waitForCommit(of: transaction, in: fake)
            _ = try connection.execute("A")
          }
        }
      }
      while !hasBegun.isSet { await Task.yield() }
    }
    try await task.withLock(\.self)?.value
    #expect(fake.log == ["BEGIN", "A", "COMMIT"])
  }

  @Test("one that blocks its thread does so, too")
  func taskOfBlockingTransaction() throws {
    let fake = FakeDatabase()
    let isOver = Flag()
    try fake.open().blocking.transaction(.writing) { transaction in
      let hasBegun = Flag()
      Thread.detachNewThread {
        try? transaction.performBlocking(.write) { connection throws(RepositoryError) in
          hasBegun.set()
          Self.waitForCommit(of: transaction, in: fake)
          _ = try connection.execute("A")
        }
        isOver.set()
      }
      while !hasBegun.isSet { Thread.sleep(forTimeInterval: 0.001) }
    }
    while !isOver.isSet { Thread.sleep(forTimeInterval: 0.001) }
    #expect(fake.log == ["BEGIN", "A", "COMMIT"])
  }

  @Test("a cancellation that comes when a task has done its work does not interrupt the next user of the connection")
  func lateCancellation() async throws {
    let fake = FakeDatabase()
    let raw = FakeConnection(fake)
    let current = Mutex<Task<Void, any Error>?>(nil)
    let connection = Connection(raw, of: fake)
    fake.script.withLock { script in
      // The cancellation has begun, and waits until the connection has been made ready.
      script.actionOfClearing = {
        let task = current.withLock(\.self)
        Thread.detachNewThread { task?.cancel() }
        while !Task.isCancelled { Thread.sleep(forTimeInterval: 0.001) }
        Thread.sleep(forTimeInterval: 0.02)
      }
    }
    let isKnown = Gate()
    let task = Task {
      await isKnown.wait()
      try await connection.cancellable { connection throws(RepositoryError) in _ = try connection.execute("A") }
    }
    current.withLock { $0 = task }
    isKnown.open()
    try await task.value
    #expect(!connection.wasInterrupted && raw.interruptionCount == 0)
    try connection.execute("B")
    #expect(fake.log == ["A", "B"])
  }
}
