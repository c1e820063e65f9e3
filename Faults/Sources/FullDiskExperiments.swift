import Foundation
import Repository
import SQLiteStore

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

/// What keeps a database from growing.
enum Shortage: String, Sendable {
  /// The system lets no file grow, as where a disk or a quota is full.
  case limitedFile
  /// SQLite itself lets the database have so many pages.
  case limitedPages
}

extension Role {
  /// `fillDisk DATABASE SHORTAGE JOURNAL`: writes until there is no room left, and again when there is.
  static let fillDisk = Role("fillDisk") { arguments in
    let shortage = Shortage(rawValue: arguments[1]) ?? .limitedFile
    let journal = arguments[2]
    let store = try SQLiteStore(path: arguments[0], journal: journal == "log" ? .writeAheadLog : .unchanged)
    let entries = try store.sqlRepository(of: Entry.self)
    let note = String(repeating: "x", count: 10_000)
    try await entries.save(Entry.batch(0, note: note))
    // Otherwise the system would end the process: https://man7.org/linux/man-pages/man2/setrlimit.2.html
    signal(SIGXFSZ, SIG_IGN)
    try limit(store, shortage, to: 400_000)

    var finding = Finding()
    var saved = 1
    var codes: Set<String> = []
    for batch in 1...500 where codes.isEmpty {
      do throws(RepositoryError) {
        try await entries.save(Entry.batch(batch, note: note))
        saved += 1
      } catch {
        codes.insert(error.code.rawValue)
      }
    }
    finding.expect(codes == ["full"], "\(journal): the errors are \(codes.sorted())")
    finding.expect(saved > 3, "\(journal): only \(saved) batches had room")
    // Each way of writing fails alike, as often as it is tried.
    for batch in 600..<603 {
      let tooMuch = (0..<40).map { Entry(id: batch * 1_000 + $0, batch: batch, note: note) }
      do {
        try await store.transaction { _ in
          for entry in tooMuch { try await entries.save(entry) }
        }
        finding.expect(false, "\(journal): a transaction had room that a batch had not")
      } catch {
        let code = (error as? RepositoryError)?.code
        finding.expect(code == .full || code == .transactionEnded, "\(journal): a transaction fails with \(error)")
      }
      do throws(RepositoryError) {
        try await entries.save(tooMuch)
        finding.expect(false, "\(journal): a batch had room")
      } catch {
        finding.expect(error.code == .full, "\(journal): a batch fails with \(error)")
      }
    }
    let count = try await entries.count(.true)
    finding.expect(count == saved * 3, "\(journal): \(count) rows of \(saved) batches")
    let read = try await entries.findAll().filter { $0.note == note }.count
    finding.expect(read == saved * 3, "\(journal): \(read) rows of \(saved) batches can be read")
    try limit(store, shortage, to: nil)
    for batch in 700..<720 { try await entries.save(Entry.batch(batch, note: note)) }
    let all = try await entries.count(.true)
    finding.expect(all == saved * 3 + 60, "\(journal): \(all) rows are there when there is room again")
    finding.expect(try await store.integrityCheck().isEmpty, "\(journal): the database is damaged")
    finding.note("\(journal): \(saved) batches of 30 kB, then \(codes.sorted().joined(separator: " "))")
    tell(finding)
  }

  private static func limit(_ store: SQLiteStore, _ shortage: Shortage, to bytes: Int?) throws {
    switch shortage {
    case .limitedFile:
      var limit = rlimit()
      #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      #else
        let resource = RLIMIT_FSIZE
      #endif
      getrlimit(resource, &limit)
      limit.rlim_cur = bytes.map(rlim_t.init) ?? limit.rlim_max
      setrlimit(resource, &limit)
    case .limitedPages:
      try store.blocking.transaction(.writing) { transaction in
        try transaction.execute("PRAGMA max_page_count = \(bytes.map { $0 / 4_096 } ?? 1_000_000)")
      }
    }
  }
}
