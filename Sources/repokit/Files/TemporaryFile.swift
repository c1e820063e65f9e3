#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file without a name, which is gone when it is closed.
enum TemporaryFile {
  /// Copies all that can be read from a descriptor.
  ///
  /// - Parameters:
  ///   - source: what is read, to its end.
  ///   - name: what messages call it.
  ///   - progress: is told how many bytes have been copied.
  /// - Returns: the file's descriptor, which the caller has to close.
  static func copy(
    of source: Int32, name: String, progress: (Int) -> Void
  ) throws(Failure) -> Int32 {
    let copy = try make()
    do throws(Failure) {
      var copied = 0
      var buffer = [UInt8](repeating: 0, count: 1 << 17)
      while true {
        try Interruption.check()
        // A request that comes just before a read, or to another thread, would not end it.
        var request = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
        let ready = poll(&request, 1, 100)
        if ready == 0 || (ready < 0 && errno == EINTR) { continue }
        let count = buffer.withUnsafeMutableBytes { read(source, $0.baseAddress, $0.count) }
        let code = errno
        if count == 0 { return copy }
        if count > 0 {
          try append(buffer[..<count], to: copy)
          copied += count
          progress(copied)
        } else if code != EINTR, code != EAGAIN {
          throw Failure("\(name) can't be read", code: code)
        }
      }
    } catch {
      close(copy)
      throw error
    }
  }

  private static func make() throws(Failure) -> Int32 {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let path = "\(folder.isEmpty ? "/tmp" : folder)/repokit.\(number)"
    // Unlike one of mkstemp, none that a program gets which is started meanwhile, such as a pager.
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600 as mode_t)
    if descriptor < 0 { throw Failure("a temporary file can't be made", code: errno) }
    unlink(path)
    return descriptor
  }

  private static func append(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(Failure) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { throw Failure("a temporary file can't be written", code: errno) }
      rest = rest.dropFirst(max(0, count))
    }
  }
}
