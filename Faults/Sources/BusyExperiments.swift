import Foundation
import Repository
import SQLiteStore

extension Experiment {
  /// How long is waited is what the timeout says.
  static let busy = Experiment("busy", "another process holds the lock, each way of writing, timeouts 0, 0.5 and 2 s") {
    scale in
    let folder = try Folder()
    let path = folder.file("a.sqlite")
    _ = try SQLiteStore(path: path).sqlRepository(of: Entry.self)
    let holder = try Helper("holdLock", [path])
    _ = await holder.line()
    defer { holder.release() }
    var finding = Finding()
    for seconds in scale.pick(quick: [0, 0.1], full: [0, 0.5, 2]) {
      var latest = Duration.zero
      for way in WayOfWriting.allCases {
        let store = try SQLiteStore(path: path, timeout: .seconds(seconds))
        let entries = try store.sqlRepository(of: Entry.self)
        let watch = Stopwatch()
        let code = await way.errorCode(store, entries)
        let over = watch.elapsed - .seconds(seconds)
        latest = max(latest, over)
        finding.expect(code == .busy, "\(way) with \(seconds) s: \(code?.rawValue ?? "no error")")
        finding.expect(over >= .zero, "\(way) with \(seconds) s gave up \((.zero - over).text) early")
        if scale == .full {
          finding.expect(over <= .milliseconds(20), "\(way) with \(seconds) s came back \(over.text) late")
        }
      }
      finding.note("\(seconds) s: at most \(latest.text) late")
    }
    return finding
  }
}

extension Experiment {
  /// A task that waits for another process has no thread to itself.
  static let waiting = Experiment("waiting", "64 tasks of 64 stores wait for another process's lock, others go on") {
    scale in
    let folder = try Folder()
    let path = folder.file("a.sqlite")
    let entries = try SQLiteStore(path: path).sqlRepository(of: Entry.self)
    var stores: [SQLiteRepository<Entry>] = []
    for _ in 0..<scale.pick(quick: 8, full: 64) {
      stores.append(try SQLiteStore(path: path, timeout: .seconds(60)).sqlRepository(of: Entry.self))
    }
    let holder = try Helper("holdLock", [path])
    _ = await holder.line()
    // Where those who wait keep the threads, this task has none to release the lock on.
    let limit = scale.pick(quick: Duration.seconds(20), full: .milliseconds(500))
    DispatchQueue.global().asyncAfter(deadline: .now() + limit.inSeconds + 5) { holder.release() }
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
    finding.expect(longest < limit, "a task that sleeps for 1 ms had no thread for \(longest.text)")
    let count = try await entries.count(.true)
    finding.expect(count == stores.count * 3, "\(count) rows of \(stores.count * 3) are there")
    finding.note("a task that sleeps for 1 ms at a time woke \(ticks) times, after \(longest.text) at the latest")
    return finding
  }
}

extension Experiment {
  /// Processes that wait for a lock go in the order in which they came, so that each has one turn between two of another.
  ///
  /// They hold it for long enough that the others line up: where it is held more briefly, chance gives each its share, also without
  /// a line.
  static let fairOrder = Experiment(
    "fairness-order", "16 processes hold the lock for 10 ms at a time, half of them with their thread blocked"
  ) { scale in
    let folder = try Folder()
    let path = folder.file("a.sqlite")
    let entries = try SQLiteStore(path: path).sqlRepository(of: Entry.self)
    let count = scale.pick(quick: 80, full: 640)
    let processes = scale.pick(quick: 8, full: 16)
    let writers = try await Helper.atOnce(processes, "takeTurns") { [path, "\($0)", "\(count)"] }
    var finding = Finding()
    for writer in writers { finding.expect(await writer.wait() == nil, "a writer failed") }
    let turns = try await entries.findAll(FetchRequest(sortedBy: .ascending(key: "id"))).map(\.batch)
    let overtaken = turns.overtaken
    finding.expect(!overtaken.isEmpty, "no process had two turns")
    let most = overtaken.max() ?? 0
    finding.note("\(turns.count) turns, at most \(most) of one process between two of another")
    // Others line up meanwhile, so that who has had its turn is behind them: whatever the machine is busy with, as a process that
    // gets no processor keeps its place for a while.
    let again = zip(turns, turns.dropFirst()).count { $0 == $1 }
    finding.expect(again <= turns.count / 8, "\(again) turns of \(turns.count) came after one of the same process")
    finding.note("\(again) turns after one of the same process")
    let passed = overtaken.count { $0 > 2 }
    finding.expect(passed <= overtaken.count / 8, "\(passed) of \(overtaken.count) times another had 3 turns or more")
    if scale == .full { finding.expect(most <= 8, "they do not go in order: \(most) turns between two of another") }
    return finding
  }
}

