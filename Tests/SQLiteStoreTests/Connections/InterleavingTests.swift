import Query
import Repository
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@Suite("In every order of a few delays")
struct InterleavingTests {
  /// How many delays an order has, by how long a program's orders take.
  private static let delays = Effort.isFull ? 5 : 3

  private func expectNoFault(
    in kind: FilelessStore, timeout: Duration = .seconds(600), atLeast orders: Int = 30,
    _ make: @escaping @Sendable (any Store, StepExecutor) async throws -> Interleavings.Program
  ) async throws {
    let outcome = try await Interleavings.explore(delays: Self.delays, limit: 20_000) { steps in
      try await make(try kind.store(timeout: timeout), steps)
    }
    #expect(outcome.fault == nil)
    #expect(outcome.isReplay || outcome.orders >= orders)
    #expect(!outcome.isCutShort, "there are more than \(outcome.orders) orders")
  }

  @Test(
    "the search finds a lost update, tries each order once, and tells of those beyond its limit",
    .enabled(if: !Interleavings.isReplay, "one order alone is repeated"))
  func search() async throws {
    @Sendable func program(isGuarded: Bool) -> Interleavings.Program {
      let count = Mutex(0)
      let isTaken = Mutex(false)
      let addOne: Interleavings.Program.Body = {
        while isGuarded,
          isTaken.withLock({ taken in
            defer { taken = true }; return taken
          })
        { await Task.yield() }
        let old = count.withLock(\.self)
        await Task.yield()
        count.withLock { $0 = old + 1 }
        isTaken.withLock { $0 = false }
      }
      return Interleavings.Program(tasks: [addOne, addOne]) { count.withLock { $0 == 2 ? nil : "\($0) of 2" } }
    }
    let unguarded = try await Interleavings.explore(delays: 9) { _ in program(isGuarded: false) }
    #expect(unguarded.fault?.hasPrefix("1 of 2; REPOKIT_ORDER=") == true)
    #expect(try await Interleavings.explore(delays: 2) { _ in program(isGuarded: true) }.fault == nil)
    // Two tasks of two, three or four steps each, as the compiler has it: half of the steps out of all of them.
    let free = try await Interleavings.explore(delays: 9) { _ in
      Interleavings.Program(tasks: [{ await Task.yield() }, { await Task.yield() }]) { nil }
    }
    #expect([6, 20, 70].contains(free.orders))
    #expect(free.fault == nil && !free.isCutShort)
    for (limit, isCutShort) in [(free.orders, false), (free.orders - 1, true)] {
      let limited = try await Interleavings.explore(delays: 9, limit: limit) { _ in
        Interleavings.Program(tasks: [{ await Task.yield() }, { await Task.yield() }]) { nil }
      }
      #expect(limited.orders == limit && limited.isCutShort == isCutShort)
    }
  }

  @Test(
    "no update is lost, and a cancelled one is made or not made as its task is told", arguments: FilelessStore.allCases)
  func updates(kind: FilelessStore) async throws {
    try await expectNoFault(in: kind) { store, steps in
      let made = Mutex(0)
      let bank = try await Bank(store)
      let addOne: Interleavings.Program.Body = {
        try await bank.change(1, by: 1)
        made.withLock { $0 += 1 }
      }
      let cancelled: Interleavings.Program.Body = {
        let task = Task(executorPreference: steps) { try await addOne() }
        await Task.yield()
        task.cancel()
        if case .failure(let error) = await task.result, (error as? RepositoryError)?.code != .cancelled { throw error }
      }
      return Interleavings.Program(tasks: [addOne, cancelled, addOne]) {
        let (found, told) = (try await bank.balance(1), made.withLock(\.self))
        return found == told ? nil : "\(told) updates were acknowledged, and \(found) made"
      }
    }
  }

  @Test("a writer that waits for too long changes nothing", arguments: FilelessStore.allCases)
  func timeouts(kind: FilelessStore) async throws {
    try await expectNoFault(in: kind, timeout: .zero, atLeast: 10) { store, _ in
      let made = Mutex(0)
      let bank = try await Bank(store)
      let addOne: Interleavings.Program.Body = {
        do {
          try await bank.change(1, by: 1)
          made.withLock { $0 += 1 }
        } catch let error as RepositoryError where error.code == .busy {}
      }
      return Interleavings.Program(tasks: [addOne, addOne, addOne]) {
        let (found, told) = (try await bank.balance(1), made.withLock(\.self))
        return found == told && found > 0 ? nil : "\(told) updates were acknowledged, and \(found) made"
      }
    }
  }

  @Test("what is read at once is of one state", arguments: FilelessStore.allCases)
  func snapshots(kind: FilelessStore) async throws {
    try await expectNoFault(in: kind) { store, _ in
      let torn = Mutex<[Int]>([])
      let bank = try await Bank(store)
      return Interleavings.Program(
        tasks: [
          { try await bank.transfer() }, { try await bank.transfer() },
          {
            let sum = try await bank.sumInSnapshot()
            if sum != 0 { torn.withLock { $0.append(sum) } }
          },
          {
            let sum = try await bank.accounts.findAll().reduce(0) { $0 + $1.balance }
            if sum != 0 { torn.withLock { $0.append(sum) } }
          },
        ]
      ) {
        torn.withLock { $0.isEmpty ? nil : "read half of a transfer: \($0)" }
      }
    }
  }

