import Query
import Repository
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@Suite("In every order of a few delays")
struct InterleavingTests {
  @Test(
    "a store keeps its promises in each order", arguments: FilelessStore.allCases, BankProgram.allCases)
  func promises(kind: FilelessStore, program: BankProgram) async throws {
    // As many delays as there is time for.
    let outcome = try await Interleavings.explore(delays: Effort.isFull ? 5 : 3, limit: 20_000) { steps in
      try await program.make(over: try kind.store(timeout: program.timeout), on: steps)
    }
    #expect(outcome.fault == nil)
    #expect(outcome.isReplay || outcome.orders >= program.fewestOrders)
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
