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

  /// Whether two names are the same file's.
  static func areSame(_ lhs: String, _ rhs: String) -> Bool {
    var (left, right) = (stat(), stat())
    guard stat(lhs, &left) == 0, stat(rhs, &right) == 0 else { return false }
    return left.st_dev == right.st_dev && left.st_ino == right.st_ino
  }
}
