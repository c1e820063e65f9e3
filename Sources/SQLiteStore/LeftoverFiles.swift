#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A leftover file beside a database.
package struct LeftoverFile: Hashable, Sendable {
  package let path: String
  /// The description of the file, in one clause.
  package let summary: String

  /// Returns the files that the toolkit itself made next to a database, and has not removed, and a file that has the name of its
  /// write queue.
  package static func all(beside path: String) -> [LeftoverFile] {
    var files: [LeftoverFile] = []
    let queue = path + FileIdentity.writeQueueSuffix
    switch WriteQueue.status(ofDatabase: path) {
    case .missing, .inUse, .inaccessible: break
    case .unused:
      files.append(
        LeftoverFile(path: queue, summary: "no program waits for the database any more, so the file does no harm"))
    case .obstructed:
      files.append(
        LeftoverFile(
          path: queue,
          summary: "the file is not the queue of writing programs, so programs write in no fixed order"))
    }
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? path
    let folder = String(path.dropLast(name.count))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    for other in names.sorted() {
      if isUnfinished(other, of: name) {
        files.append(
          LeftoverFile(path: folder + other, summary: "an unfinished backup, or a backup in progress"))
      } else if isUnfinished(other, of: name + FileIdentity.writeQueueSuffix) {
        files.append(
          LeftoverFile(path: folder + other, summary: "a process was killed while creating a queue file"))
      }
    }
    return files
  }

  /// Returns whether a name is that of an unfinished file of ``SQLiteStore/backup(to:progress:)`` or of the write queue.
  private static func isUnfinished(_ file: String, of name: String) -> Bool {
    guard file.hasPrefix("\(name)."), file.hasSuffix(".part") else { return false }
    let middle = file.dropFirst(name.count + 1).dropLast(".part".count)
    return middle.count == 8 && middle.allSatisfy(\.isHexDigit)
  }
}
