import CFaultVFS
import Foundation
import Repository
import SQLiteStore

extension Experiment {
  /// Whichever of SQLite's calls to the operating system goes wrong, nothing that was acknowledged is lost.
  static func faultyCalls(_ journal: JournalMode) -> Experiment {
    let word = journal == .writeAheadLog ? "log" : "journal"
    return Experiment("io-\(word)", "an I/O error at the n-th call for every n, with a \(word)") { scale in
      let folder = try Folder()
      // Quick ones take another place to begin with each time.
      let step = scale.pick(quick: 13, full: 1)
      return try await Helper("faultyCalls", [folder.path, word, "\(step)"]).finding()
    }
  }
}

/// One time of what is done while a call goes wrong.
final class FaultyTrial {
  private let path: String
  private let journal: JournalMode
  private(set) var faults: [String] = []
  /// The batches of which was told that they are saved.
  private var acknowledged: Set<Int> = []
  /// Those of which was told that they are deleted.
  private var deleted: Set<Int> = []

  init(path: String, journal: JournalMode) {
    self.path = path
    self.journal = journal
  }

  /// - Returns: whether there were as many calls.
  func run(failing number: Int, _ howMany: Int) throws -> Bool {
    defer {
      for end in ["", "-wal", "-shm", "-journal", "-queue"] { try? FileManager.default.removeItem(atPath: path + end) }
    }
    fault_vfs_fail(number, howMany)
    let store = attempt { try SQLiteStore(path: path, journal: journal, readers: 2, timeout: .milliseconds(20)) }
    if let store { work(store) }
    let hasFailed = fault_vfs_faults() > 0
    fault_vfs_fail(0, 0)
    // The store goes on when the disk does.
    if let store {
      do {
        let entries = try store.repository(of: Entry.self)
        try entries.save(Entry.batch(50))
        try store.transaction { _ in try entries.save(Entry.batch(51)) }
        acknowledged.formUnion([50, 51])
      } catch {
        faults.append("the store does not go on: \(error)")
      }
    }
    try verify(SQLiteStore(path: path, journal: journal))
    return hasFailed
  }

  private func attempt<Result>(_ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch {
      if !(error is RepositoryError) { faults.append("an error of another type: \(error)") }
      return nil
    }
  }

  private func work(_ store: SQLiteStore) {
    // So that the log is copied into the database now and then.
    attempt { try store.transaction { try $0.execute("PRAGMA wal_autocheckpoint = 10") } }
    guard let entries = attempt({ try store.repository(of: Entry.self) }) else { return }
    for batch in 0..<4 where attempt({ try entries.save(Entry.batch(batch)) }) != nil { acknowledged.insert(batch) }
    let isChanged: Void? = attempt {
      try store.transaction { outer in
        try entries.save(Entry.batch(5))
        _ = try? outer.transaction { (_: SQLiteTransaction) throws in
          try entries.save(Entry.batch(6))
          throw CancellationError()
        }
        try entries.delete(Entry.batch(0).map(\.id))
      }
    }
    if isChanged != nil {
      acknowledged.insert(5)
      acknowledged.remove(0)
      deleted.insert(0)
    }
    let found = attempt { try entries.findAll(FetchRequest(sortedBy: .ascending(key: "id"))) }
    if let found, Set(found.map(\.batch)).isSuperset(of: acknowledged) == false {
      faults.append("a read misses a batch")
    }
    _ = attempt { try store.read { _ in (try entries.count(.true), try entries.find(4)) } }
    let note = String(repeating: "x", count: 20_000)
    if attempt({ try entries.save(Entry.batch(7, note: note)) }) != nil { acknowledged.insert(7) }
    _ = attempt { try store.integrityCheck() }
  }

  private func verify(_ store: SQLiteStore) throws {
    var rows: [Int: Int] = [:]
    for entry in try store.repository(of: Entry.self).findAll(FetchRequest()) { rows[entry.batch, default: 0] += 1 }
    for (batch, count) in rows where count != 3 { faults.append("\(count) rows of batch \(batch)") }
    for batch in acknowledged where rows[batch] == nil { faults.append("batch \(batch) was acknowledged and is lost") }
    for batch in deleted where rows[batch] != nil { faults.append("batch \(batch) was deleted and is there") }
    if rows[6] != nil { faults.append("batch 6 was undone and is there") }
    for problem in try store.integrityCheck() { faults.append("\(problem)") }
  }
}

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
