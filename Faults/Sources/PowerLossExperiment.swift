import CFaultVFS
import Foundation
import Repository
import RowImport
import SQLiteStore
import TestSupport

extension Experiment {
  /// Whenever the power goes, what the disk holds is a state that the commits had made.
  static func powerLoss(_ setting: PowerSetting) -> Experiment {
    Experiment("power-\(setting.rawValue)", setting.summary) { scale in
      let folder = try Folder()
      // A quick run begins at a random change, and leaves some out.
      let (step, images) = (scale.pick(quick: 17, full: 1), scale.pick(quick: 4, full: 12))
      return try await Helper("losePower", [folder.path, setting.rawValue, "\(step)", "\(images)"]).finding()
    }
  }
}

/// How a database keeps its commits, and what it promises of them.
enum PowerSetting: String {
  case full, normal, journal, lies
  case journalNormal = "journal-normal"

  var summary: String {
    let when = "the power goes at the n-th change of a file for every n"
    return switch self {
    case .full: "\(when), synchronous=FULL with a log: no acknowledged commit is lost, none is torn"
    case .normal:
      "\(when), synchronous=NORMAL with a log: the first commits are there up to some one, not before the last checkpoint, none is torn"
    case .journal: "\(when), with a journal: no acknowledged commit is lost, none is torn"
    case .journalNormal:
      "\(when), synchronous=NORMAL with a journal: no acknowledged commit but the last is lost, none is torn"
    case .lies: "the same as `power-full` on a disk that says it has written what it has not: this is noticed"
    }
  }

  /// How many changes of files there are at least, about half of what was counted: with fewer, the work is not done, or not seen.
  fileprivate static let leastChanges = 420

  var journal: JournalMode { [.journal, .journalNormal].contains(self) ? .unchanged : .writeAheadLog }
  var synchronous: Synchronous { [.normal, .journalNormal].contains(self) ? .normal : .full }
}

/// Why the experiment can't be made.
private struct PowerLossError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// A run of the workload that ends in a loss of power.
private final class PowerTrial {
  private let path: String
  private let setting: PowerSetting
  /// The batches that are there after each commit, of those that were acknowledged and the one that may have been made.
  private var states: [Set<Int>] = [[]]
  private var acknowledgedCount = 0
  /// How many commits have to be on the disk, whatever the setting: those before the last checkpoint.
  private var checkpointedCount = 0
  /// What may be under the name of each backup; `nil` stands for no file.
  private var copies: [String: [Set<Int>?]] = [:]
  private(set) var faults: [String] = []
  /// Whether the power stayed until all was done.
  private(set) var hasEnded = false
  /// How many disks are made then.
  static let lastImages: Int32 = 12

  init(path: String, _ setting: PowerSetting) {
    (self.path, self.setting) = (path, setting)
  }

  /// Does the work, until there is no power.
  func work() async throws {
    do {
      let store = try SQLiteStore(
        path: path, journal: setting.journal, synchronous: setting.synchronous, readers: 2, timeout: .milliseconds(20))
      try await work(store)
    } catch {
      if power_vfs_is_lost() == 0 { throw error }
    }
  }

