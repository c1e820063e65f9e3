import SQLiteStore

extension Experiment {
  /// Processes that write at once each have their turn. SQLite's own way of waiting let one have 25,548 and another 1.
  static func fairness(processes: Int) -> Experiment {
    Experiment("fairness-\(processes)", "\(processes) processes save single rows in tight loops for 4 s") { scale in
      let folder = try Folder()
      let path = folder.file("a.sqlite")
      let entries = try SQLiteStore(path: path).repository(of: Entry.self)
      let seconds = scale.pick(quick: 0.3, full: 4)
      let writers = try (0..<processes).map { try Helper("writeExclusively", [path, "\($0)", "\(seconds)"]) }
      for writer in writers { _ = await writer.line() }
      for writer in writers { writer.release() }
      var finding = Finding()
      var (counts, slowest): ([Int], Double) = ([], 0)
      for writer in writers {
        let lines = await writer.lines()
        finding.expect(await writer.wait() == nil, "a writer failed")
        counts.append(Int(lines.first ?? "") ?? 0)
        slowest = max(slowest, Double(lines.last ?? "") ?? 0)
      }
      for (writer, count) in counts.enumerated() {
        let found = try await entries.count(.equal(key: "batch", value: writer))
        finding.expect(
          found == count, "writer \(writer) was told \(count) times that a row is saved, there are \(found)")
      }
      let ratio = Double(counts.max() ?? 0) / Double(max(counts.min() ?? 0, 1))
      finding.note("\(counts.map(String.init).joined(separator: " : ")) rows")
      finding.note("ratio \((ratio * 100).rounded() / 100)")
      finding.note("slowest save \(Duration.milliseconds(slowest).text)")
      if scale == .full { finding.expect(ratio < 3, "the ratio is 3 or more") }
      return finding
    }
  }
}
