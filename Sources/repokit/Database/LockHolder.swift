#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The process that keeps others from a database.
///
/// The files themselves are left alone: to close one gives up all locks that this process has on it, whoever of its own
/// took them. https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
struct LockHolder {
  let process: pid_t

  /// Looks who has a lock on a database, if the system has a list of them, as Linux does.
  init?(ofDatabase path: String) {
    // The bytes that SQLite locks of a file, and of the one beside it where there is a write-ahead log.
    // https://www.sqlite.org/lockingv3.html and https://www.sqlite.org/walformat.html#wal_locks
    let database = FileLocks(ofPath: path, in: 0x4000_0000..<0x4000_0200)
    let log = FileLocks(ofPath: path + "-shm", in: 120..<123)
    // Who only reads is in the way where there is no log, and nobody writes.
    guard let process = database?.writer ?? log?.writer ?? (log == nil ? database?.reader : nil) else { return nil }
    self.process = process
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
