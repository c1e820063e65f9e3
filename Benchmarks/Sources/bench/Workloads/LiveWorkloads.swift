import Model
import Raw
import SQLiteStore
import Synchronization

/// What those pay who write to tables that something live does not read.
enum LiveWorkloads {
  static let all = [sqlite, memory]

  private static let commits = 300

  private static let sqlite = Workload(
    "unrelated-commits", unit: "commit", [.init("observed", to: "alone")], stopwatch: .wall
  ) { bed in try contenders { try SQLiteStore(path: bed.newPath()) } }

  private static let memory = Workload(
    "unrelated-commits-memory", unit: "commit", [.init("observed", to: "alone")], stopwatch: .wall
  ) { bed in try contenders { MemoryStore() } }

  private static func contenders(_ make: () throws -> some Store) throws -> [Contender] {
    let (observed, alone) = (try make(), try make())
    return [
      commits("observed", to: observed, withObserver: true), commits("alone", to: alone, withObserver: false),
    ]
  }

  private static func commits(_ name: String, to store: some Store, withObserver: Bool) -> Contender {
    Contender.suspending(name, operations: commits) {
      let pokedex = try store.repository(of: Pokemon.self)
      let trainers = try store.repository(of: Trainer.self)
      let observer = withObserver ? try await Observer(of: store, pokedex) : nil
      for number in 1...commits {
        try await trainers.save(Trainer(id: number % 10, name: "trainer \(number % 10)", badges: number))
      }
      await observer?.end()
      return Answer([try await trainers.count(), observer?.reads ?? 1])
    }
  }
}

/// A task that waits for changes of a table.
private struct Observer {
  private let task: Task<Void, any Error>
  private let count: Count

  /// How often the table was read.
  private final class Count: Sendable {
    let value = Mutex(0)
  }

  var reads: Int { count.value.withLock(\.self) }

  init(of store: some Store, _ pokedex: AnyRepository<Pokemon>) async throws {
    let (first, begun) = AsyncStream<Void>.makeStream()
    let count = Count()
    self.count = count
    task = Task {
      let counts = store.changes { _ in
        count.value.withLock { $0 += 1 }
        return try await pokedex.count()
      }
      for try await _ in counts { begun.yield() }
    }
    for await _ in first { break }
  }

  func end() async {
    task.cancel()
    _ = try? await task.value
  }
}
