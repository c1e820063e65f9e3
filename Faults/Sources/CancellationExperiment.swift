import Foundation
import Repository
import SQLiteStore
import TestSupport

extension Experiment {
  /// What is cancelled has been done, or has not been: nothing in between, and nothing is left behind.
  static let cancellation = Experiment(
    "cancellation", "tasks that save, delete and read are cancelled at random points"
  ) { scale in
    let folder = try Folder()
    // The length of waits is not what is tried, and other tests may keep all threads busy for long.
    let timeout = Duration.seconds(120)
    let file = try SQLiteStore(path: folder.file("a.sqlite"), timeout: timeout)
    let trials: [(String, any Store)] = [
      ("file", file), ("SQLite's memory", try SQLiteStore.inMemory(timeout: timeout)),
      ("memory", MemoryStore(timeout: timeout)),
    ]
    var finding = Finding()
    let seed = SplitMix64.newSeed()
    finding.note("seed \(seed)")
    for (name, store) in trials {
      let count = name == "file" ? scale.pick(quick: 300, full: 10_000) : scale.pick(quick: 100, full: 2_000)
      let before = OpenFiles.count()
      let part = try await CancellationStorm(store, seed: seed).run(count)
      finding.add(part.finding)
      finding.note("\(name): \(part.done) done, \(part.cancelled) cancelled of \(count)")
      // Readers are opened as they are needed, each with the database and its log.
      let more = OpenFiles.count() - before
      // Beside other tests, they may be theirs.
      if scale == .full { finding.expect(more <= 16, "\(more) more files are open in the end") }
    }
    // No cancelled task holds a lock.
    let other = try SQLiteStore(path: folder.file("a.sqlite"), timeout: .zero).sqlRepository(of: Entry.self)
    try await other.save(Entry.batch(-1))
    let entries = try file.sqlRepository(of: Entry.self)
    try await file.transaction { _ in try await entries.save(Entry.batch(-2)) }
    return finding
  }
}

/// Many tasks at one store, each cancelled at some point.
struct CancellationStorm {
  private let store: any Store
  private let entries: AnyRepository<Entry>
  private let seed: UInt64

  init(_ store: any Store, seed: UInt64) throws {
    self.store = store
    self.seed = seed
    entries = try store.repository(of: Entry.self)
  }

  /// What one task came to.
  private enum Outcome: Sendable { case done, cancelled, wrong(String) }

  func run(_ count: Int) async throws -> (finding: Finding, done: Int, cancelled: Int) {
    var finding = Finding()
    var random = SplitMix64(seed: seed)
    var (done, cancelled) = (0, 0)
    var saved: Set<Int> = []
    let width = 50
    for start in stride(from: 0, to: count, by: width) {
      var tasks: [(number: Int, task: Task<Outcome, Never>)] = []
      for number in start..<min(start + width, count) {
        let way = Int.random(in: 0..<5, using: &random)
        let task = Task.detached { [self] in await attempt(number, way) }
        let delay = Int.random(in: 0..<6_000, using: &random)
        // Half of them at once or soon, the others later.
        Task.detached {
          if delay > 200 { try? await Task.sleep(for: .microseconds(delay / 2)) }
          task.cancel()
        }
        tasks.append((number, task))
      }
      for (number, task) in tasks {
        switch await task.value {
        case .done:
          done += 1
          saved.insert(number)
        case .cancelled: cancelled += 1
        case .wrong(let what): finding.expect(false, "task \(number): \(what)")
        }
      }
    }
    var rows: [Int: Int] = [:]
    for entry in try await entries.findAll() { rows[entry.batch, default: 0] += 1 }
    for (batch, count) in rows { finding.expect(count == 3, "\(count) rows of 3 of batch \(batch) are there") }
    for batch in saved.subtracting(rows.keys) {
      finding.expect(false, "batch \(batch) was acknowledged and is not there")
    }
    for batch in Set(rows.keys).subtracting(saved) {
      finding.expect(false, "batch \(batch) was cancelled and is there")
    }
    return (finding, done, cancelled)
  }

  private func attempt(_ number: Int, _ way: Int) async -> Outcome {
    do {
      switch way {
      case 0: try await entries.save(Entry.batch(number))
      case 1:
        try await store.transaction { _ in
          for entry in Entry.batch(number) { try await entries.save(entry) }
        }
      case 2:
        try await store.transaction { outer in
          try await entries.save(Entry.batch(number)[0])
          _ = try? await outer.transaction { _ in
            try await entries.save(Entry.batch(number)[1])
            throw CancellationError()
          }
          try await outer.transaction { _ in try await entries.save(Array(Entry.batch(number)[1...])) }
        }
      case 3:
        try await entries.save(Entry.batch(number))
        // Whatever becomes of the reads, the batch is saved.
        let recent = FetchRequest(.greaterThanOrEqual(key: "batch", value: number - 100))
        let torn = try? await store.read { _ in
          let found = try await entries.findAll(recent)
          return !found.count.isMultiple(of: 3)
        }
        if torn == true { return .wrong("read a part of a batch") }
      default:
        // A batch is replaced as a whole.
        try await store.transaction { _ in
          try await entries.save(Entry.batch(number, note: "first"))
          try await entries.delete(Entry.batch(number).map(\.id))
          try await entries.save(Entry.batch(number, note: "second"))
        }
      }
      return .done
    } catch let error as RepositoryError where error.code == .cancelled {
      return .cancelled
    } catch is CancellationError {
      return .cancelled
    } catch {
      return .wrong("\(error)")
    }
  }
}

/// The files that this process has open.
enum OpenFiles {
  static func count() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count) ?? 0
  }
}
