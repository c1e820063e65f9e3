#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Which other processes have locks on a part of a file, as the system lists them, without opening the file.
///
/// `2: POSIX  ADVISORY  WRITE 4711 fe:00:253853 1073741824 1073742335`: https://man7.org/linux/man-pages/man5/proc_locks.5.html
struct FileLocks {
  private(set) var writer: pid_t?
  private(set) var reader: pid_t?

  /// Looks at the list; `nil` where there is no such file.
  init?(ofPath path: String, in range: Range<UInt64>) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    guard let list = fopen("/proc/locks", "r") else { return }
    defer { fclose(list) }
    let (device, file) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
    var bytes = [CChar](repeating: 0, count: 256)
    while fgets(&bytes, Int32(bytes.count), list) != nil {
      let line = String(decoding: bytes.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      // Who waits for a lock is behind an arrow, and has none.
      let words = line.split(separator: " ")
      guard words.count == 8, words[1] == "POSIX", let process = pid_t(words[4]), process > 0, process != getpid(),
        Self.isFile(words[5], device, file), let first = UInt64(words[6]), first < range.upperBound,
        UInt64(words[7]) ?? .max >= range.lowerBound
      else { continue }
      if words[3] == "WRITE" { writer = writer ?? process } else { reader = reader ?? process }
    }
  }

  /// Whether a device's two numbers and a file's, `fe:00:253853`, are those of a file.
  private static func isFile(_ text: Substring, _ device: UInt64, _ file: UInt64) -> Bool {
    let parts = text.split(separator: ":")
    guard parts.count == 3, let major = UInt64(parts[0], radix: 16), let minor = UInt64(parts[1], radix: 16) else {
      return false
    }
    // https://man7.org/linux/man-pages/man3/makedev.3.html
    return major == (device >> 8 & 0xFFF | device >> 32 & ~0xFFF) && minor == (device & 0xFF | device >> 12 & ~0xFF)
      && UInt64(parts[2]) == file
  }
}
