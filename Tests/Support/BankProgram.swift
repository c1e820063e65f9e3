package import Repository
import Synchronization

/// Programs of a few tasks that use a store, which has to keep its promises in every order of their steps.
package enum BankProgram: String, CaseIterable, Sendable {
  /// No update is lost, and a cancelled one is made or not made as its task is told.
  case updates
  /// A writer that waits for too long changes nothing.
  case timeouts
  /// What is read at once is of one state.
  case snapshots
  /// Observers see states in their order, each once, and the last one.
  case observation
  /// The last state is told, also where the only write comes while the observer reads the first one.
  case lastState
  /// Transactions within one at once keep what each has done, and undo what failed.
  case nested
  /// A task that a transaction leaves behind writes within it or is refused.
  case leftBehind

  /// The timeout of the store.
  package var timeout: Duration { self == .timeouts ? .zero : .seconds(600) }

  /// How many orders there are at least.
  package var fewestOrders: Int {
    switch self {
    case .lastState: 1
    case .leftBehind: 4
    case .timeouts: 10
    default: 30
    }
  }

  /// Makes the program, over an empty store.
  package func make(over store: any Store, on steps: StepExecutor) async throws -> Interleavings.Program {
    let bank = try await Bank(store)
    return switch self {
    case .updates: Self.updates(bank, steps)
    case .timeouts: Self.timeouts(bank)
    case .snapshots: Self.snapshots(bank)
    case .observation: Self.observation(bank)
    case .lastState: Self.lastState(bank)
    case .nested: Self.nested(bank)
    case .leftBehind: Self.leftBehind(bank, steps)
    }
  }

  private static func updates(_ bank: Bank, _ steps: StepExecutor) -> Interleavings.Program {
    let made = Mutex(0)
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

  private static func timeouts(_ bank: Bank) -> Interleavings.Program {
    let made = Mutex(0)
    let addOne: Interleavings.Program.Body = {
      do {
        try await bank.change(1, by: 1, attempts: 1)
        made.withLock { $0 += 1 }
      } catch let error as RepositoryError where error.code == .busy {}
    }
    return Interleavings.Program(tasks: [addOne, addOne, addOne]) {
      let (found, told) = (try await bank.balance(1), made.withLock(\.self))
      return found == told && found > 0 ? nil : "\(told) updates were acknowledged, and \(found) made"
    }
  }

  private static func snapshots(_ bank: Bank) -> Interleavings.Program {
    let torn = Mutex<[Int]>([])
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

  private static func observation(_ bank: Bank) -> Interleavings.Program {
    let seen = Mutex<[Int]>([])
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
          for try await accounts in bank.accounts.selection().changes() {
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

  private static func lastState(_ bank: Bank) -> Interleavings.Program {
    let seen = Journal<Int>()
    return Interleavings.Program(
      tasks: [{ try await bank.accounts.save(Account(id: 3, balance: 0)) }],
      observers: [{ for try await accounts in bank.accounts.selection().changes() { seen.note(accounts.count) } }]
    ) {
      [[2, 3], [3]].contains(seen.entries) ? nil : "\(seen.entries) was told in place of 2, 3 or of 3"
    }
  }

  private static func nested(_ bank: Bank) -> Interleavings.Program {
    Interleavings.Program(tasks: [{ try await bank.changeInParts() }, { try await bank.change(1, by: 100) }]) {
      let found = try await bank.balance(1)
      return found == 102 ? nil : "\(found) in place of 102"
    }
  }

  private static func leftBehind(_ bank: Bank, _ steps: StepExecutor) -> Interleavings.Program {
    let late = Journal<(task: Task<Void, any Error>, isSeen: Bool)>()
    let leaving: Interleavings.Program.Body = {
      let task = try await bank.leaveBehind(on: steps)
      late.note((task, try await bank.balance(1) % 10 == 1))
    }
    return Interleavings.Program(tasks: [leaving, { try await bank.change(1, by: 10) }]) {
      var told = 10
      for (task, isSeen) in late.entries {
        switch await task.result {
        case .success where !isSeen: return "it wrote after the end of its transaction"
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
