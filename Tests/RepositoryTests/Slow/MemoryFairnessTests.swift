import Foundation
import Repository
import Synchronization
import Testing

@Suite("Tables in memory are shared fairly")
struct MemoryFairnessTests {
  /// What keeps all threads busy, one way of asking or writing each.
  enum Loop: CaseIterable {
    case find, findAll, count, save, transaction, findInRead

    func run(_ store: MemoryStore, _ creatures: AnyRepository<Creature>) async throws {
      switch self {
      case .find: _ = try await creatures.find(1)
      case .findAll: _ = try await creatures.filter(.equal(key: "id", value: 2)).all()
      case .count: _ = try await creatures.count()
      case .save: try await creatures.save(Creature.samples[1])
      case .transaction: try await store.transaction { _ in _ = try await creatures.find(1) }
      case .findInRead:
        try await store.read { _ in
          for _ in 0..<2_000 { _ = try await creatures.find(1) }
        }
      }
    }
  }

  private final class Progress: Sendable {
    let isDone = Atomic(false)
    let written = Atomic(0)
  }

  @Test("a task that writes goes on while others ask in loops", arguments: Loop.allCases)
  func readersAndWriter(loop: Loop) async throws {
    let store = MemoryStore(timeout: .seconds(60))
    let creatures = try store.repository(of: Creature.self)
    try await creatures.save(Creature.samples)
    let progress = Progress()
    // More than the writer waits for, also where a thread goes to it late.
    let limit = loop == .findInRead ? 1_000 : 1_000_000
    try await withThrowingTaskGroup { group in
      for _ in 0..<max(2, ProcessInfo.processInfo.activeProcessorCount) {
        group.addTask {
          for _ in 0..<limit {
            if progress.isDone.load(ordering: .relaxed) { return }
            try await loop.run(store, creatures)
          }
        }
      }
      group.addTask {
        for number in 1...1_000 {
          try await store.transaction { _ in
            var creature = Creature.samples[0]
            creature.name = "\(number)"
            try await creatures.save(creature)
          }
          progress.written.add(1, ordering: .relaxed)
        }
        progress.isDone.store(true, ordering: .relaxed)
      }
      // The first to end is the writer, or a loop that has come to its end without it.
      try await group.next()
      #expect(progress.written.load(ordering: .relaxed) == 1_000)
      progress.isDone.store(true, ordering: .relaxed)
      try await group.waitForAll()
    }
    #expect(try await creatures.find(1)?.name == "1000")
  }
}
