import Foundation
import Repository
import SQLiteStore

extension Experiment {
  /// What was acknowledged to a process that is killed is there.
  static func kill(_ synchronous: Synchronous) -> Experiment {
    let word = synchronous == .full ? "full" : "normal"
    return Experiment("kill-\(word)", "kill -9 in a loop of commits, 100 times, synchronous=\(word.uppercased())") {
      scale in
      let folder = try Folder()
      let path = folder.file("a.sqlite")
      var finding = Finding()
      var (acknowledged, slowest) = (-1, Duration.zero)
      let rounds = scale.pick(quick: 5, full: 100)
      for round in 1...rounds {
        let writer = try Helper("writeUntilKilled", [path, word])
        var first: Int?
        while first == nil, let line = await writer.line() { first = Int(line) }
        finding.expect(
          first == acknowledged + 1 || first == acknowledged + 2, "round \(round) begins with \(first ?? -1)")
        try await Task.sleep(for: .microseconds(.random(in: 0...60_000)))
        writer.kill()
        acknowledged = await writer.lines().compactMap { Int($0) }.last ?? first ?? acknowledged
        await writer.wait()

        let watch = Stopwatch()
        let store = try SQLiteStore(path: path)
        let entries = try store.repository(of: Entry.self)
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
        "\(acknowledged + 1) commits acknowledged in \(rounds) rounds, none lost or torn, reopened in \(slowest.text) at most"
      )
      if scale == .full { finding.expect(slowest < .milliseconds(50), "reopening took \(slowest.text)") }
      return finding
    }
  }
}
