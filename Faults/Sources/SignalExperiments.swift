import CFaultVFS
import Foundation
import Repository
import SQLiteStore
import Synchronization
import TestSupport

extension Experiment {
  /// A process is killed at each of its calls to the operating system, amid work of several steps.
  static let killSteps = Experiment(
    "kill-steps", "`kill -9` at the n-th call for every n, in migrations, upgrades, changes, imports and backups"
  ) { scale in
    let folder = try Folder()
    var finding = Finding()
    var figures: [String] = []
    var waiting = Waiting()
    let seed = SplitMix64.newSeed()
    var generator = SplitMix64(seed: seed)
    for work in WorkInSteps.allCases {
      let trial = try await SignalTrial(work, folder)
      // A quick run begins at a random call, and leaves some out.
      let step = scale.pick(quick: 41, full: 1)
      var (number, count, isKilled) = (Int.random(in: 1...step, using: &generator), 0, true)
      while isKilled, !finding.isHopeless {
        isKilled = try await trial.kill(at: number, besideWriter: number.isMultiple(of: 2), &waiting, &finding)
        if isKilled { count += 1 }
        number += step
      }
      // The other store that is open takes some calls off it.
      let least = max(1, trial.callCount / step / 2)
      finding.expect(count >= least, "\(work) was killed \(count) times, in place of \(least) or more")
      figures.append("\(work.rawValue) \(count)")
    }
    finding.note("killed at \(figures.joined(separator: ", ")) calls, each step whole and done to its end afterwards")
    finding.note("seed \(seed)")
    finding.note(
      "of \(waiting.writers) who write meanwhile, \(waiting.waiters) waited, and wrote \(waiting.longest.text) after its end at most"
    )
    if scale == .full {
      // Most calls are amid a change, during which no other process writes; a quick run may come upon few of them.
      finding.expect(waiting.waiters * 5 >= waiting.writers, "\(waiting.waiters) of \(waiting.writers) waited")
      finding.expect(waiting.longest < .seconds(2), "who waited wrote after \(waiting.longest.text)")
    }
    return finding
  }

  /// Processes are stopped, each at one of its calls, and go on later.
  static let stopSteps = Experiment(
    "stop-steps",
    "SIGSTOP and SIGCONT at the n-th call for every n of the same work, while another process reads and writes"
  ) { scale in
    let folder = try Folder()
    var finding = Finding()
    let seed = SplitMix64.newSeed()
    var generator = SplitMix64(seed: seed)
    // For as long as a laptop's lid is closed.
    let pause = scale.pick(quick: Duration.milliseconds(50), full: .seconds(10))
    var (stops, written, notStopped) = (0, 0, 0)
    for work in WorkInSteps.allCases {
      let trial = try await SignalTrial(work, folder)
      // A quick run draws two calls.
      let numbers = scale.pick(
        quick: Array((1...trial.callCount).shuffled(using: &generator).prefix(2)), full: Array(1...trial.callCount))
      // A process that is stopped costs little but open files, so that many are at once.
      for start in stride(from: 0, to: numbers.count, by: 100) where !finding.isHopeless {
        var stopped: [StoppedWork] = []
        for number in numbers[start..<min(start + 100, numbers.count)] {
          if let work = try await trial.stop(at: number, scale, &finding) {
            stopped.append(work)
          } else {
            notStopped += 1
          }
        }
        for work in stopped { try await work.goOn(after: pause, &finding) }
        stops += stopped.count
        written += stopped.count { $0.hasBystander }
      }
    }
    // A run of fewer calls than the one that was counted ends before it is stopped.
    finding.expect(notStopped * 3 <= stops, "\(notStopped) were not stopped, \(stops) were")
    finding.note("\(stops) stops of \(pause.text) and more" + (finding.faultCount == 0 ? ", all went on" : ""))
    finding.note("\(written) writes were made meanwhile and \(stops - written) were told to be busy, seed \(seed)")
    if scale == .full {
      // Most calls hold no lock for long, and each work has some that do.
      finding.expect(written * 3 >= stops, "\(written) of \(stops) could write meanwhile")
      finding.expect(written < stops, "no process was stopped amid a commit")
    }
    return finding
  }
}

/// Who writes beside a process that is killed.
private struct Waiting {
  /// How many have begun to write before it was killed.
  var writers = 0
  /// How many of them were not done then.
  var waiters = 0
  /// How long they took from its end on.
  var longest = Duration.zero
}