  @Test("observers see states in their order, each once, and the last one", arguments: FilelessStore.allCases)
  func observation(kind: FilelessStore) async throws {
    try await expectNoFault(in: kind) { store, _ in
      let seen = Mutex<[Int]>([])
      let bank = try await Bank(store)
      // Each of the three commits makes it larger.
      @Sendable func state(of accounts: [Account]) -> Int {
        accounts.reduce(0) { $0 + $1.balance * ($1.id == 2 ? 100 : 10) + $1.id }
      }
      return Interleavings.Program(
        tasks: [
          { try await bank.change(1, by: 1) },
          { try await bank.accounts.save(Account(id: 3, balance: 0)) },
          { try await bank.transfer() },
        ],
        observers: [
          {
            for try await accounts in bank.accounts.changes() {
              seen.withLock { $0.append(state(of: accounts)) }
            }
          }
        ]
      ) {
        let last = state(of: try await bank.accounts.findAll())
        let states = seen.withLock(\.self)
        if states.last != last { return "the last state \(last) was not told: \(states)" }
        return zip(states, states.dropFirst()).allSatisfy { $0 < $1 }
          ? nil : "told in another order, or twice: \(states)"
      }
    }
  }

  @Test(
    "transactions within one at once keep what each has done, and undo what failed", arguments: FilelessStore.allCases)
  func nested(kind: FilelessStore) async throws {
    try await expectNoFault(in: kind) { store, _ in
      let bank = try await Bank(store)
      return Interleavings.Program(tasks: [{ try await bank.changeInParts() }, { try await bank.change(1, by: 100) }]) {
        let found = try await bank.balance(1)
        return found == 102 ? nil : "\(found) in place of 102"
      }
    }
  }

  @Test("a task that a transaction leaves behind writes within it or is refused", arguments: FilelessStore.allCases)
  func leftBehind(kind: FilelessStore) async throws {
    try await expectNoFault(in: kind, atLeast: 4) { store, steps in
      let late = Journal<Task<Void, any Error>>()
      let bank = try await Bank(store)
      return Interleavings.Program(
        tasks: [{ late.note(try await bank.leaveBehind(on: steps)) }, { try await bank.change(1, by: 10) }]
      ) {
        var told = 10
        for task in late.entries {
          switch await task.result {
          case .success: told += 1
          case .failure(let error as RepositoryError) where error.code == .transactionEnded: break
          case .failure(let error): return "\(error)"
          }
        }
        let found = try await bank.balance(1)
        return found == told ? nil : "\(told) is what was acknowledged, \(found) what was made"
      }
    }
  }
}

/// A store without a file or a server, whose steps are those of its tasks.
enum FilelessStore: String, CaseIterable, CustomTestStringConvertible {
  case memory, sqlite

  func store(timeout: Duration) throws -> any Store {
    switch self {
    case .memory: MemoryStore(timeout: timeout)
    case .sqlite: try SQLiteStore.inMemory(timeout: timeout)
    }
  }

  var testDescription: String { rawValue }
}

private struct Refused: Error {}

private struct Account: Entity {
  let id: Int
  var balance: Int

  static let schema = Schema("account", Account.init, Column("id", \.id), Column("balance", \.balance))
}

/// Two accounts with nothing in them. Between what a transaction reads and writes, others have their turn.
private struct Bank: Sendable {
  let store: any Store
  let accounts: AnyRepository<Account>

  init(_ store: any Store) async throws {
    self.store = store
    accounts = try store.repository()
    try await accounts.save([Account(id: 1, balance: 0), Account(id: 2, balance: 0)])
  }

  func balance(_ id: Int) async throws -> Int { try await accounts.find(id)?.balance ?? 0 }

  /// Reads and writes without a transaction of its own.
  private func add(_ amount: Int, to id: Int) async throws {
    let old = try await balance(id)
    await Task.yield()
    try await accounts.save(Account(id: id, balance: old + amount))
  }

  func change(_ id: Int, by amount: Int) async throws { try await change(id, by: amount, in: store) }

  private func change(_ id: Int, by amount: Int, in store: some Store) async throws {
    try await store.transaction { _ in try await add(amount, to: id) }
  }

  func transfer() async throws { try await transfer(in: store) }

  private func transfer(in store: some Store) async throws {
    try await store.transaction { _ in
      try await add(-1, to: 1)
      await Task.yield()
      try await add(1, to: 2)
    }
  }

  func sumInSnapshot() async throws -> Int { try await sumInSnapshot(of: store) }

  private func sumInSnapshot(of store: some Store) async throws -> Int {
    try await store.read { _ in
      let first = try await balance(1)
      await Task.yield()
      return first + (try await balance(2))
    }
  }

  func changeInParts() async throws { try await changeInParts(of: store) }

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

  func leaveBehind(on steps: StepExecutor) async throws -> Task<Void, any Error> {
    try await leaveBehind(on: steps, in: store)
  }

  /// The task adds one after the transaction that has started it may have ended.
  private func leaveBehind(on steps: StepExecutor, in store: some Store) async throws -> Task<Void, any Error> {
    try await store.transaction { transaction in
      let accounts: AnyRepository<Account> = try transaction.repository()
      let task = Task(executorPreference: steps) {
        _ = try await accounts.update(where: { $0.id == 1 }, set: { $0.balance += 1 })
      }
      await Task.yield()
      return task
    }
  }
}
