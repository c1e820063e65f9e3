#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif
import SQLStore

/// An entry in the queue of the writers of all processes: a locked byte of a file beside the database. A later writer
/// locks a byte further on.
///
/// SQLite gives its write lock to the connection that asks first once it is free, which is most often the one that has just
/// had it. A byte that is locked tells all others to let its owner go first. The system gives up the locks of a process
/// that ends, so that a file that was left behind holds nothing up.
final class QueueFile: WriteQueuePlace {
  private let path: String
  private let descriptor: Int32
  private let position: Int64
  /// The byte that is locked while an entry is added or removed. The entries' bytes follow it.
  private static let door: Int64 = 0

  /// Joins the end of the queue; `nil` where another writer holds the door, or where no file can be made.
  init?(path: String) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
    if descriptor < 0 { return nil }
    // The last writer may have removed the file since: an entry in a removed file is invisible to other processes.
    guard Self.lock(descriptor, at: Self.door), Self.isFile(descriptor, at: path),
      let position = Self.nextPosition(descriptor), Self.lock(descriptor, at: position)
    else {
      close(descriptor)
      return nil
    }
    Self.unlock(descriptor, at: Self.door)
    (self.path, self.descriptor, self.position) = (path, descriptor, position)
  }

  /// Leaves the queue.
  deinit {
    Self.unlock(descriptor, at: position)
    // A locked door means that another writer needs the file. It may also have been removed already, and the file that
    // has its name now may be in use.
    if Self.lock(descriptor, at: Self.door), Self.isFile(descriptor, at: path),
      !Self.isAnyLocked(descriptor, from: Self.door + 1)
    {
      unlink(path)
    }
    close(descriptor)
  }

  /// Whether this is the first entry.
  var isFirst: Bool {
    let before = position - Self.door - 1
    return before == 0 || !Self.isAnyLocked(descriptor, from: Self.door + 1, count: before)
  }

  /// Whether a writer of another process or another connection is waiting.
  static func isTaken(path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    // Most often the queue is empty, and this call, about a microsecond long, is the whole cost.
    if descriptor < 0 { return false }
    defer { close(descriptor) }
    return isAnyLocked(descriptor, from: door + 1)
  }

  /// Draws a number. The file keeps the latest as its size, which needs no byte on the disk.
  private static func nextPosition(_ descriptor: Int32) -> Int64? {
    var file = stat()
    guard fstat(descriptor, &file) == 0 else { return nil }
    let position = max(Int64(file.st_size), door) + 1
    return ftruncate(descriptor, off_t(position)) == 0 ? position : nil
  }

  private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var (opened, present) = (stat(), stat())
    return fstat(descriptor, &opened) == 0 && lstat(path, &present) == 0
      && opened.st_ino == present.st_ino && opened.st_dev == present.st_dev
  }
}

// Locks that belong to an open file rather than to the process, so that two stores of a process tell each other apart.
// https://man7.org/linux/man-pages/man2/fcntl_locking.2.html
extension QueueFile {
  // Swift does not import the names. A system that knows no such locks refuses them, and all go as they come.
  #if canImport(Darwin)
    private static let (setLock, getLock): (Int32, Int32) = (90, 92)
  #else
    private static let (setLock, getLock): (Int32, Int32) = (37, 36)
  #endif

  private static func range(_ start: Int64, _ count: Int64, _ type: Int32) -> flock {
    var range = flock()
    range.l_type = Int16(type)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = off_t(start)
    range.l_len = off_t(count)
    return range
  }

  private static func lock(_ descriptor: Int32, at position: Int64) -> Bool {
    var range = range(position, 1, Int32(F_WRLCK))
    return fcntl(descriptor, setLock, &range) == 0
  }

  private static func unlock(_ descriptor: Int32, at position: Int64) {
    var range = range(position, 1, Int32(F_UNLCK))
    _ = fcntl(descriptor, setLock, &range)
  }

  /// - Parameter count: of how many bytes; 0 for all that follow.
  private static func isAnyLocked(_ descriptor: Int32, from start: Int64, count: Int64 = 0) -> Bool {
    var range = range(start, count, Int32(F_WRLCK))
    return fcntl(descriptor, getLock, &range) == 0 && Int32(range.l_type) != Int32(F_UNLCK)
  }
}