/// Work that is interrupted by a signal.
private final class SignalTrial {
  private let work: WorkInSteps
  private let folder: Folder
  private let template: String
  /// What there is before the first step and after each.
  private var states: [String] = []
  /// How many calls an undisturbed run makes.
  private(set) var callCount = 0

  init(_ work: WorkInSteps, _ folder: Folder) async throws {
    (self.work, self.folder) = (work, folder)
    template = folder.file("\(work.rawValue).sqlite")
    try WorkInSteps.prepare(template)
    let path = try copy()
    states.append(try WorkInSteps.state(path))
    for step in work.steps {
      try await step(try SQLiteStore(path: path))
      states.append(try WorkInSteps.state(path))
    }
    let counted = try copy()
    // As beside the runs that are stopped: the last store that is closed does more.
    let other = try SQLiteStore(path: counted).sqlRepository(of: Bystander.self)
    let helper = try Helper("workInSteps", [work.rawValue, counted, "0", "0"])
    for line in await helper.lines() where line.hasPrefix("calls ") { callCount = Int(line.dropFirst(6)) ?? 0 }
    _ = try await other.count(.true)
    if callCount == 0 { throw WorkError("\(work) does not come to its end") }
  }

  /// A new copy of the database that the work begins with.
  private func copy(to name: String = "a.sqlite") throws -> String {
    let path = folder.file(name)
    for end in ["", "-wal", "-shm", "-queue", "-journal", ".copy", ".copy-wal", ".copy-shm"] {
      try? FileManager.default.removeItem(atPath: path + end)
    }
    try FileManager.default.copyItem(atPath: template, toPath: path)
    return path
  }

  /// - Parameter besideWriter: whether another store writes from before it is killed until after that.
  /// - Returns: whether there were as many calls.
  func kill(
    at number: Int, besideWriter: Bool, _ waiting: inout Waiting, _ finding: inout Finding
  ) async throws -> Bool {
    let path = try copy()
    let place = "\(work) at call \(number)"
    let other =
      besideWriter ? try SQLiteStore(path: path, timeout: .seconds(30)).sqlRepository(of: Bystander.self) : nil
    let helper = try Helper(
      "workInSteps", [work.rawValue, path, "\(number)", "\(SIGKILL)"] + (besideWriter ? ["wait"] : []))
    var (acknowledged, isKilled) = (0, false)
    var writer: BesideWriter?
    while let line = await helper.line() {
      if line.hasPrefix("step ") { acknowledged = Int(line.dropFirst(5)) ?? 0 }
      if line == "signal" {
        isKilled = true
        // It stands amid the call, and holds what it holds, until it is told to die.
        if let other {
          writer = BesideWriter(other, number)
          waiting.writers += 1
          if await writer?.isDone(within: .milliseconds(30)) == false { waiting.waiters += 1 }
        }
        helper.release()
      }
    }
    let end = await helper.wait()
    let watch = Stopwatch()
    finding.expect(isKilled ? end != nil : end == nil, "\(place): the process \(end ?? "ended well")")
    if let writer {
      try await writer.finish()
      waiting.longest = max(waiting.longest, watch.elapsed)
    }
    do {
      let found = try WorkInSteps.state(path)
      let allowed = states[acknowledged...min(acknowledged + 1, states.count - 1)]
      let position = allowed.firstIndex(of: found)
      finding.expect(position != nil, "\(place): what is there is no state after step \(acknowledged)")
      // What is left is done as if nothing had been.
      for step in work.steps[(position ?? acknowledged)...] { try await step(try SQLiteStore(path: path)) }
      finding.expect(try WorkInSteps.state(path) == states.last, "\(place): the work is not done when it is done again")
    } catch {
      finding.expect(false, "\(place): \(error)")
    }
    return isKilled
  }

