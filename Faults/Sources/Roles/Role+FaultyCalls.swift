import CFaultVFS
import Foundation
import Repository
import SQLiteStore

extension Role {
  /// `faultyCalls FOLDER log|journal STEP`: does the same again and again, each time with another of SQLite's calls to the
  /// operating system going wrong: that one, or all from it on.
  static let faultyCalls = Role("faultyCalls") { arguments in
    guard fault_vfs_install() == 0 else { throw OtherProgramError(code: 1, message: "no shim") }
    let journal: JournalMode = arguments[1] == "log" ? .writeAheadLog : .unchanged
    let step = Int(arguments[2]) ?? 1
    var finding = Finding()
    for (name, howMany) in [("one", 1), ("five", 5), ("all further", Int.max)] {
      var number = 1
      var runs = 0
      while true {
        tell("\(name) from \(number)")
        let trial = FaultyTrial(path: "\(arguments[0])/\(name)-\(number).sqlite", journal: journal)
        let hasFailed = try trial.run(failing: number, howMany)
        for fault in trial.faults { finding.expect(false, "\(name) from call \(number): \(fault)") }
        runs += 1
        if !hasFailed { break }
        number += step
      }
      finding.note("\(name): \(runs) runs")
    }
    tell(finding)
  }
}
