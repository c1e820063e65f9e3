#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Repository

extension RepositoryError {
  /// The error of opening a file, with the reason where SQLite's own words don't tell it: the files that a write-ahead log
  /// needs beside the database can't be made.
  func explained(forFile path: String) -> RepositoryError {
    guard let storeCode, isOfLog(storeCode, path) else { return self }
    return RepositoryError(
      .cannotOpen, "the database file can't be opened",
      reason: "a write-ahead log needs files beside it (-wal and -shm), which can't be written",
      suggestion: """
        allow its folder to be written, copy the database into one that is, or open one that has no log with the journal \
        unchanged
        """,
      sql: sql, storeCode: storeCode, underlying: self)
  }

  private func isOfLog(_ storeCode: Int, _ path: String) -> Bool {
    if Self.codesOfLog.contains(storeCode) { return true }
    let folder = URL(filePath: path).deletingLastPathComponent().path
    return code == .cannotOpen && FileManager.default.isReadableFile(atPath: path)
      && !FileManager.default.isWritableFile(atPath: folder)
  }

  /// SQLITE_READONLY_RECOVERY, _CANTLOCK, _CANTINIT and _DIRECTORY: https://www.sqlite.org/rescode.html
  private static let codesOfLog = [264, 520, 1288, 1544]
}
