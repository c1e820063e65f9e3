import Foundation
import Repository
import SQLiteStore

extension Experiment {
  /// Readers see whole commits, and no increment is lost.
  static let crowd = Experiment("crowd", "8 readers and 4 writers in 2 processes for 10 s") { scale in
    let folder = try Folder()
    let path = folder.file("a.sqlite")
    let tallies = try SQLiteStore(path: path).sqlRepository(of: Tally.self)
    try await tallies.save([Tally(id: 1, value: 0), Tally(id: 2, value: 0)])
    let seconds = scale.pick(quick: 0.3, full: 10)
    let helpers = try await Helper.atOnce(2, "countUp") { _ in [path, "4", "2", "\(seconds)"] }
    let watch = Stopwatch()
    var (longest, latest, cuts) = (0, 0, 0)
    while watch.elapsed < .seconds(seconds) {
      let size = folder.size("a.sqlite-wal")
      if size < latest { cuts += 1 }
      (longest, latest) = (max(longest, size), size)
      try await Task.sleep(for: .milliseconds(20))
    }
    var finding = Finding()
    var (writes, reads, torn) = (0, 0, 0)
    for helper in helpers {
      let counts = (await helper.line() ?? "").split(separator: " ").compactMap { Int($0) }
      finding.add(await helper.finding())
      guard counts.count == 3 else {
        finding.expect(false, "a process counted nothing")
        continue
      }
      writes += counts[0]
      reads += counts[1]
      torn += counts[2]
    }
    finding.expect(writes > 0 && reads > 0, "\(writes) writes, \(reads) reads")
    finding.expect(torn == 0, "\(torn) reads saw a part of a commit")
    let values = try await tallies.findAll().map(\.value)
    finding.expect(values == [writes, writes], "\(values) were counted in \(writes) commits")
    // Without a pause between the readers it would grow as long as they go on, by 3 MB a second and more.
    finding.expect(longest < 40_000_000, "the log grew to \(longest / 1_000_000) MB")
    finding.expect(longest < 20_000_000 || cuts > 0, "the log grew to \(longest / 1_000_000) MB and was never cut")
    finding.note(
      "\(writes) commits, \(reads) reads, none torn, log at most \((Double(longest) / 100_000).rounded() / 10) MB")
    return finding
  }

  /// The same within one process and without a file.
  static let crowdInMemory = Experiment("crowd-memory", "8 readers and 4 writers of a database in memory for 2 s") {
    scale in
    var finding = Finding()
    // Long, since other tests may keep all threads busy.
    let timeout = Duration.seconds(120)
    let stores: [(String, any Store)] = [
      ("SQLite", try SQLiteStore.inMemory(timeout: timeout)), ("MemoryStore", MemoryStore(timeout: timeout)),
    ]
    for (name, store) in stores {
      let tallies = try store.repository(of: Tally.self)
      try await tallies.save([Tally(id: 1, value: 0), Tally(id: 2, value: 0)])
      let duration = Duration.seconds(scale.pick(quick: 0.2, full: 2))
      let counts = try await Crowd(store: store, readers: 8, writers: 4, duration: duration).run()
      for failure in counts.failures { finding.expect(false, "\(name): \(failure)") }
      finding.expect(counts.torn == 0, "\(name): \(counts.torn) reads saw a part of a commit")
      let values = try await tallies.findAll().map(\.value)
      finding.expect(values == [counts.writes, counts.writes], "\(name): \(values) in \(counts.writes) commits")
      finding.note("\(name): \(counts.writes) commits, \(counts.reads) reads")
    }
    return finding
  }

