#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A file beside a database that somebody left behind.
package struct StrayFile: Hashable, Sendable {
  package let path: String
  /// What it is, in one clause.
  package let summary: String

  /// Looks for the files that the toolkit itself makes beside a database, and has not taken away.
  package static func all(beside path: String) -> [StrayFile] {
    var files: [StrayFile] = []
    let queue = path + "-queue"
    if FileManager.default.fileExists(atPath: queue), !QueueFile.isTaken(path: queue) {
      files.append(StrayFile(path: queue, summary: "nobody waits for the database any more, so it does no harm"))
    }
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? path
    let folder = String(path.dropLast(name.count))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    for other in names.sorted() where isUnfinishedBackup(other, of: name) {
      files.append(
        StrayFile(path: folder + other, summary: "a backup of this name that was not finished, or is being made"))
    }
    return files
  }

  /// As ``SQLiteStore/backup(to:progress:)`` calls its file until it is whole.
  private static func isUnfinishedBackup(_ file: String, of name: String) -> Bool {
    guard file.hasPrefix("\(name)."), file.hasSuffix(".part") else { return false }
    let middle = file.dropFirst(name.count + 1).dropLast(".part".count)
    return middle.count == 8 && middle.allSatisfy(\.isHexDigit)
  }
}
