import Query
package import Repository

/// An element of the programs that run in every order.
package struct Account: Entity {
  package let id: Int
  package var balance: Int

  package init(id: Int, balance: Int) { (self.id, self.balance) = (id, balance) }

  package static let schema = Schema("account", Account.init, Column("id", \.id), Column("balance", \.balance))
}

/// Two accounts with nothing in them. Between what a transaction reads and writes, others have their turn.
package struct Bank: Sendable {
  package struct Refused: Error {
    package init() {}
  }

  package let store: any Store
  package let accounts: AnyRepository<Account>

  package init(_ store: any Store) async throws {
    self.store = store
    accounts = try store.repository(of: Account.self)
    try await accounts.save([Account(id: 1, balance: 0), Account(id: 2, balance: 0)])
  }

  package func balance(_ id: Int) async throws -> Int { try await accounts.find(id)?.balance ?? 0 }

  /// Reads and writes without a transaction of its own.
  package func add(_ amount: Int, to id: Int) async throws {
    let old = try await balance(id)
    await Task.yield()
    try await accounts.save(Account(id: id, balance: old + amount))
  }

  /// Tries a transaction again where it was refused, as databases with several writers do with one of two at once.
  private func repeating<Result>(_ attempts: Int = 10, _ body: () async throws -> Result) async throws -> Result {
    for _ in 1..<attempts {
      do { return try await body() } catch let error as RepositoryError where error.code == .busy {}
    }
    return try await body()
  }

  package func change(_ id: Int, by amount: Int, attempts: Int = 10) async throws {
    try await repeating(attempts) { try await change(id, by: amount, in: store) }
  }

  private func change(_ id: Int, by amount: Int, in store: some Store) async throws {
    try await store.transaction { _ in try await add(amount, to: id) }
  }

  package func transfer() async throws { try await repeating { try await transfer(in: store) } }

  private func transfer(in store: some Store) async throws {
    try await store.transaction { _ in
      try await add(-1, to: 1)
      await Task.yield()
      try await add(1, to: 2)
    }
  }

  package func sumInSnapshot() async throws -> Int { try await sumInSnapshot(of: store) }

  private func sumInSnapshot(of store: some Store) async throws -> Int {
    try await store.read { _ in
      let first = try await balance(1)
      await Task.yield()
      return first + (try await balance(2))
    }
  }

  package func changeInParts() async throws { try await repeating { try await changeInParts(of: store) } }

  /// Two parts that add one at the same time, and one that fails after it has added ten.
  private func changeInParts(of store: some Store) async throws {
    try await store.transaction { outer in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<2 { group.addTask { try await change(1, by: 1, in: outer) } }
        group.addTask {
          do {
            try await outer.transaction { _ in
              try await add(10, to: 1)
              throw Refused()
            }
          } catch is Refused {}
        }
        try await group.waitForAll()
      }
    }
  }

  package func leaveBehind(on steps: StepExecutor) async throws -> Task<Void, any Error> {
    try await repeating { try await leaveBehind(on: steps, in: store) }
  }

  /// The task adds one after the transaction that has started it may have ended. It may have waited for a part of the
  /// transaction before.
  private func leaveBehind(on steps: StepExecutor, in store: some Store) async throws -> Task<Void, any Error> {
    try await store.transaction { transaction in
      let accounts = try transaction.repository(of: Account.self)
      let task = Task(executorPreference: steps) {
        _ = try await accounts.filter { $0.id == 1 }.update { $0.balance += 1 }
      }
      try await change(2, by: 1, in: transaction)
      await Task.yield()
      return task
    }
  }
}
