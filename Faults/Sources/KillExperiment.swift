import Foundation
import Repository
import SQLiteStore
import TestSupport

extension Experiment {
  /// What was acknowledged to a process that is killed is there.
  ///
  /// What the system has taken it keeps, so that `synchronous` makes no difference: ``powerLoss(_:)``.
  static let kill = Experiment("kill", "kill -9 in a loop of commits, 100 times") { scale in
    let folder = try Folder()
    let path = folder.file("a.sqlite")
    var finding = Finding()
    let seed = SplitMix64.newSeed()
    var random = SplitMix64(seed: seed)
    var (acknowledged, slowest) = (-1, Duration.zero)
    let rounds = scale.pick(quick: 5, full: 100)
    for round in 1...rounds {
      let writer = try Helper("writeUntilKilled", [path])
      var first: Int?
      while first == nil, let line = await writer.line() { first = Int(line) }
      finding.expect(
        first == acknowledged + 1 || first == acknowledged + 2, "round \(round) begins with \(first ?? -1)")
      try await Task.sleep(for: .microseconds(.random(in: 0...60_000, using: &random)))
      writer.kill()
      acknowledged = await writer.lines().compactMap { Int($0) }.last ?? first ?? acknowledged
      await writer.wait()

      let watch = Stopwatch()
      let store = try SQLiteStore(path: path)
      let entries = try store.sqlRepository(of: Entry.self)
      let last = try await entries.find(acknowledged * 3 + 2)
      slowest = max(slowest, watch.elapsed)
      finding.expect(last != nil, "round \(round): batch \(acknowledged) was acknowledged and is lost")
      // One more may be there, of which the writer had no time to tell.
      let count = try await entries.count(.true)
      let rows = [(acknowledged + 1) * 3, (acknowledged + 2) * 3]
      finding.expect(
        rows.contains(count), "round \(round): \(count) rows, of \(acknowledged + 1) acknowledged batches")
    }
    let other = try OtherProgram(path)
    let torn = try other.number("SELECT count(*) FROM (SELECT 1 FROM entry GROUP BY batch HAVING count(*) <> 3)")
    finding.expect(torn == 0, "\(torn) batches are torn")
    finding.expect(try other.isWhole(), "the database is damaged")
    finding.note(
      "\(acknowledged + 1) commits acknowledged in \(rounds) rounds\(finding.faultCount == 0 ? ", none lost or torn" : ""), reopened in \(slowest.text) at most, seed \(seed)"
    )
    if scale == .full { finding.expect(slowest < .milliseconds(50), "reopening took \(slowest.text)") }
    return finding
  }
}

extension Role {
  /// `writeUntilKilled DATABASE`: saves batch after batch, and tells the number of each that is saved.
  static let writeUntilKilled = Role("writeUntilKilled") { arguments in
    let store = try SQLiteStore(path: arguments[0])
    let entries = try store.sqlRepository(of: Entry.self)
    let last = try await entries.findAll(sortedBy: { $0.batch.descending }, limit: 1).first?.batch ?? -1
    let note = String(repeating: "x", count: 500)
    for batch in (last + 1)... {
      // The ways of writing several rows.
      switch batch % 4 {
      case 0: try await entries.save(Entry.batch(batch, note: note))
      case 1:
        try await store.transaction { _ in
          for entry in Entry.batch(batch, note: note) { try await entries.save(entry) }
        }
      case 2: try entries.blocking.save(Entry.batch(batch, note: note))
      default:
        try await store.transaction { outer in
          try await entries.save(Entry.batch(batch, note: note)[0])
          try await outer.transaction { _ in try await entries.save(Array(Entry.batch(batch, note: note)[1...])) }
        }
      }
      tell("\(batch)")
    }
  }
}

/// A row of which several are written together: all of a batch are there, or none.
struct Entry: Entity, Equatable {
  let id: Int
  var batch: Int
  var note: String

  static let schema = Schema(
    "entry", Entry.init, Column("id", \.id), Column("batch", \.batch, .indexed), Column("note", \.note))

  /// The three entries of a batch, by which the numbers of the batches are the thirds of theirs.
  static func batch(_ number: Int, note: String = "") -> [Entry] {
    (0..<3).map { Entry(id: number * 3 + $0, batch: number, note: note) }
  }
}