  /// Stops a process at one of its calls, and writes beside it.
  ///
  /// - Returns: `nil` where it ended before.
  func stop(
    at number: Int, _ scale: Scale, _ finding: inout Finding
  ) async throws -> StoppedWork? {
    let path = try copy(to: "\(work.rawValue)-\(number).sqlite")
    let place = "\(work) stopped at call \(number)"
    let timeout = Duration.milliseconds(100)
    let others = try SQLiteStore(path: path, timeout: timeout).sqlRepository(of: Bystander.self)
    let helper = try Helper("workInSteps", [work.rawValue, path, "\(number)", "\(SIGSTOP)"])
    var isStopped = false
    while !isStopped, let line = await helper.line() { isStopped = line == "signal" }
    var hasBystander = false
    if isStopped {
      let watch = Stopwatch()
      do {
        try await others.save(Bystander(id: 1))
        hasBystander = true
      } catch {
        finding.expect(error.code == .busy, "\(place): \(error)")
      }
      let elapsed = watch.elapsed
      if scale == .full { finding.expect(elapsed < timeout + .seconds(1), "\(place): a write took \(elapsed.text)") }
      // A reader waits only for a process that recovers, or removes the log.
      do {
        _ = try await others.count(.true)
      } catch {
        finding.expect(error.code == .busy, "\(place): \(error)")
      }
    }
    let stopped = StoppedWork(
      place: place, path: path, helper: helper, others: others, hasBystander: hasBystander, end: states.last ?? "")
    if isStopped { return stopped }
    try await stopped.goOn(after: .zero, &finding)
    return nil
  }
}

/// Work that is stopped.
private struct StoppedWork {
  let place: String
  let path: String
  let helper: Helper
  /// Another store that is open meanwhile.
  let others: SQLiteRepository<Bystander>
  /// Whether it has written.
  let hasBystander: Bool
  /// What there is when the work is done.
  let end: String
  private let watch = Stopwatch()

  init(
    place: String, path: String, helper: Helper, others: SQLiteRepository<Bystander>, hasBystander: Bool, end: String
  ) {
    (self.place, self.path, self.helper, self.others) = (place, path, helper, others)
    (self.hasBystander, self.end) = (hasBystander, end)
  }

  /// Lets it go on when it has been stopped for a time.
  func goOn(after pause: Duration, _ finding: inout Finding) async throws {
    if watch.elapsed < pause { try await Task.sleep(for: pause - watch.elapsed) }
    helper.send(SIGCONT)
    _ = await helper.lines()
    let end = await helper.wait()
    finding.expect(end == nil, "\(place): the process \(end ?? "")")
    let count = try await SQLiteStore(path: path).sqlRepository(of: Bystander.self).count(.true)
    finding.expect(count == (hasBystander ? 1 : 0), "\(place): \(count) rows were written meanwhile")
    finding.expect(try WorkInSteps.state(path) == self.end, "\(place): the work is not done when it went on")
  }
}

/// A write that begins beside other work.
private final class BesideWriter: Sendable {
  private let result = Mutex<Result<Void, any Error>?>(nil)

  init(_ repository: SQLiteRepository<Bystander>, _ id: Int) {
    Task { @concurrent in
      let made: Result<Void, any Error>
      do { made = .success(try await repository.save(Bystander(id: id))) } catch { made = .failure(error) }
      result.withLock { $0 = made }
    }
  }

  /// Whether it is done after a time, or before.
  func isDone(within time: Duration) async -> Bool {
    let watch = Stopwatch()
    while result.withLock({ $0 == nil }), watch.elapsed < time { try? await Task.sleep(for: .milliseconds(1)) }
    return result.withLock { $0 != nil }
  }

  /// Waits for its end, which its store's timeout bounds.
  func finish() async throws {
    while true {
      if let result = result.withLock(\.self) { return try result.get() }
      try await Task.sleep(for: .microseconds(100))
    }
  }
}

extension Role {
  /// `workInSteps WORK DATABASE N SIGNAL [wait]`: does the work, tells of each step, and is sent the signal at its n-th call, with
  /// `wait` not before its input ends.
  static let workInSteps = Role("workInSteps") { arguments in
    guard let work = WorkInSteps(rawValue: arguments[0]), let number = Int(arguments[2]),
      let signal = Int32(arguments[3])
    else { throw WorkError("no such work") }
    guard fault_vfs_install() == 0 else { throw WorkError("SQLite does not take the shim") }
    fault_vfs_signal(number, signal, arguments.count > 4 ? 1 : 0)
    do {
      let store = try SQLiteStore(path: arguments[1], timeout: .seconds(60))
      for (position, step) in work.steps.enumerated() {
        try await step(store)
        tell("step \(position + 1)")
      }
    }
    tell("calls \(fault_vfs_calls())")
  }
}
