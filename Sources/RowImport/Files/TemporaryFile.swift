#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file without a name, which is removed when it is closed, and never fills its disk.
package final class TemporaryFile {
  /// The number of bytes between two checks of the available space.
  private static let interval = 1 << 24

  private let folder: String
  private var descriptor: Int32
  private let room: (Int32) -> Int
  /// The number of bytes that may be written before the next check.
  private var allowance = 0
  /// The number of bytes in the file.
  private(set) var size = 0

  /// Creates the file in the folder that `TMPDIR` names.
  ///
  /// - Parameter room: returns how many more bytes may be written to a file.
  init(room: @escaping (Int32) -> Int) throws(ImportError) {
    self.room = room
    let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    folder = named.isEmpty ? "/tmp" : named
    let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let path = "\(folder)/repokit.\(number)"
    // Unlike `mkstemp`, this sets `O_CLOEXEC`, so that a program that is started meanwhile, such as a pager, does not inherit the
    // file.
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600 as mode_t)
    if descriptor < 0 { throw ImportError("can't create a temporary file in \(folder)", code: errno) }
    unlink(path)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Returns how many bytes may be written to a file so that a tenth of its disk stays free, or a gigabyte if that is less.
  package static func room(onDiskOf descriptor: Int32) -> Int {
    var status = statvfs()
    guard fstatvfs(descriptor, &status) == 0 else { return .max }
    let block = Int(clamping: status.f_frsize)
    let (free, total) = (Int(clamping: status.f_bavail), Int(clamping: status.f_blocks))
    return max(0, free.multipliedOrMax(by: block) - min(total.multipliedOrMax(by: block) / 10, 1 << 30))
  }

  /// Appends bytes.
  ///
  /// - Parameter name: the name that messages use for the file from which the bytes come.
  func append(_ bytes: UnsafeRawBufferPointer, of name: String) throws(ImportError) {
    if bytes.count > allowance { allowance = min(room(descriptor), max(Self.interval, bytes.count)) }
    guard bytes.count <= allowance else {
      throw ImportError(
        "\(name) does not fit into the temporary folder \(folder)",
        details: [
          "repokit copies the standard input there, and after \(size) bytes the folder is almost full",
          "write the input to a file first, or set TMPDIR to a folder with more space",
        ])
    }
    allowance -= bytes.count
    size += bytes.count
    var rest = bytes
    while !rest.isEmpty {
      let count = write(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno != EINTR { throw ImportError("can't write a temporary file in \(folder)", code: errno) }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(0, count)))
    }
  }

  /// The file's descriptor, at its start; the caller has to close it.
  func rewound() throws(ImportError) -> Int32 {
    if lseek(descriptor, 0, SEEK_SET) < 0 { throw ImportError("can't read a temporary file", code: errno) }
    defer { descriptor = -1 }
    return descriptor
  }
}

extension Int {
  fileprivate func multipliedOrMax(by other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }
}