  /// A reader who stays keeps the log from being used anew, and it shrinks when the reader is gone.
  static let longReader = Experiment("long-reader", "a program reads one state while others commit, then ends") {
    scale in
    let folder = try Folder()
    let store = try SQLiteStore(path: folder.file("a.sqlite"))
    let entries = try store.sqlRepository(of: Entry.self)
    let rounds = scale.pick(quick: 40, full: 4_000)
    let note = String(repeating: "x", count: scale.pick(quick: 200_000, full: 4_000))
    try await entries.save(Entry.batch(0, note: note))
    var finding = Finding()
    let seen = try await store.read { _ in
      let first = try await entries.count(.true)
      // A task of its own is in no transaction.
      try await Task.detached {
        for round in 1...rounds { try await entries.save(Entry.batch(round, note: note)) }
      }.value
      return (first, try await entries.count(.true))
    }
    finding.expect(seen == (3, 3), "the reader saw \(seen)")
    let high = folder.size("a.sqlite-wal")
    for round in 1...100 { try await entries.save(Entry.batch(-round)) }
    let low = folder.size("a.sqlite-wal")
    finding.note("the log had \(high / 1_000_000) MB, and \(low / 1_000_000) MB 100 commits after")
    finding.expect(high > 20_000_000, "the log had no reason to grow")
    finding.expect(low <= 10_000_000, "the log still has \(low / 1_000_000) MB")
    return finding
  }
}

/// Tasks that count two numbers up together, and others that look whether both are the same.
struct Crowd: Sendable {
  let store: any Store
  let readers: Int
  let writers: Int
  let duration: Duration

  struct Counts: Sendable {
    var writes = 0
    var reads = 0
    var torn = 0
    var failures: [String] = []
  }

  func run() async throws -> Counts {
    let tallies = try store.repository(of: Tally.self)
    let watch = Stopwatch()
    return await withTaskGroup(of: Counts.self) { group in
      for _ in 0..<writers { group.addTask { @concurrent in await write(tallies, watch) } }
      for reader in 0..<readers {
        group.addTask { @concurrent in await read(tallies, watch, inOneStatement: reader.isMultiple(of: 2)) }
      }
      return await group.reduce(into: Counts()) { sum, counts in
        sum.writes += counts.writes
        sum.reads += counts.reads
        sum.torn += counts.torn
        sum.failures += counts.failures
      }
    }
  }

  private func write(_ tallies: AnyRepository<Tally>, _ watch: Stopwatch) async -> Counts {
    var counts = Counts()
    while watch.elapsed < duration {
      do {
        try await store.transaction { _ in
          for id in [1, 2] {
            var tally = try await tallies.find(id) ?? Tally(id: id, value: 0)
            tally.value += 1
            try await tallies.save(tally)
          }
        }
        counts.writes += 1
      } catch {
        counts.failures.append("\(error)")
        return counts
      }
    }
    return counts
  }

  private func read(_ tallies: AnyRepository<Tally>, _ watch: Stopwatch, inOneStatement: Bool) async -> Counts {
    var counts = Counts()
    while watch.elapsed < duration {
      do {
        let values: [Int?]
        if inOneStatement {
          values = try await tallies.findAll(FetchRequest(sortedBy: .ascending(key: "id"))).map(\.value)
        } else {
          values = try await store.read { _ in
            let first = try await tallies.find(1)?.value
            await Task.yield()
            return [first, try await tallies.find(2)?.value]
          }
        }
        counts.reads += 1
        if Set(values).count > 1 { counts.torn += 1 }
      } catch {
        counts.failures.append("\(error)")
        return counts
      }
    }
    return counts
  }
}

extension Role {
  /// `countUp DATABASE READERS WRITERS SECONDS`: a ``Crowd`` at a database, from the moment when its input is closed.
  static let countUp = Role("countUp") { arguments in
    let numbers = arguments.dropFirst().map { Double($0) ?? 0 }
    let store = try SQLiteStore(path: arguments[0])
    tell("ready")
    waitForRelease()
    let crowd = Crowd(
      store: store, readers: Int(numbers[0]), writers: Int(numbers[1]), duration: .seconds(numbers[2]))
    let counts = try await crowd.run()
    var finding = Finding()
    for failure in counts.failures { finding.expect(false, failure) }
    tell("counts \(counts.writes) \(counts.reads) \(counts.torn)")
    tell(finding)
  }
}

/// A number that is counted up; two with the same number are counted up together.
struct Tally: Entity {
  let id: Int
  var value: Int

  static let schema = Schema("tally", Tally.init, Column("id", \.id), Column("value", \.value))
}
