import Query
import Repository
import SQL
import SQLStore
import Synchronization
import TestSupport

/// One run of a program over a faked database.
struct FakeRun: Sendable {
  let steps: StepExecutor
  let fake: FakeDatabase
  let store: SQLDatabase
  /// Until when every task waits for a connection, unless the timeout is zero.
  let deadline: ManualDeadline

  init(_ kind: FakeKind, timeout: Duration, on steps: StepExecutor) throws {
    let deadline = ManualDeadline(on: steps)
    self.steps = steps
    self.deadline = deadline
    fake = try kind.database(on: steps)
    store = SQLDatabase(
      ConnectionPool(fake, timeout: timeout) { timeout > .zero ? Deadline(by: deadline) : Deadline(in: timeout) })
  }
}

/// Programs in which something goes wrong between the tasks that share a pool.
enum PoolProgram {
  /// What ends a wait.
  enum Stop: String, CaseIterable {
    case cancellation, deadline
  }

  /// A task holds a connection until one that may be waiting for it has ended, after it was stopped. The task has held one just
  /// before, so that the waiter may have been woken by that in vain.
  static func stoppedWaiter(in run: FakeRun, by stop: Stop) async throws -> Interleavings.Program {
    let bank = try await Bank(run.store)
    let made = Mutex(0)
    let addOne: Interleavings.Program.Body = {
      do {
        try await bank.change(1, by: 1, attempts: 1)
        made.withLock { $0 += 1 }
      } catch let error as RepositoryError where error.code == .busy || error.code == .cancelled {}
    }
    let stopping: Interleavings.Program.Body = {
      let waiter = Task(executorPreference: run.steps, operation: addOne)
      try await addOne()
      try await run.store.transaction { (_: SQLTransaction) async throws in
        switch stop {
        case .cancellation: waiter.cancel()
        case .deadline: run.deadline.pass()
        }
        try await waiter.value
      }
    }
    return Interleavings.Program(tasks: [addOne, stopping]) {
      let (found, told) = (try await bank.balance(1), made.withLock(\.self))
      return found == told ? nil : "\(told) updates were acknowledged, and \(found) made"
    }
  }

  /// What fails at whichever task comes first, once unless it says otherwise.
  enum Failure: String, CaseIterable {
    case connecting = "CONNECT"
    /// Two writes.
    case writing = "INSERT"
    /// The connection dies with a write.
    case connection
    case commit = "COMMIT"
    case rollback = "ROLLBACK"
    case savepoint = "SAVEPOINT repokit_nested"
    case rollbackToSavepoint = "ROLLBACK TO repokit_nested"
  }

  /// Three transactions with a part that may be undone alone, and a write that is tried again within the same transaction: one of
  /// a task that gives up, one whose part does, and one that is to be made.
  static func withFailure(_ failure: Failure, in run: FakeRun) async throws -> Interleavings.Program {
    let bank = try await Bank(run.store)
    run.fake.plan(failure)
    // Where nobody opens a connection to write, a reader does.
    let reading: Interleavings.Program.Body = {
      do { _ = try await bank.sumInSnapshot() } catch is RepositoryError {}
    }
    let told = Mutex([0, 0])
    @Sendable func transact(isPartRefused: Bool = false, isRefused: Bool = false) async throws {
      do {
        let part = try await run.store.transaction { (transaction: SQLTransaction) async throws -> Int in
          let part = try? await transaction.transaction { (_: SQLTransaction) async throws -> Int in
            try await bank.add(10, to: 1)
            if isPartRefused { throw Bank.Refused() }
            return 10
          }
          do { try await bank.add(1, to: 2) } catch is RepositoryError { try await bank.add(1, to: 2) }
          if isRefused { throw Bank.Refused() }
          return part ?? 0
        }
        told.withLock { $0 = [$0[0] + part, $0[1] + 1] }
      } catch is RepositoryError {
        // What failed, or what another transaction has refused.
      } catch is Bank.Refused {}
    }
    return Interleavings.Program(
      tasks: [
        { try await transact(isRefused: true) }, { try await transact() }, { try await transact(isPartRefused: true) },
        reading,
      ]
    ) {
      // What was not reached, such as the opening of a connection, does not fail for the check.
      run.fake.script.withLock { $0.failures = [:] }
      let told = told.withLock(\.self)
      let found = [try await bank.balance(1), try await bank.balance(2)]
      // At most one fails, and who is refused has somebody else to blame.
      if found[1] == 0 { return "nothing was made" }
      return found == told ? nil : "\(told) was acknowledged, \(found) made"
    }
  }

  /// An observer looks again and again until its task is cancelled.
  static func cancelledObserver(in run: FakeRun) async throws -> Interleavings.Program {
    let bank = try await Bank(run.store)
    let observing: Interleavings.Program.Body = {
      let observer = StoreObserver(of: run.store.signal)
      while try await observer.next({ (try await bank.balance(1), of: TableSet(["account"])) }) != nil {
        await Task.yield()
      }
    }
    return Interleavings.Program(tasks: [
      { try await bank.change(1, by: 1) },
      {
        let observer = Task(executorPreference: run.steps, operation: observing)
        await Task.yield()
        observer.cancel()
        if case .failure(let error) = await observer.result, (error as? RepositoryError)?.code != .cancelled {
          throw error
        }
      },
    ]) { nil }
  }
}

extension FakeDatabase {
  /// Lets something fail at its next use.
  fileprivate func plan(_ failure: PoolProgram.Failure) {
    let upsert = table.map { compiler.upsert(into: $0.schema) } ?? ""
    switch failure {
    case .writing:
      let broken = RepositoryError(.constraint, "a rule is broken")
      fail(upsert, with: broken, broken)
    case .connection:
      fail(upsert, with: RepositoryError(.inputOutput, "the connection is gone"))
      loseTransaction(at: upsert)
    default:
      fail(failure.rawValue, with: RepositoryError(.storeFailure, "there is no memory"))
      // As SQLite does.
      if failure == .savepoint, failureScope == .statement { loseTransaction(at: failure.rawValue) }
    }
  }

  /// Ends the transaction with the next run of a statement.
  private func loseTransaction(at sql: String) {
    let isLost = Flag()
    script.withLock {
      $0.actions[sql] = { connection in
        if !isLost.isSet { connection.loseTransaction() }
        isLost.set()
      }
    }
  }
}
