#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// The place of one who waits for the right to write, as writers of other processes see it: a locked file beside the
/// database.
///
/// SQLite gives its lock to whoever asks first once it is free, which is most often the one who has just had it. A file
/// that is there, and that somebody has locked, tells him to let another go first. The system gives up the lock of a
/// process that ends, so that a file that was left behind holds nobody up.
final class QueueFile {
  private let path: String
  private let descriptor: Int32

  /// Takes the place; `nil` where somebody else has it, or where no file can be made.
  init?(path: String) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
    if descriptor < 0 { return nil }
    // Whoever had the place may have removed the file between the two calls: a lock on it would be seen by nobody.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, Self.isFile(descriptor, at: path) else {
      close(descriptor)
      return nil
    }
    self.path = path
    self.descriptor = descriptor
  }

  /// Leaves the place.
  deinit {
    // Nobody else removes the file: of one that has just been made anew, its owner would not notice.
    unlink(path)
    close(descriptor)
  }

  /// Whether another process or another connection has the place.
  static func isTaken(path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    // Most often there is nobody, and this call, about a microsecond long, is all that it costs.
    if descriptor < 0 { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0
  }

  private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var (opened, present) = (stat(), stat())
    return fstat(descriptor, &opened) == 0 && lstat(path, &present) == 0
      && opened.st_ino == present.st_ino && opened.st_dev == present.st_dev
  }
}
