import Foundation
import TestSupport

/// Breaks things on purpose, and prints what came of it: `faults [--quick] [EXPERIMENT …]`.
@main
enum FaultsProgram {
  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "role" {
      await play(arguments.dropFirst())
      return
    }
    // Ends the program where it is no number, rather than each experiment.
    _ = SplitMix64.newSeed()
    let scale: Scale = arguments.contains("--quick") ? .quick : .full
    arguments.removeAll { $0 == "--quick" }
    let names = Experiment.all.map(\.name)
    if let unknown = arguments.first(where: { !names.contains($0) }) {
      print("there is no experiment \(unknown); there are \(names.joined(separator: ", "))")
      exit(2)
    }
    let chosen = Experiment.all.filter { arguments.isEmpty || arguments.contains($0.name) }
    // Who names an experiment, and CI, takes one that is left out for one that holds.
    let isRequired = !arguments.isEmpty || !(ProcessInfo.processInfo.environment["CI"] ?? "").isEmpty
    exit(await FaultTable.print(chosen, scale, isRequired: isRequired) ? 0 : 1)
  }

  private static func play(_ arguments: ArraySlice<String>) async {
    guard let role = Role.all.first(where: { $0.name == arguments.first }) else { exit(2) }
    do {
      try await role.body(Array(arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("\(role.name): \(error)\n".utf8))
      exit(1)
    }
  }
}

/// The table of what was done and what came of it, a line an experiment as soon as it is over.
enum FaultTable {
  /// Runs experiments.
  ///
  /// - Parameter isRequired: whether one that can't be made here is a failure.
  /// - Returns: whether all went as they should.
  static func print(_ experiments: [Experiment], _ scale: Scale, isRequired: Bool) async -> Bool {
    let width = experiments.map(\.name.count).max() ?? 0
    var (failed, leftOut) = (0, 0)
    for experiment in experiments {
      let watch = Stopwatch()
      let finding = await experiment.runApart(scale, within: Experiment.limit(scale))
      let name = experiment.name.padding(toLength: width, withPad: " ", startingAt: 0)
      let verdict = finding.faultCount > 0 ? "FAILED  " : finding.omission == nil ? "ok      " : "left out"
      let result = (finding.figures + [finding.omission].compactMap(\.self)).joined(separator: ", ")
      write("\(name)  \(verdict)  \(experiment.summary): \(result) [\(watch.elapsed.text)]")
      for fault in finding.faults { write("    \(fault)") }
      if finding.faultCount > finding.faults.count { write("    … \(finding.faultCount) in all") }
      if finding.faultCount > 0 {
        failed += 1
      } else if finding.omission != nil {
        leftOut += 1
      }
    }
    var end = failed == 0 && leftOut == 0 ? "all \(experiments.count) hold" : "\(failed) of \(experiments.count) failed"
    if leftOut > 0 { end += ", \(leftOut) were left out" }
    write(end)
    return failed == 0 && (leftOut == 0 || !isRequired)
  }

  private static func write(_ line: String) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
    } catch {
      // The reader of the pipe is gone, as in `faults | head -1`.
      exit(1)
    }
  }
}
