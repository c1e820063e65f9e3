import CFaultVFS
import Foundation
import Repository
import SQLiteStore
import Synchronization
import TestSupport

extension Experiment {
  /// Whatever goes wrong at whichever time, nothing that was acknowledged is lost.
  static func faulty(_ source: FaultSource) -> Experiment {
    Experiment(source.experiment, source.summary) { scale in
      let folder = try Folder()
      // Quick ones leave most out. There are thousands of allocations: a full run tries every seventh, from one on that its seed
      // draws, so that other runs try other ones, and all of them with REPOKIT_FULL.
      let step = scale.pick(quick: source.quickStep, full: source == .allocations && !Effort.isFull ? 7 : 1)
      return try await Helper("goWrong", [folder.path, source.rawValue, "\(step)"]).finding()
    }
  }
}

/// What goes wrong.
enum FaultSource: String, CaseIterable {
  case log, journal, allocations, interruption

  /// The task that is cancelled at its n-th call, and whether it has come so far.
  private static let interrupted = Mutex<(task: Task<Void, Never>?, isDue: Bool)>((nil, false))

  var experiment: String {
    switch self {
    case .log, .journal: "io-\(rawValue)"
    case .allocations, .interruption: rawValue
    }
  }

  var summary: String {
    switch self {
    case .log, .journal: "an I/O error at the n-th call for every n, with a \(rawValue), beside a process that reads"
    case .allocations: "SQLite gets no memory at the n-th time that it asks for some, beside a process that reads"
    case .interruption: "a task is cancelled at the n-th call for every n, beside a process that reads"
    }
  }

  fileprivate var quickStep: Int { self == .allocations ? 499 : 31 }

  /// How many calls there are at least, about half of what was counted: with fewer, the work is not done, or not seen.
  fileprivate var leastCalls: Int {
    switch self {
    case .log: 170
    case .journal: 200
    case .interruption: 185
    case .allocations: 1_900
    }
  }

  var journal: JournalMode { self == .journal ? .unchanged : .writeAheadLog }

  /// How many times it goes wrong: a task is cancelled once.
  fileprivate var lengths: [(name: String, count: Int)] {
    self == .interruption ? [("one", 1)] : [("one", 1), ("five", 5), ("all further", Int.max)]
  }

  fileprivate func install() -> Bool {
    // Before the other one, which asks SQLite for its VFS.
    (self != .allocations || fault_memory_install() == 0) && fault_vfs_install() == 0
  }

  /// Counts anew, and lets it go wrong from a number on; 0 for never.
  func begin(_ number: Int, _ howMany: Int) {
    switch self {
    case .log, .journal: fault_vfs_fail(number, howMany)
    case .allocations: fault_memory_fail(number, howMany)
    case .interruption:
      Self.interrupted.withLock { $0 = (nil, false) }
      fault_vfs_note(number) {
        FaultSource.interrupted.withLock { state in
          state.isDue = true
          state.task?.cancel()
        }
      }
    }
  }

  /// Says which task is to be cancelled.
  func concerns(_ task: Task<Void, Never>) {
    Self.interrupted.withLock { state in
      state.task = task
      if state.isDue { task.cancel() }
    }
  }

  /// How often something went wrong.
  var faultCount: Int { self == .allocations ? fault_memory_faults() : fault_vfs_faults() }
}

extension Role {
  /// `goWrong FOLDER SOURCE STEP`: does the same again and again, each time with something else going wrong: one call, or all
  /// from it on. Every one of STEP is tried, from one on that the seed draws.
  static let goWrong = Role("goWrong") { arguments in
    guard let source = FaultSource(rawValue: arguments[1]), let step = Int(arguments[2]) else {
      throw WorkError("nothing of this sort goes wrong")
    }
    guard source.install() else { throw WorkError("SQLite does not take the shim") }
    let reader = try Helper("readBeside")
    var finding = Finding()
    let seed = SplitMix64.newSeed()
    var random = SplitMix64(seed: seed)
    var (reads, waits, total) = (0, 0, 0)
    for (name, howMany) in source.lengths {
      let start = 1 + random.below(step)
      var number = start
      var (runs, hits, injected, misses) = (0, 0, 0, 0)
      // Where the other process holds a commit up, less is done: that is no end yet.
      while misses < 5, !finding.isHopeless {
        tell("\(name) from \(number), seed \(seed)")
        let trial = FaultyTrial(path: "\(arguments[0])/\(name)-\(number).sqlite", source, reader)
        let faultCount = try await trial.run(failing: number, howMany)
        for fault in trial.faults { finding.expect(false, "\(name) from call \(number), seed \(seed): \(fault)") }
        reads += trial.reads
        total += 1
        if trial.holdsOthersUp { waits += 1 }
        runs += 1
        injected += faultCount
        if faultCount > 0 { hits += 1 }
        misses = faultCount > 0 ? 0 : misses + 1
        number += step
      }
      finding.note("\(name): \(runs) runs, \(injected) faults\(step > 1 ? ", one of \(step) from \(start) on" : "")")
      let least = max(1, source.leastCalls / step)
      finding.expect(
        hits >= least,
        "\(name): something went wrong in \(hits) of \(runs) runs, in place of \(least) or more, seed \(seed)")
    }
    if step > 1 { finding.note("seed \(seed)") }
    finding.note("\(reads) reads beside them")
    finding.note("others were held up after \(waits)")
    finding.expect(waits * 4 <= total, "others were held up after \(waits) of \(total) runs")
    finding.expect(reads > 0, "the other process read nothing")
    tell(finding)
  }

  /// `readBeside`: reads each database that it is told of again and again until it is told `stop`, and says how often, and what
  /// was wrong.
  static let readBeside = Role("readBeside") { _ in
    while let path = nextInput() {
      var reads = 0
      var faults: Set<String> = []
      var other: OtherProgram?
      while !isTold() {
        guard FileManager.default.fileExists(atPath: path) else { continue }
        do {
          if other == nil { other = try OtherProgram(path) }
          guard let other, try other.number("SELECT count(*) FROM sqlite_schema WHERE name = 'entry'") == 1 else {
            continue
          }
          let torn = try other.texts("SELECT batch FROM entry GROUP BY batch HAVING count(*) <> 3")
          if !torn.isEmpty { faults.insert("a read saw a part of batch \(torn[0])") }
          reads += 1
        } catch {
          faults.insert("a read failed: \(error)")
        }
      }
      other = nil
      _ = nextInput()
      for fault in faults.sorted() { tell("fault \(fault)") }
      tell("\(reads)")
    }
  }
}