extension [Int] {
  /// For each two consecutive turns of one process: the number of turns that another had in between, at most.
  fileprivate var overtaken: [Int] {
    var since: [Int: [Int: Int]] = [:]
    var most: [Int] = []
    for turn in self {
      if let others = since[turn] { most.append(others.values.max() ?? 0) }
      for process in since.keys where process != turn { since[process]?[turn, default: 0] += 1 }
      since[turn] = [:]
    }
    return most
  }
}

extension Role {
  /// `takeTurns DATABASE NUMBER COUNT`: saves rows with the next free number, each in a transaction of 10 ms, from the moment when
  /// its input is closed, until there are as many as told.
  static let takeTurns = Role("takeTurns") { arguments in
    let store = try SQLiteStore(path: arguments[0], timeout: .seconds(30))
    let entries = try store.sqlRepository(of: Entry.self)
    let writer = Int(arguments[1]) ?? 0
    let count = Int(arguments[2]) ?? 0
    /// Whether there was another turn to take.
    func turn() throws -> Bool {
      try store.blocking.transaction { _ in
        let next = try entries.blocking.count(.true)
        if next >= count { return false }
        try entries.blocking.save([Entry(id: next, batch: writer, note: "")])
        Thread.sleep(forTimeInterval: 0.01)
        return true
      }
    }
    func suspendedTurn() async throws -> Bool {
      try await store.transaction { _ in
        let next = try await entries.count(.true)
        if next >= count { return false }
        try await entries.save([Entry(id: next, batch: writer, note: "")])
        try await Task.sleep(for: .milliseconds(10))
        return true
      }
    }
    tell("ready")
    waitForRelease()
    var goesOn = true
    while goesOn { goesOn = writer.isMultiple(of: 2) ? try await suspendedTurn() : try turn() }
  }

  /// `holdLock DATABASE`: has the right to write until its input is closed.
  static let holdLock = Role("holdLock") { arguments in
    let program = try OtherProgram(arguments[0])
    try program.run("BEGIN IMMEDIATE")
    tell("held")
    waitForRelease()
    try program.run("ROLLBACK")
  }
}

/// A way in which a program writes.
enum WayOfWriting: CaseIterable {
  case save, saveBlocking, transaction, transactionBlocking

  func errorCode(_ store: SQLiteStore, _ entries: SQLiteRepository<Entry>) async -> RepositoryError.Code? {
    do {
      switch self {
      case .save: try await entries.save(Entry.batch(1))
      case .saveBlocking: try Self.blocking { try entries.blocking.save(Entry.batch(1)) }
      case .transaction: try await store.transaction { _ in try await entries.save(Entry.batch(1)) }
      case .transactionBlocking:
        try Self.blocking { try store.blocking.transaction { _ in try entries.blocking.save(Entry.batch(1)) } }
      }
      return nil
    } catch {
      return (error as? RepositoryError)?.code
    }
  }

  private static func blocking(_ body: () throws -> Void) throws { try body() }
}
