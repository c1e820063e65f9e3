import Foundation

/// The table of what was done and what came of it, a line an experiment as soon as it is over.
enum FaultTable {
  /// Runs experiments.
  ///
  /// - Returns: whether all went as they should.
  static func print(_ experiments: [Experiment], _ scale: Scale) async -> Bool {
    let width = experiments.map(\.name.count).max() ?? 0
    var failed = 0
    for experiment in experiments {
      let watch = Stopwatch()
      let finding = await experiment.run(scale)
      let name = experiment.name.padding(toLength: width, withPad: " ", startingAt: 0)
      let verdict = finding.faultCount == 0 ? "ok    " : "FAILED"
      write(
        "\(name)  \(verdict)  \(experiment.summary): \(finding.figures.joined(separator: ", ")) [\(watch.elapsed.text)]"
      )
      for fault in finding.faults { write("    \(fault)") }
      if finding.faultCount > finding.faults.count { write("    … \(finding.faultCount) in all") }
      if finding.faultCount > 0 { failed += 1 }
    }
    write(failed == 0 ? "all \(experiments.count) hold" : "\(failed) of \(experiments.count) failed")
    return failed == 0
  }

  private static func write(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
