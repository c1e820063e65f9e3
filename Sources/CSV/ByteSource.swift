#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file descriptor to read from; closed at the end of its life when it was opened here.
struct ByteSource: ~Copyable {
  private let descriptor: Int32?
  private let isOwned: Bool

  /// No bytes at all, for an input that is in memory already.
  init() {
    descriptor = nil
    isOwned = false
  }

  /// Reads from a descriptor that someone else closes.
  init(borrowing descriptor: Int32) {
    self.descriptor = descriptor
    isOwned = false
  }

  /// Opens a file.
  ///
  /// - Throws: ``CSVError/Code-swift.struct/unreadable``.
  init(path: String) throws(CSVError) {
    // C would read the path up to the NUL and open another file.
    guard !path.utf8.contains(0) else {
      throw .cannotOpen(path: path, reason: Self.reason(for: EINVAL))
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .cannotOpen(path: path, reason: Self.reason(for: errno))
    }
    self.descriptor = descriptor
    isOwned = true
  }

  deinit {
    if isOwned, let descriptor { _ = close(descriptor) }
  }

  /// Fills the buffer with the bytes that come next, at least one of them, and waits until there is one.
  ///
  /// - Returns: How many bytes there are now, 0 at the end of the input; or the system's reason for a failure.
  func fill(_ buffer: inout [UInt8]) -> Result<Int, SystemFailure> {
    buffer.withUnsafeMutableBytes { fill($0) }
  }

  /// The same for memory of any kind.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Result<Int, SystemFailure> {
    guard let descriptor else { return .success(0) }
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      let code = errno
      if count >= 0 { return .success(count) }
      switch code {
      case EINTR:
        continue
      case EAGAIN:
        // A standard input that a parent process made non-blocking; wait for it as any other.
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&request, 1, -1)
      default:
        return .failure(SystemFailure(reason: Self.reason(for: code)))
      }
    }
  }

  /// A failed system call in the system's words.
  struct SystemFailure: Error {
    let reason: String
  }

  private static func reason(for code: Int32) -> String {
    guard let text = strerror(code) else { return "Error \(code)" }
    return String(cString: text)
  }
}
