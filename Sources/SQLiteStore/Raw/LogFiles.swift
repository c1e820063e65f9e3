#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// The write-ahead log beside a database, and the file of its index.
enum LogFiles {
  /// Whether the log of a database holds nothing and no connection has it open: one that only reads can't delete it.
  static func areLeft(beside path: String) -> Bool {
    var status = stat()
    guard stat(path + "-wal", &status) == 0, status.st_size == 0 else { return false }
    let descriptor = open(path + "-shm", O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return errno == ENOENT }
    defer { close(descriptor) }
    // Each connection has a shared lock on this byte: https://www.sqlite.org/walformat.html#wal_locks and `UNIX_SHM_DMS` in
    // https://www.sqlite.org/src/file/src/os_unix.c
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    (lock.l_start, lock.l_len) = (128, 1)
    return fcntl(descriptor, F_GETLK, &lock) == 0 && Int32(lock.l_type) == Int32(F_UNLCK)
  }
}
