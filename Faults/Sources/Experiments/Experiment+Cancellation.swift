import TestSupport
import Foundation
import Repository
import SQLiteStore

extension Experiment {
  /// What is cancelled has been done, or has not been: nothing in between, and nothing is left behind.
  static let cancellation = Experiment(
    "cancellation", "tasks that save, delete and read are cancelled at random points"
  ) { scale in
    let folder = try Folder()
    // What is tried is not how long somebody waits, and other tests may keep all threads busy for long.
    let timeout = Duration.seconds(120)
    let file = try SQLiteStore(path: folder.file("a.sqlite"), timeout: timeout)
    let trials: [(String, any Store)] = [
      ("file", file), ("SQLite's memory", try SQLiteStore.inMemory(timeout: timeout)),
      ("memory", MemoryStore(timeout: timeout)),
    ]
    var finding = Finding()
    let seed = SplitMix64.seed()
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
    // Nobody holds a lock that he forgot.
    let other = try SQLiteStore(path: folder.file("a.sqlite"), timeout: .zero).repository(of: Entry.self)
    try await other.save(Entry.batch(-1))
    let entries = try file.repository(of: Entry.self)
    try await file.transaction { _ in try await entries.save(Entry.batch(-2)) }
    return finding
  }
}
