import SQLiteStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The process that keeps others from a database.
///
/// To close the file gives up all locks that this process itself has on it, so nobody may look as long as a store is at work.
struct LockHolder {
  let process: pid_t

  /// Looks who has a lock on a database, if the system tells.
  init?(ofDatabase path: String) {
    // The bytes that SQLite locks of a file, and of the one beside it where there is a write-ahead log.
    // https://www.sqlite.org/lockingv3.html and https://www.sqlite.org/walformat.html#wal_locks
    let database = Self.holder(of: path, from: 0x4000_0000, count: 512)
    guard let process = database ?? Self.holder(of: path + "-shm", from: 120, count: 3) else { return nil }
    self.process = process
  }

  private static func holder(of path: String, from start: Int64, count: Int64) -> pid_t? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
    defer { close(descriptor) }
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = off_t(start)
    range.l_len = off_t(count)
    guard fcntl(descriptor, F_GETLK, &range) == 0, Int32(range.l_type) != Int32(F_UNLCK), range.l_pid > 0 else {
      return nil
    }
    return range.l_pid
  }
}

extension LockHolder: CustomStringConvertible {
  /// `process 4711`, after its name where the system has a file that tells.
  var description: String {
    let number = "process \(process)"
    guard let file = fopen("/proc/\(process)/comm", "r") else { return number }
    defer { fclose(file) }
    var bytes = [CChar](repeating: 0, count: 64)
    guard fgets(&bytes, Int32(bytes.count), file) != nil else { return number }
    let name = String(decoding: bytes.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return "\(TerminalText.visible(name)), \(number)"
  }
}

extension DatabaseFile {
  /// What SQLite could not do with the file, and who was in the way. Only for a command that ends with it.
  func failure(_ error: RepositoryError) -> Failure {
    let failure = Failure(error).at(path)
    guard error.code == .busy, let holder = LockHolder(ofDatabase: path) else { return failure }
    return failure.adding("it is held by \(holder)")
  }
}
