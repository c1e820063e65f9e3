import TestSupport

extension Experiment {
  /// A file that is no database, or was one, is an error and no crash.
  static let damagedFiles = Experiment("damage", "1,000 files with flipped bytes, cut off, empty, of other formats") {
    scale in
    let folder = try Folder()
    let seed = SplitMix64.seed()
    let count = scale.pick(quick: 60, full: 1_000)
    var finding = try await Helper("damagedFiles", [folder.path, "\(seed)", "\(count)"]).finding()
    finding.note("seed \(seed)")
    return finding
  }
}