  private func work(_ store: SQLiteStore) async throws {
    // So that the log is copied into the database now and then.
    try store.blocking.transaction(.writing) { try $0.execute("PRAGMA wal_autocheckpoint = 10") }
    let entries = try store.sqlRepository(of: Entry.self)
    try await commit(adding: [0]) { try entries.blocking.save(Entry.batch(0)) }
    try await checkpoint(store)
    try await commit(adding: [1]) { try await entries.save(Entry.batch(1)) }
    try await commit(adding: [2], removing: [0]) {
      try store.blocking.transaction { outer in
        try entries.blocking.save(Entry.batch(2))
        _ = try? outer.transaction { _ in
          try entries.blocking.save(Entry.batch(3))
          throw CancellationError()
        }
        try entries.blocking.delete(Entry.batch(0).map(\.id))
      }
    }
    try await commit(adding: [4, 5]) {
      try await store.transaction { _ in
        try await entries.save(Entry.batch(4))
        try await entries.insert(Entry.batch(5))
      }
    }
    try await commit(adding: [Self.migrated]) { try await store.migrate([Self.rebuild]) }
    try await checkpoint(store)
    // More than a few pages, which reach the log before the commit.
    let note = String(repeating: "x", count: 20_000)
    for batch in 6...8 {
      try await commit(adding: [batch]) { try entries.blocking.save(Entry.batch(batch, note: note)) }
    }
    try await commit(removing: [1]) { try await entries.filter { $0.batch == 1 }.delete() }
    for batch in 9...11 { try await commit(adding: [batch]) { try await entries.save(Entry.batch(batch)) } }
    try await commit(adding: [Self.upgraded]) { _ = try store.repository(of: NextEntry.self, adding: .all) }
    for (mode, flag) in [(ImportMode.create, Self.imported), (.upsert, Self.upserted), (.replace, Self.replaced)] {
      try await commit(adding: [flag]) { try WorkInSteps.load(mode, into: store) }
    }
    try await backUp(to: "copy") { try await store.backup(to: $0) }
    try await commit(adding: [12]) { try await entries.save(Entry.batch(12)) }
    try await backUp(to: "third") { try Self.backUp(store, to: $0) }
    // One that replaces another, and one that may not. At the end, since any file that SQLite makes synchronises the folder.
    try await backUp(to: "copy") { try await store.backup(to: $0) }
    try await commit(adding: [13]) { try await entries.save(Entry.batch(13)) }
    try await backUp(to: "other") { _ = try await store.checkedBackup(to: $0, replacing: false) }
    // While the store is open: closing it removes the log, and synchronises the folder.
    power_vfs_lose(Self.lastImages)
    hasEnded = true
  }

  // Stand for other work than batches among them: imports of three kinds, the migration, and the column of a newer version.
  private static let (imported, upserted, replaced, migrated, upgraded) = (1_000, 1_001, 1_002, 1_003, 1_004)

  /// The form for code without tasks.
  private static func backUp(_ store: SQLiteStore, to path: String) throws { try store.blocking.backup(to: path) }

  private static let rebuild = Migration("rebuild") { steps throws(RepositoryError) in
    try steps.rebuild("entry", as: Entry.schema.table())
    try steps.addColumn(ColumnSchema("mark", .text, isNullable: true), to: "entry")
  }

  private func commit(
    adding added: Set<Int> = [], removing removed: Set<Int> = [], _ body: () async throws -> some Any
  ) async throws {
    states.append((states[acknowledgedCount].union(added)).subtracting(removed))
    try await whilePowered(body)
    acknowledgedCount += 1
  }

  /// Copies the log into the database, and both to the disk.
  private func checkpoint(_ store: SQLiteStore) async throws {
    try await whilePowered {
      guard try await store.checkpoint() else { throw PowerLossError("a checkpoint is held up by nothing") }
    }
    checkpointedCount = acknowledgedCount
  }

  private func backUp(to name: String, _ body: (String) async throws -> Void) async throws {
    let (before, new) = (copies[name] ?? [nil], states[acknowledgedCount])
    copies[name] = before + [new]
    try await whilePowered { try await body("\(path).\(name)") }
    copies[name] = [new]
  }

  /// Nothing is told to anyone without power: the last call may have failed and have been of no account.
  private func whilePowered(_ body: () async throws -> some Any) async throws {
    _ = try await body()
    if power_vfs_is_lost() != 0 { throw PowerLossError("the power is gone") }
  }

  /// Checks an image of the disk against the states that the commits had made.
  func verify(_ image: String) {
    do {
      let found = try batches(image)
      let leastCount =
        switch setting {
        case .normal: checkpointedCount
        // The journal whose removal is not on the disk undoes the commit that it was removed by.
        case .journalNormal: max(acknowledgedCount - 1, 0)
        case .full, .journal, .lies: acknowledgedCount
        }
      if !states[leastCount...].contains(found) {
        faults.append(
          "\(found.sorted()) after \(acknowledgedCount) commits, the last \(states[acknowledgedCount].sorted())")
      }
      for (name, allowed) in copies {
        let copy = "\(image).\(name)"
        let found = FileManager.default.fileExists(atPath: copy) ? try batches(copy) : nil
        if !allowed.contains(found) {
          faults.append("the backup \(name) \(found.map { "has \($0.sorted())" } ?? "is not there")")
        }
      }
    } catch {
      faults.append("\(error)")
    }
  }

