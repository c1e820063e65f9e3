/// Files beside an SQLite database that hold changes which are not in it yet, or were not finished.
struct PendingChanges {
  /// The path of a journal of a change that has to be undone; `nil` where there is none.
  let journal: String?
  /// The path of a write-ahead log with changes; `nil` where there is none.
  let log: String?

  init(beside path: String) {
    // A journal that is kept begins with zeros when its change is done: https://www.sqlite.org/pragma.html#pragma_journal_mode
    let start = try? BinaryFile.prefix(of: path + "-journal", byteCount: 1)
    journal = start?.first ?? 0 == 0 ? nil : path + "-journal"
    // A log is a header of 32 bytes, and pages: https://www.sqlite.org/fileformat2.html#walformat
    log = FileSize.bytes(of: path + "-wal") > 32 ? path + "-wal" : nil
  }

  /// What it means that these files are left out, a line each.
  var notes: [String] {
    [
      journal.map {
        "\($0) is left out: a program was stopped amid a change, and what is read may be half of that change"
      },
      log.map { "\($0) is left out: changes in it that are not in the file yet are not read" },
    ].compactMap(\.self)
  }
}
