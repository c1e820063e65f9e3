import Foundation
import SQLiteStore

extension Role {
  /// `holdLock DATABASE`: has the right to write until its input is closed.
  static let holdLock = Role("holdLock") { arguments in
    let program = try OtherProgram(arguments[0])
    try program.run("BEGIN IMMEDIATE")
    tell("held")
    waitForRelease()
    try program.run("ROLLBACK")
  }

  /// `writeExclusively DATABASE NUMBER SECONDS`: saves single rows in a tight loop from the moment when its input is closed,
  /// and tells how many, and how long the slowest took.
  static let writeExclusively = Role("writeExclusively") { arguments in
    let store = try SQLiteStore(path: arguments[0], timeout: .seconds(30))
    let entries = try store.repository(of: Entry.self)
    let writer = Int(arguments[1]) ?? 0
    tell("ready")
    waitForRelease()
    let watch = Stopwatch()
    var (count, slowest) = (0, Duration.zero)
    while watch.elapsed < .seconds(Double(arguments[2]) ?? 0) {
      let one = Stopwatch()
      try await entries.save([Entry(id: writer * 10_000_000 + count, batch: writer, note: "")])
      slowest = max(slowest, one.elapsed)
      count += 1
    }
    tell("\(count)")
    tell("\(slowest.inMilliseconds)")
  }
}
