#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A small file that is read at once.
enum TextFile {
  /// More than anybody writes by hand.
  private static let limit = 1 << 20

  /// The file's text; bytes that are not UTF-8 are replaced.
  ///
  /// - Throws: ``Failure`` where it can't be read, or is too large to be such a file.
  static func text(at path: String) throws(Failure) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Failure("\(path) can't be opened", code: errno) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var count = 0
    while count < bytes.count {
      let more = bytes[count...].withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if more == 0 { return String(decoding: bytes[..<count], as: UTF8.self) }
      if more > 0 { count += more } else if errno != EINTR { throw Failure("\(path) can't be read", code: errno) }
    }
    throw Failure("\(path) is larger than a megabyte")
  }
}