  private func batches(_ image: String) throws -> Set<Int> {
    if !FileManager.default.fileExists(atPath: image) { return [] }
    let store = try SQLiteStore(path: image, journal: .unchanged)
    for problem in try store.blocking.integrityCheck() { faults.append("\(problem)") }
    if try !store.tableNames().contains("entry") { return [] }
    var rows: [Int: Int] = [:]
    for entry in try store.blocking.repository(of: Entry.self).findAll(FetchRequest()) {
      rows[entry.batch, default: 0] += 1
    }
    for (batch, count) in rows where count != 3 { faults.append("\(count) rows of batch \(batch)") }
    var found = Set(rows.keys)
    if try store.tableNames().contains("imported") {
      let notes = try store.blocking.sql.query("SELECT substr(note, 1, 1) FROM imported", as: String.self)
      let (first, second) = (notes.count { $0 == "a" }, notes.count { $0 == "b" })
      switch (first, second) {
      case (200, 0): found.insert(Self.imported)
      case (100, 200): found.formUnion([Self.imported, Self.upserted])
      case (0, 200): found.formUnion([Self.imported, Self.upserted, Self.replaced])
      default: faults.append("\(first) and \(second) rows are imported")
      }
    }
    let isApplied = try store.appliedMigrations().map(\.name) == [Self.rebuild.name]
    if isApplied { found.insert(Self.migrated) }
    let columns = try store.schema(ofTable: "entry").columns.map(\.name)
    if columns.contains("rank") { found.insert(Self.upgraded) }
    let hasColumn = columns.contains("mark")
    if isApplied != hasColumn {
      faults.append(
        "the migration is \(isApplied ? "" : "not ")noted, and its column is \(hasColumn ? "" : "not ")there")
    }
    return found
  }
}

extension Role {
  /// `losePower FOLDER SETTING STEP IMAGES`: does the same again and again, each time until the power goes at
  /// another change of a file, and looks at what a disk might hold then.
  static let losePower = Role("losePower") { arguments in
    guard let setting = PowerSetting(rawValue: arguments[1]), let step = Int(arguments[2]),
      let images = Int32(arguments[3])
    else { throw PowerLossError("no such setting") }
    power_vfs_ignore_syncs(setting == .lies ? 1 : 0)
    let seed = SplitMix64.newSeed()
    var finding = Finding()
    var (number, imageCount, lossCount, faultCount) = (1 + Int(seed % UInt64(step)), 0, 0, 0)
    var hasEnded = false
    while !hasEnded, !finding.isHopeless {
      tell("change \(number), seed \(seed)")
      let folder = "\(arguments[0])/\(number)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let trial = PowerTrial(path: "\(folder)/a.sqlite", setting)
      guard power_vfs_install(1) == 0 else { throw PowerLossError("SQLite does not take the shim") }
      power_vfs_begin(number, seed &+ UInt64(number), images, folder)
      try await trial.work()
      guard power_vfs_install(0) == 0 else { throw PowerLossError("SQLite does not take the shim") }
      hasEnded = trial.hasEnded
      let count = hasEnded ? PowerTrial.lastImages : images
      for image in 0..<count { trial.verify("\(folder)/\(image)-a.sqlite") }
      imageCount += Int(count)
      lossCount += 1
      faultCount += trial.faults.count
      if setting != .lies {
        for fault in trial.faults { finding.expect(false, "power lost at change \(number), seed \(seed): \(fault)") }
      }
      try FileManager.default.removeItem(atPath: folder)
      number += step
    }
    let least = max(1, PowerSetting.leastChanges / step)
    finding.expect(
      lossCount >= least, "the power went \(lossCount) times, in place of \(least) or more, seed \(seed)")
    if setting == .lies {
      finding.expect(faultCount > 0, "nothing was lost on a disk that lies")
      finding.note("\(faultCount) losses noticed in \(imageCount) disks")
    } else {
      finding.note("\(imageCount) disks after \(lossCount) of \(number - step) changes, seed \(seed)")
    }
    tell(finding)
  }
}
