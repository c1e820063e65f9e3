#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// What the system does to the names of files.
package enum FileName {
  /// What came of giving a file a name.
  package enum RenameResult: Equatable {
    case given
    /// Another file has the name, and keeps it.
    case taken
    /// The system's error number.
    case failed(Int32)
  }

  /// Gives a file, all of which is on the disk, another name in its folder. The name is on the disk too then.
  ///
  /// - Parameter replacing: whether a file that has the name gives way; at no time is there neither.
  package static func assign(_ path: String, to file: String, replacing: Bool) -> RenameResult {
    let gift = replacing ? rename(file, to: path) : giveFreeName(path, to: file)
    if gift == .given { synchronizeFolder(of: path) }
    return gift
  }

  /// Assigns a name that must not exist: a link, unlike a rename, never replaces another file.
  private static func giveFreeName(_ path: String, to file: String) -> RenameResult {
    if link(file, path) != 0 { return errno == EEXIST ? .taken : reserve(path, for: file) }
    unlink(file)
    return .given
  }

  /// The same where files have one name only, as on disks for cameras: an empty file holds the name until then.
  package static func reserve(_ path: String, for file: String) -> RenameResult {
    let place = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600 as mode_t)
    if place < 0 { return errno == EEXIST ? .taken : .failed(errno) }
    close(place)
    let gift = rename(file, to: path)
    if gift != .given { unlink(path) }
    return gift
  }

  private static func rename(_ file: String, to path: String) -> RenameResult {
    systemRename(file, path) == 0 ? .given : .failed(errno)
  }

  /// Synchronizes the folder of a file: a new name is durable only once its folder is.
  private static func synchronizeFolder(of path: String) {
    let descriptor = open(folder(of: path), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// The folder that contains a file.
  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Copies the permissions of another file, so that a copy is no more readable than its original.
  static func copyPermissions(of path: String, to file: String) {
    var status = stat()
    if stat(path, &status) == 0 { chmod(file, status.st_mode & 0o777) }
  }

  /// The ends of the names of the files that belong to a database: its own, those of SQLite
  /// (https://www.sqlite.org/tempfiles.html) and the one of the write queue.
  private static let databaseSuffixes = ["", "-wal", "-shm", "-journal", writeQueueSuffix]

  /// The end of the name of the file by which the writers of several processes queue.
  static let writeQueueSuffix = "-queue"

  /// Whether a path leads to a database or to a file that belongs to it, be that there yet or not: to write another file
  /// there would destroy commits, or the file would be taken for what it is not.
  ///
  /// Links, `..` and other names of a folder lead to the same file. Where there is none, names that differ in case or
  /// composition alone count as the same, since file systems may take them for one.
  package static func belongs(_ path: String, toDatabase database: String) -> Bool {
    if database.isEmpty { return false }
    let (path, database) = (followingLinks(path), followingLinks(database))
    let files = databaseSuffixes.map { database + $0 }
    var status = stat()
    if stat(path, &status) == 0 { return files.contains { areSame(path, $0) } }
    guard areSame(folder(of: path), folder(of: database)) else { return false }
    let name = lastComponent(of: path).lowercased()
    // Text, not bytes, is compared on purpose: composed and decomposed names count as the same.
    return files.contains { lastComponent(of: $0).lowercased() == name }
  }

  /// The path to which links lead, those of folders aside, also where there is nothing at their end.
  private static func followingLinks(_ path: String) -> String {
    var path = path
    // As many as Linux follows: https://man7.org/linux/man-pages/man7/path_resolution.7.html
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

  /// Whether two names are the same file's.
  package static func areSame(_ lhs: String, _ rhs: String) -> Bool {
    var (left, right) = (stat(), stat())
    guard stat(lhs, &left) == 0, stat(rhs, &right) == 0 else { return false }
    return left.st_dev == right.st_dev && left.st_ino == right.st_ino
  }
}

/// The system's `rename`, whose name a method above hides.
private func systemRename(_ file: String, _ path: String) -> Int32 { rename(file, path) }
