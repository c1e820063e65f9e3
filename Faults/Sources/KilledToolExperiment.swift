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
    try await SQLiteStore(path: template + "-old").repository(of: Entry.self).save(Entry.batch(0))
    let rows = (0..<4_000).map { "\($0),\(String(repeating: "x", count: 200))\n" }.joined()
    try Data(("id,note\n" + rows).utf8).write(to: URL(filePath: folder.file("rows.csv")))
    var finding = Finding()
    let seed = SplitMix64.seed()
    var random = SplitMix64(seed: seed)
    for call in ToolCall.allCases {
      let trial = try await ToolTrial(call, folder, template)
      var (whole, untouched) = (0, 0)
      for round in 0..<scale.pick(quick: 2, full: 60) {
        let isStopped = round % 3 == 2
        if try await trial.run(isStopped: isStopped, round, &random, &finding) { whole += 1 } else { untouched += 1 }
      }
      finding.note("\(call.rawValue): \(whole) done, \(untouched) as it was")
    }
    finding.note("seed \(seed)")
    return finding
  }
}

/// What the tool is called for.
private enum ToolCall: String, CaseIterable {
  case imports, set, export, dump, backup

  func arguments(_ folder: Folder) -> [String] {
    let (database, target) = (folder.file("a.sqlite"), folder.file("target"))
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

  init(_ call: ToolCall, _ folder: Folder, _ template: String) async throws {
    (self.call, self.folder, self.template) = (call, folder, template)
    try begin()
    before = try state()
    let watch = Stopwatch()
    let process = try start()
    let end = await Self.end(of: process)
    duration = watch.elapsed
    if end != 0 { throw WorkError("repokit \(call.rawValue) ended with \(end)") }
    after = try state()
    if after == before { throw WorkError("repokit \(call.rawValue) does nothing") }
  }

  /// The database as it is before the call, and another file where the call makes one.
  private func begin() throws {
    for name in try folder.names where name.hasPrefix("a.sqlite") || name.contains("target") {
      try FileManager.default.removeItem(atPath: folder.file(name))
    }
    try FileManager.default.copyItem(atPath: template, toPath: folder.file("a.sqlite"))
    try FileManager.default.copyItem(atPath: template + "-old", toPath: folder.file("target"))
  }

  private func state() throws -> String {
    let bytes = try Data(contentsOf: URL(filePath: folder.file("target")))
    // A backup has the same rows, and other bytes.
    let isDatabase = bytes.starts(with: Data("SQLite format 3".utf8))
    let made = try isDatabase ? WorkInSteps.state(folder.file("target")) : bytes.base64EncodedString()
    return try WorkInSteps.state(folder.file("a.sqlite")) + "\n" + made
  }

  private func start() throws -> Process {
    let process = Process()
    let tool = (Helper.program as NSString).deletingLastPathComponent + "/repokit"
    guard FileManager.default.isExecutableFile(atPath: tool) else { throw WorkError("repokit was not built") }
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = call.arguments(folder)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  private static func end(of process: Process) async -> Int32 {
    while process.isRunning { try? await Task.sleep(for: .milliseconds(1)) }
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }

  /// - Returns: whether the call did what it was called for.
  func run(
    isStopped: Bool, _ round: Int, _ random: inout SplitMix64, _ finding: inout Finding
  ) async throws -> Bool {
    try begin()
    let process = try start()
    try await Task.sleep(for: duration * Double.random(in: 0...1, using: &random))
    if isStopped {
      kill(process.processIdentifier, SIGSTOP)
      try await Task.sleep(for: .milliseconds(50))
      kill(process.processIdentifier, SIGCONT)
    } else {
      kill(process.processIdentifier, SIGKILL)
    }
    let end = await Self.end(of: process)
    let place = "repokit \(call.rawValue), round \(round)"
    finding.expect(!isStopped || end == 0, "\(place): ended with \(end) after it went on")
    do {
      let found = try state()
      finding.expect(found == after || found == before && end != 0, "\(place): what is there is neither old nor new")
      return found == after
    } catch {
      finding.expect(false, "\(place): \(error)")
      return false
    }
  }
}
