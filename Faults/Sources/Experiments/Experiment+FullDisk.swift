extension Experiment {
  /// A full disk is an error, and what was there before can be read.
  static func fullDisk(_ shortage: Shortage) -> Experiment {
    let summary =
      switch shortage {
      case .limitedFile: "no file may grow beyond 400 kB, with and without a log"
      case .limitedPages: "a database of at most 97 pages, with and without a log"
      }
    return Experiment("full-\(shortage == .limitedFile ? "disk" : "pages")", summary) { _ in
      let folder = try Folder()
      var finding = Finding()
      for journal in ["log", "journal"] {
        finding.add(
          try await Helper("fillDisk", [folder.file("\(journal).sqlite"), shortage.rawValue, journal]).finding())
      }
      return finding
    }
  }
}
