#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// What the system does to the names of files.
enum FileName {
  /// Gives a file the name of another, which is gone then: at no time there is neither.
  ///
  /// - Returns: whether it could be done.
  static func replace(_ path: String, with newPath: String) -> Bool { rename(newPath, path) == 0 }

  /// What came of giving a file a name that no other may have.
  enum Gift {
    case given
    /// Another file has the name.
    case taken
    /// The system can't do that, as on disks that know no second names.
    case refused
  }

  /// Gives a file a name, unless another file has it.
  static func give(_ path: String, to file: String) -> Gift {
    if link(file, path) != 0 { return errno == EEXIST ? .taken : .refused }
    unlink(file)
    return .given
  }

  /// Lets nobody read a file who may not read another.
  static func copyPermissions(of path: String, to file: String) {
    var status = stat()
    if stat(path, &status) == 0 { chmod(file, status.st_mode & 0o777) }
  }

  /// Whether two names are the same file's.
  static func areSame(_ lhs: String, _ rhs: String) -> Bool {
    var (left, right) = (stat(), stat())
    guard stat(lhs, &left) == 0, stat(rhs, &right) == 0 else { return false }
    return left.st_dev == right.st_dev && left.st_ino == right.st_ino
  }
}
