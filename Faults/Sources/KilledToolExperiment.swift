import Foundation
import Repository
import SQLiteStore
import TestSupport

extension Experiment {
  /// The tool is killed or stopped while it works: what it makes is there as a whole or as it was.
  static let killTool = Experiment(
    "kill-tool", "`kill -9`, or SIGSTOP and SIGCONT, of repokit import, set, export, dump and backup at random moments"
  ) { scale in
    let folder = try Folder()
    let template = folder.file("template.sqlite")
    try WorkInSteps.prepare(template)
    try await SQLiteStore(path: template + "-old").sqlRepository(of: Entry.self).save(Entry.batch(0))
    let rows = (0..<4_000).map { "\($0),\(String(repeating: "x", count: 200))\n" }.joined()
    try Data(("id,note\n" + rows).utf8).write(to: URL(filePath: folder.file("rows.csv")))
    var finding = Finding()
    let seed = SplitMix64.newSeed()
    var random = SplitMix64(seed: seed)
    // A process that is stopped costs nothing, so that all of them are at once.
    var stopped: [StoppedTool] = []
    for call in ToolCall.allCases {
      let trial = try await ToolTrial(call, folder, template)
      for round in 0..<scale.pick(quick: 1, full: 20) {
        stopped.append(try await trial.stop(round, &random))
      }
      var (whole, untouched) = (0, 0)
      for round in 0..<scale.pick(quick: 1, full: 40) {
        if try await trial.kill(round, &random, &finding) { whole += 1 } else { untouched += 1 }
      }
      finding.note("\(call.rawValue): \(whole) done, \(untouched) as it was")
      if scale == .full {
        finding.expect(min(whole, untouched) >= 5, "\(call.rawValue): \(whole) were done, \(untouched) were not")
      }
    }
    let pause = scale.pick(quick: Duration.milliseconds(50), full: .seconds(10))
    var amidCount = 0
    for tool in stopped {
      if try await tool.goOn(after: pause, &finding) { amidCount += 1 }
    }
    finding.note(
      "\(amidCount) of \(stopped.count) were stopped for \(pause.text) and more before they ended, and done afterwards, "
        + "seed \(seed)")
    if scale == .full {
      finding.expect(amidCount * 2 >= stopped.count, "\(amidCount) of \(stopped.count) were stopped before they ended")
    }
    return finding
  }
}

/// What the tool is called for.
private enum ToolCall: String, CaseIterable {
  case imports, set, export, dump, backup

  /// - Parameter name: the database; the file that is made is called so, with `.target`.
  func arguments(_ folder: Folder, _ name: String) -> [String] {
    let (database, target) = (folder.file(name), folder.file(name + ".target"))
    return switch self {
    case .imports: ["import", database, "imported", folder.file("rows.csv"), "--key", "id"]
    case .set: ["set", database, "entry", "true", "note=done", "--yes", "--all"]
    case .export: ["export", database, "entry", target, "--format", "csv", "--force"]
    case .dump: ["dump", database, target, "--force"]
    case .backup: ["backup", database, target, "--force"]
    }
  }
}

private final class ToolTrial {
  private let call: ToolCall
  private let folder: Folder
  private let template: String
  private var before = ""
  private var after = ""
  /// How long an undisturbed call takes.
  private var duration = Duration.zero
  /// The moment at which a call takes effect, as far as it is known from the kills.
  private var effect = Duration.zero

  init(_ call: ToolCall, _ folder: Folder, _ template: String) async throws {
    (self.call, self.folder, self.template) = (call, folder, template)
    try begin(Self.name)
    before = try state(Self.name)
    let watch = Stopwatch()
    let process = try start(Self.name)
    let end = await Self.end(of: process)
    duration = watch.elapsed
    if end != 0 { throw WorkError("repokit \(call.rawValue) ended with \(end)") }
    after = try state(Self.name)
    effect = duration
    if after == before { throw WorkError("repokit \(call.rawValue) does nothing") }
  }

  /// The database of calls of which one is made at a time.
  private static let name = "a.sqlite"

