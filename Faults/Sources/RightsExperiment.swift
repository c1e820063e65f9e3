import Foundation
import Repository
import SQLiteStore

extension Experiment {
  /// Without the right to write, it works or tells why not.
  static let rights = Experiment("rights", "read-only files and folders, a log without its -shm") { _ in
    let folder = try Folder()
    return try await Helper("lackRights", [folder.path]).finding()
  }
}

extension Role {
  /// `lackRights FOLDER`: uses files and folders that it may not write.
  static let lackRights = Role("lackRights") { arguments in
    let folder = arguments[0]
    for name in ["log", "journal"] {
      for place in ["file", "folder"] {
        let directory = "\(folder)/\(name)-\(place)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let path = "\(directory)/a.sqlite"
        let store = try SQLiteStore(path: path, journal: name == "log" ? .writeAheadLog : .unchanged)
        try await store.sqlRepository(of: Entry.self).save(Entry.batch(0))
      }
    }
    // What is left of a database whose -shm did not come along.
    let (copied, original) = ("\(folder)/copied", "\(folder)/original")
    for directory in [copied, original] {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }
    let open = try SQLiteStore(path: "\(original)/a.sqlite")
    try await open.sqlRepository(of: Entry.self).save(Entry.batch(0))
    for end in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: "\(original)/a.sqlite\(end)", toPath: "\(copied)/a.sqlite\(end)")
    }

    for directory in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let files = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(directory)")
      for file in files { chmod("\(folder)/\(directory)/\(file)", directory.hasSuffix("file") ? 0o444 : 0o666) }
      chmod("\(folder)/\(directory)", directory.hasSuffix("folder") || directory == "copied" ? 0o555 : 0o777)
    }
    // The administrator may do everything.
    if getuid() == 0 {
      setgid(65_534)
      setuid(65_534)
    }
    var finding = Finding()
    var outcomes: [String: [String]] = [:]
    for name in ["log-file", "journal-file", "log-folder", "journal-folder", "copied"] {
      for mode in [OpenMode.existing, .readOnly] {
        let path = "\(folder)/\(name)/a.sqlite"
        let before = try Data(contentsOf: URL(filePath: path))
        let outcome = await Self.outcome(path, mode)
        finding.expect(outcome.isRight, "\(name), \(mode): \(outcome.text)")
        // A log needs files beside it, which a folder that can't be written does not take. Without one, opening to write may fail.
        let mayFail = name == "log-folder" || name == "copied" || name == "journal-folder" && mode == .existing
        finding.expect(mayFail || outcome.text.hasPrefix("read"), "\(name), \(mode): \(outcome.text)")
        finding.expect(
          try Data(contentsOf: URL(filePath: path)) == before, "\(name), \(mode): the file has changed")
        outcomes[outcome.text, default: []].append("\(name) \(mode)")
      }
    }
    for (text, places) in outcomes.sorted(by: { $0.key < $1.key }) {
      finding.note("\(text) (\(places.joined(separator: ", ")))")
    }
    tell(finding)
  }

  /// Either it works, or a message names the reason.
  private static func outcome(_ path: String, _ mode: OpenMode) async -> (isRight: Bool, text: String) {
    let store: SQLiteStore
    do throws(RepositoryError) {
      store = try SQLiteStore(path: path, mode: mode)
    } catch {
      return (
        error.namesTheReason && error.reason?.contains("-wal") == true,
        "not opened: \(error.summary), \(error.reason ?? "")"
      )
    }
    var text = ""
    do throws(RepositoryError) {
      let entries = try store.sqlRepository(of: Entry.self)
      let count = try await entries.findAll().count
      if count != 3 { return (false, "\(count) rows are read") }
      text += "read"
      try await entries.save(Entry.batch(1))
      // Nothing here can be written, however it was opened.
      return (false, text + ", and a write was acknowledged")
    } catch {
      return (error.namesTheReason, text + ", then \(error.summary)")
    }
  }
}

extension RepositoryError {
  /// Whether it tells that rights are missing, and what may be done.
  fileprivate var namesTheReason: Bool { (code == .readOnly || code == .cannotOpen) && suggestion != nil }
}
