#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// The identity of the file at a path: its folder, whether two paths lead to the same file, and whether it belongs to a database.
package enum FileIdentity {
  /// Returns the folder that contains a file.
  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Copies the permissions of the file at a path to an open file, so that a copy is no more readable than its original. If
  /// there is no file at the path, nothing is changed.
  package static func copyPermissions(of path: String, to descriptor: Int32) {
    var (original, copy) = (stat(), stat())
    guard stat(path, &original) == 0, fstat(descriptor, &copy) == 0 else { return }
    var mode = original.st_mode & 0o777
    // What the original allows its group, it allows no other group. A user may give a file to their own groups.
    if copy.st_gid != original.st_gid, fchown(descriptor, uid_t.max, original.st_gid) != 0 {
      mode &= ~0o070 | (mode & 0o007) << 3
    }
    fchmod(descriptor, mode)
  }

  /// Copies the permissions of the file at a path to another one, which may not be a link.
  static func copyPermissions(of path: String, to file: String) {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    copyPermissions(of: path, to: descriptor)
    close(descriptor)
  }

  /// Creates an empty file, accessible only to the current user, at a path that must not exist.
  ///
  /// - Returns: whether there is one now.
  static func createPrivately(_ path: String) -> Bool {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600 as mode_t)
    return descriptor >= 0 && close(descriptor) == 0
  }

  /// The suffixes of the names of the files that belong to a database: its own, those of SQLite
  /// (https://www.sqlite.org/tempfiles.html) and that of the write queue.
  private static let databaseSuffixes = ["", "-wal", "-shm", "-journal", writeQueueSuffix]

  /// The suffix of the file by which the writers of several processes queue.
  static let writeQueueSuffix = "-queue"

  /// Returns whether a path leads to a database or to a file that belongs to it, even if it does not exist yet: another file
  /// there would destroy commits, or would be misinterpreted.
  ///
  /// Links, `..` and other names of a folder lead to the same file. If no file exists, names that differ only in case or
  /// composition count as the same, since file systems may treat them as equal. A database with several names (hard links) may
  /// have such files next to each name, as SQLite names them after the path by which the database was opened:
  /// https://www.sqlite.org/howtocorrupt.html#_multiple_links_to_the_same_file
  package static func belongs(_ path: String, toDatabase database: String) -> Bool {
    if database.isEmpty { return false }
    let (path, database) = (followingLinks(path), followingLinks(database))
    let files = databaseSuffixes.map { database + $0 }
    let other = databaseSuffixes.dropFirst().first { path.lowercased().hasSuffix($0) }
    if let other, areSame(String(path.dropLast(other.count)), database) { return true }
    var status = stat()
    if stat(path, &status) == 0 { return files.contains { areSame(path, $0) } }
    guard areSame(folder(of: path), folder(of: database)) else { return false }
    let name = lastComponent(of: path).lowercased()
    // Text, not bytes, is compared on purpose: composed and decomposed names count as the same.
    return files.contains { lastComponent(of: $0).lowercased() == name }
  }

  /// Returns the file to which a file at a path would belong if the former is a database; `nil` if there is no such file.
  ///
  /// The content is not checked: to open and close the file would release all locks that SQLite has on it in this process.
  /// https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
  package static func database(withFile path: String) -> String? {
    let path = followingLinks(path)
    guard let end = databaseSuffixes.dropFirst().first(where: { path.lowercased().hasSuffix($0) }) else { return nil }
    let database = String(path.dropLast(end.count))
    return FileKind(ofPath: database) == .regular ? database : nil
  }

  /// Returns the path to which the links of a file lead, even if there is no file; links of folders are not followed.
  package static func followingLinks(_ path: String) -> String {
    var path = path
    // Linux follows at most 40 links: https://man7.org/linux/man-pages/man7/path_resolution.7.html
    for _ in 0..<40 {
      var buffer = [CChar](repeating: 0, count: 4_096)
      let count = readlink(path, &buffer, buffer.count)
      if count < 0 { break }
      let target = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      path = target.utf8.first == UInt8(ascii: "/") ? target : "\(folder(of: path))/\(target)"
    }
    return path
  }

  private static func lastComponent(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  /// Returns whether two names are those of the same file.
  package static func areSame(_ lhs: String, _ rhs: String) -> Bool {
    var (left, right) = (stat(), stat())
    guard stat(lhs, &left) == 0, stat(rhs, &right) == 0 else { return false }
    return left.st_dev == right.st_dev && left.st_ino == right.st_ino
  }
}
