/// What was typed, in this shell and in earlier ones.
struct ShellHistory {
  /// The entries, the latest last.
  private(set) var entries: [String] = []
  private let file: HistoryFile?
  private let report: (Failure) -> Void
  private var hasFailed = false

  /// Reads what is remembered.
  ///
  /// - Parameters:
  ///   - file: where it is remembered, if anywhere.
  ///   - report: tells of what goes wrong with the file, once.
  init(file: HistoryFile?, report: @escaping (Failure) -> Void) {
    self.file = file
    self.report = report
    attempt { file throws(Failure) in
      try file.trim()
      return try file.read()
    }.map { entries = $0 }
  }

  /// Remembers an entry, unless it starts with a blank or is the one before again.
  mutating func add(_ entry: String) {
    if entry.isEmpty || entry.first?.isWhitespace == true || entry == entries.last { return }
    entries.append(entry)
    _ = attempt { file throws(Failure) in try file.append(entry) }
  }

  private mutating func attempt<Result>(_ body: (HistoryFile) throws(Failure) -> Result) -> Result? {
    guard let file, !hasFailed else { return nil }
    do throws(Failure) {
      return try body(file)
    } catch {
      hasFailed = true
      report(error)
      return nil
    }
  }
}
