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
