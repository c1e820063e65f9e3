import Repository
import SQLiteStore

extension Experiment {
  /// A task that waits for another process has no thread to itself.
  static let waiting = Experiment("waiting", "64 tasks of 64 stores wait for another process's lock, others go on") {
    scale in
    let folder = try Folder()
    let path = folder.file("a.sqlite")
    let entries = try SQLiteStore(path: path).repository(of: Entry.self)
    var stores: [SQLiteRepository<Entry>] = []
    for _ in 0..<scale.pick(quick: 8, full: 64) {
      stores.append(try SQLiteStore(path: path, timeout: .seconds(30)).repository(of: Entry.self))
    }
    let holder = try Helper("holdLock", [path])
    _ = await holder.line()
    var finding = Finding()
    let (ticks, longest) = try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, store) in stores.enumerated() {
        group.addTask { @concurrent in try await store.save(Entry.batch(number)) }
      }
      var (ticks, longest) = (0, Duration.zero)
      let watch = Stopwatch()
      while watch.elapsed < .milliseconds(scale.pick(quick: 100, full: 1_000)) {
        let tick = Stopwatch()
        try await Task.sleep(for: .milliseconds(1))
        longest = max(longest, tick.elapsed)
        ticks += 1
      }
      holder.release()
      try await group.waitForAll()
      return (ticks, longest)
    }
    await holder.wait()
    finding.expect(ticks > 0, "nothing else ran")
    let count = try await entries.count(.true)
    finding.expect(count == stores.count * 3, "\(count) rows of \(stores.count * 3) are there")
    finding.note("a task that sleeps for 1 ms at a time woke \(ticks) times, after \(longest.text) at the latest")
    return finding
  }
}
