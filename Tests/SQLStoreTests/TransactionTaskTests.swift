import Foundation
import Repository
import SQLStore
import Synchronization
import Testing

extension TransactionTests {
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
            Thread.sleep(forTimeInterval: 0.02)
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
    try fake.open().transaction { (transaction: SQLTransaction) in
      let hasBegun = Flag()
      Thread.detachNewThread {
        try? transaction.performBlocking(.write) { connection throws(RepositoryError) in
          hasBegun.set()
          // The closure of the transaction ends meanwhile, and a commit that does not wait has its time.
          while transaction.isActive { Thread.sleep(forTimeInterval: 0.001) }
          for _ in 0..<50 where !fake.log.contains("COMMIT") { Thread.sleep(forTimeInterval: 0.001) }
          _ = try connection.execute("A")
        }
        isOver.set()
      }
      while !hasBegun.isSet { Thread.sleep(forTimeInterval: 0.001) }
    }
    while !isOver.isSet { Thread.sleep(forTimeInterval: 0.001) }
    #expect(fake.log == ["BEGIN", "A", "COMMIT"])
  }
}
