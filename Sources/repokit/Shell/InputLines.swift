#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The lines of the standard input.
struct InputLines {
  private var bytes: [UInt8] = []
  private var position = 0
  private var isAtEnd = false

  /// The next line without its line feed; `nil` where there is none.
  mutating func next() throws(Failure) -> String? {
    var searched = position
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = bytes[position..<end]
        position = end + 1
        return try text(line)
      }
      searched = bytes.count
      if isAtEnd {
        guard position < bytes.count else { return nil }
        defer { position = bytes.count }
        return try text(bytes[position...])
      }
      searched -= position
      bytes.removeFirst(position)
      position = 0
      try read()
    }
  }

  private func text(_ line: ArraySlice<UInt8>) throws(Failure) -> String {
    let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    guard let text = String(validating: line, as: UTF8.self) else {
      throw Failure("a line of the standard input is no UTF-8", status: .misused)
    }
    return text
  }

  private mutating func read() throws(Failure) {
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = part.withUnsafeMutableBytes { systemRead(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw Failure("the standard input can't be read", code: errno) }
      if count == 0 { isAtEnd = true }
      bytes += part[..<count]
      return
    }
  }
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
