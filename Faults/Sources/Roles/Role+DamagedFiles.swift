import TestSupport
import Foundation
import Repository
import SQLiteStore

extension Role {
  /// `damagedFiles FOLDER SEED COUNT`: opens files that are damaged in many ways, and does with each what can be done.
  static let damagedFiles = Role("damagedFiles") { arguments in
    let folder = arguments[0]
    var random = SplitMix64(seed: UInt64(arguments[1]) ?? 0)
    let count = Int(arguments[2]) ?? 0
    let sources = try DamagedFile.sources(in: folder)
    var finding = Finding()
    var outcomes: [String: Int] = [:]
    for number in 0..<count {
      let file = DamagedFile(of: sources[number % sources.count], &random)
      tell("file \(number): \(file.damage)")
      // A file with which the program does not come to an end ends it.
      alarm(30)
      let path = "\(folder)/\(number).sqlite"
      try Data(file.database).write(to: URL(fileURLWithPath: path))
      if let log = file.log { try Data(log).write(to: URL(fileURLWithPath: path + "-wal")) }
      let outcome = try file.use(path, number.isMultiple(of: 3) ? .readOnly : .existing)
      outcomes[outcome, default: 0] += 1
      for end in ["", "-wal", "-shm", "-journal", "-queue"] { try? FileManager.default.removeItem(atPath: path + end) }
    }
    alarm(0)
    finding.note(outcomes.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
    tell(finding)
  }
}
