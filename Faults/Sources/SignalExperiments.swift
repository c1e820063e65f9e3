import CFaultVFS
import Foundation
import Repository
import SQLiteStore

extension Experiment {
  /// A process is killed at each of its calls to the operating system, amid work of several steps.
  static let killSteps = Experiment(
    "kill-steps", "`kill -9` at the n-th call for every n, in migrations, upgrades, changes, imports and backups"
  ) { scale in
    let folder = try Folder()
    var finding = Finding()
    var figures: [String] = []
    var slowest = Duration.zero
    for work in WorkInSteps.allCases {
      let trial = try await SignalTrial(work, folder)
      // A quick run begins at a random call, and leaves some out.
      let step = scale.pick(quick: 41, full: 1)
      var (number, count, isKilled) = (Int.random(in: 1...step), 0, true)
      while isKilled {
        (isKilled, slowest) = try await trial.kill(at: number, isWaiting: number.isMultiple(of: 2), slowest, &finding)
        if isKilled { count += 1 }
        number += step
      }
      figures.append("\(work.rawValue) \(count)")
    }
    finding.note("killed at \(figures.joined(separator: ", ")) calls, each step whole and done to its end afterwards")
    finding.note("who waits meanwhile writes after \(slowest.text) at most")
    if scale == .full { finding.expect(slowest < .seconds(2), "who waits wrote after \(slowest.text)") }
    return finding
  }

  /// A process is stopped at one of its calls, and goes on later.
  static let stopSteps = Experiment(
    "stop-steps", "SIGSTOP and SIGCONT at random calls of the same work, while another process reads and writes"
  ) { scale in
    let folder = try Folder()
    var finding = Finding()
    var (busy, written) = (0, 0)
    for work in WorkInSteps.allCases {
      let trial = try await SignalTrial(work, folder)
      for round in 0..<scale.pick(quick: 2, full: 20) {
        // One stays for as long as a laptop's lid is closed.
        let pause = scale.pick(quick: Duration.milliseconds(50), full: round == 0 ? .seconds(10) : .milliseconds(300))
        let outcome = try await trial.stop(at: .random(in: 1...trial.callCount), for: pause, scale, &finding)
        if outcome == .busy { busy += 1 } else if outcome == .written { written += 1 }
      }
    }
    finding.note("beside stopped processes \(written) writes were made and \(busy) were told to be busy, all went on")
    return finding
  }
}

/// Work that is interrupted by a signal.
private final class SignalTrial {
  enum Outcome { case notStopped, busy, written }

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
    let helper = try Helper("workInSteps", [work.rawValue, try copy(), "0", "0"])
    for line in await helper.lines() where line.hasPrefix("calls ") { callCount = Int(line.dropFirst(6)) ?? 0 }
    if callCount == 0 { throw WorkError("\(work) does not come to its end") }
  }

  /// A new copy of the database that the work begins with.
  private func copy() throws -> String {
    let path = folder.file("a.sqlite")
    for end in ["", "-wal", "-shm", "-queue", "-journal", ".copy", ".copy-wal", ".copy-shm"] {
      try? FileManager.default.removeItem(atPath: path + end)
    }
    try FileManager.default.copyItem(atPath: template, toPath: path)
    return path
  }

  /// - Returns: whether there were as many calls, and how long the slowest writer had to wait so far.
  func kill(
    at number: Int, isWaiting: Bool, _ slowest: Duration, _ finding: inout Finding
  ) async throws -> (isKilled: Bool, slowest: Duration) {
    let path = try copy()
    let place = "\(work) at call \(number)"
    let other = isWaiting ? try SQLiteStore(path: path, timeout: .seconds(30)).repository(of: Bystander.self) : nil
    let helper = try Helper("workInSteps", [work.rawValue, path, "\(number)", "\(SIGKILL)"])
    var (acknowledged, isKilled) = (0, false)
    var slowest = slowest
    for line in await helper.lines() {
      if line.hasPrefix("step ") { acknowledged = Int(line.dropFirst(5)) ?? 0 }
      if line == "signal" { isKilled = true }
    }
    let end = await helper.wait()
    finding.expect(isKilled || end == nil, "\(place): the process \(end ?? "")")
    if let other {
      let watch = Stopwatch()
      try await other.save(Bystander(id: number))
      slowest = max(slowest, watch.elapsed)
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
    return (isKilled, slowest)
  }

  func stop(
    at number: Int, for pause: Duration, _ scale: Scale, _ finding: inout Finding
  ) async throws -> Outcome {
    let path = try copy()
    let place = "\(work) stopped at call \(number)"
    let timeout = Duration.milliseconds(100)
    let store = try SQLiteStore(path: path, timeout: timeout)
    let others = try store.repository(of: Bystander.self)
    let helper = try Helper("workInSteps", [work.rawValue, path, "\(number)", "\(SIGSTOP)"])
    var isStopped = false
    while !isStopped, let line = await helper.line() { isStopped = line == "signal" }
    var outcome = Outcome.notStopped
    if isStopped {
      let watch = Stopwatch()
      do {
        try await others.save(Bystander(id: 1))
        outcome = .written
      } catch {
        finding.expect(error.code == .busy, "\(place): \(error)")
        outcome = .busy
      }
      let elapsed = watch.elapsed
      if scale == .full { finding.expect(elapsed < timeout + .seconds(1), "\(place): a write took \(elapsed.text)") }
      // A reader waits for nobody, but for one that recovers, or removes the log.
      do {
        _ = try await others.count(.true)
      } catch {
        finding.expect(error.code == .busy, "\(place): \(error)")
      }
      try await Task.sleep(for: pause)
      helper.send(SIGCONT)
    }
    _ = await helper.lines()
    let end = await helper.wait()
    finding.expect(end == nil, "\(place): the process \(end ?? "")")
    let count = try await SQLiteStore(path: path).repository(of: Bystander.self).count(.true)
    finding.expect(count == (outcome == .written ? 1 : 0), "\(place): \(count) rows were written meanwhile")
    finding.expect(try WorkInSteps.state(path) == states.last, "\(place): the work is not done when it went on")
    return outcome
  }
}

extension Role {
  /// `workInSteps WORK DATABASE N SIGNAL`: does the work, tells of each step, and is sent the signal at its n-th call.
  static let workInSteps = Role("workInSteps") { arguments in
    guard let work = WorkInSteps(rawValue: arguments[0]), let number = Int(arguments[2]),
      let signal = Int32(arguments[3])
    else { throw WorkError("no such work") }
    guard fault_vfs_install() == 0 else { throw WorkError("SQLite does not take the shim") }
    fault_vfs_signal(number, signal)
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