  /// The database as it is before the call, and another file where the call makes one.
  private func begin(_ name: String) throws {
    for file in try folder.names where file.hasPrefix(name) || file.hasPrefix(".\(name)") {
      try FileManager.default.removeItem(atPath: folder.file(file))
    }
    try FileManager.default.copyItem(atPath: template, toPath: folder.file(name))
    try FileManager.default.copyItem(atPath: template + "-old", toPath: folder.file(name + ".target"))
  }

  private func state(_ name: String) throws -> String {
    let bytes = try Data(contentsOf: URL(filePath: folder.file(name + ".target")))
    // A backup has the same rows, and other bytes.
    let isDatabase = bytes.starts(with: Data("SQLite format 3".utf8))
    let made = try isDatabase ? WorkInSteps.state(folder.file(name + ".target")) : bytes.base64EncodedString()
    return try WorkInSteps.state(folder.file(name)) + "\n" + made
  }

  private func start(_ name: String) throws -> Process {
    let process = Process()
    let tool = (Helper.program as NSString).deletingLastPathComponent + "/repokit"
    guard FileManager.default.isExecutableFile(atPath: tool) else { throw WorkError("repokit was not built") }
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = call.arguments(folder, name)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  fileprivate static func end(of process: Process) async -> Int32 {
    while process.isRunning { try? await Task.sleep(for: .milliseconds(1)) }
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }

  /// Kills the tool: in one of two rounds at any moment of a call, and else about the one at which it takes effect.
  ///
  /// - Returns: whether the call did what it was called for.
  func kill(_ round: Int, _ random: inout SplitMix64, _ finding: inout Finding) async throws -> Bool {
    try begin(Self.name)
    let process = try start(Self.name)
    let isAboutEffect = !round.isMultiple(of: 2)
    try await Task.sleep(
      for: isAboutEffect
        ? effect * Double.random(in: 0.95...1.05, using: &random) : duration * Double.random(in: 0...1, using: &random))
    Foundation.kill(process.processIdentifier, SIGKILL)
    let end = await Self.end(of: process)
    let isDone = verify(Self.name, end, "repokit \(call.rawValue), round \(round)", &finding)
    if isAboutEffect { effect = effect * (isDone ? 0.92 : 1.08) }
    return isDone
  }

  /// Stops the tool at a random moment, with a database of its own.
  func stop(_ round: Int, _ random: inout SplitMix64) async throws -> StoppedTool {
    let name = "\(call.rawValue)-\(round).sqlite"
    try begin(name)
    let process = try start(name)
    try await Task.sleep(for: duration * Double.random(in: 0...1, using: &random))
    Foundation.kill(process.processIdentifier, SIGSTOP)
    return StoppedTool(trial: self, name: name, process: process)
  }

  /// Looks whether the call is done, or nothing of it.
  ///
  /// - Returns: whether it is.
  fileprivate func verify(_ name: String, _ end: Int32, _ place: String, _ finding: inout Finding) -> Bool {
    do {
      let found = try state(name)
      finding.expect(found == after || found == before && end != 0, "\(place): what is there is neither old nor new")
      return found == after
    } catch {
      finding.expect(false, "\(place): \(error)")
      return false
    }
  }
}

/// A call of the tool that is stopped.
private final class StoppedTool {
  private let trial: ToolTrial
  private let name: String
  private let process: Process
  private let watch = Stopwatch()

  init(trial: ToolTrial, name: String, process: Process) {
    (self.trial, self.name, self.process) = (trial, name, process)
  }

  // Where the experiment ends early, nothing of it stays.
  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// Lets it go on when it has been stopped for a time.
  ///
  /// - Returns: whether it had not ended before it was stopped.
  func goOn(after pause: Duration, _ finding: inout Finding) async throws -> Bool {
    if watch.elapsed < pause { try await Task.sleep(for: pause - watch.elapsed) }
    let isAmid = process.isRunning
    kill(process.processIdentifier, SIGCONT)
    let end = await ToolTrial.end(of: process)
    finding.expect(end == 0, "\(name): ended with \(end) after it went on")
    _ = trial.verify(name, end, name, &finding)
    return isAmid
  }
}
