package import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A pseudo-terminal: the end at which a test types and reads, and the path of the end that a program opens.
///
/// Nothing here sleeps: a wait ends when the text appears, or fails after ``timeout`` with all that was shown.
package final class TerminalPair {
  /// Why a terminal can't go on, with what it has shown.
  package struct Problem: Error, CustomStringConvertible {
    package let description: String
  }

  /// How many seconds a wait may take before the test fails. Far longer than any program needs, so that a slow machine is
  /// no failure.
  package static let timeout = 60.0
  /// How many bytes of what was shown a failure quotes.
  private static let mostShown = 10_000

  /// The path of the end that programs open.
  package let path: String
  private let master: Int32
  /// All that was shown so far.
  package private(set) var bytes: [UInt8] = []
  /// Where the next wait starts to look.
  private var seen = 0
  private var hasEnded = false

  package init(width: Int, height: Int) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard master >= 0 else { throw Problem(description: "no terminal: \(errno)") }
    guard let path = Self.unlock(master) else {
      close(master)
      throw Problem(description: "no terminal: \(errno)")
    }
    self.path = path
    resize(width: width, height: height)
  }

  deinit { close(master) }

  /// Opens the other end. Where no program has it open, a read says that all is over.
  package func openOtherEnd() throws -> Int32 {
    let descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Problem(description: "no terminal: \(errno)") }
    return descriptor
  }

  /// Types a text. Control characters are keys: `"\r"` Enter, `"\u{3}"` Ctrl-C, `"\u{4}"` Ctrl-D, `"\u{1B}[A"` Up.
  package func send(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Problem(description: "can't type \(text.debugDescription): \(errno)\n\(shown)") }
      rest = rest.dropFirst(count)
    }
  }

  /// Makes the terminal wider or narrower, which its programs are told by a signal.
  package func resize(width: Int, height: Int) {
    var size = winsize(ws_row: UInt16(height), ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Waits for a text in what was shown since the last wait.
  ///
  /// - Returns: what was shown since then, up to and with the text.
  @discardableResult
  package func wait(for text: String) throws -> String {
    let wanted = Array(text.utf8)
    let deadline = Date(timeIntervalSinceNow: Self.timeout)
    while true {
      if let end = end(of: wanted) {
        defer { seen = end }
        return String(decoding: bytes[seen..<end], as: UTF8.self)
      }
      guard try read(until: deadline) else {
        throw Problem(description: "\(text.debugDescription) did not appear before the end\n\(shown)")
      }
    }
  }

  /// All that was shown so far, byte by byte: with escapes, and with a carriage return before each line feed.
  package var transcript: String { String(decoding: bytes, as: UTF8.self) }

  private var shown: String {
    let last = bytes.suffix(Self.mostShown)
    let text = String(decoding: last, as: UTF8.self).debugDescription
    return last.count == bytes.count ? "shown so far: \(text)" : "the last of \(bytes.count) bytes shown: \(text)"
  }

  /// Where a text that was not seen yet ends.
  private func end(of wanted: [UInt8]) -> Int? {
    var start = seen
    while start + wanted.count <= bytes.count {
      if bytes[start..<(start + wanted.count)].elementsEqual(wanted) { return start + wanted.count }
      start += 1
    }
    return nil
  }

  /// Reads what there is to read, once there is something.
  ///
  /// - Returns: whether there may be more.
  package func read(until deadline: Date) throws -> Bool {
    if hasEnded { return false }
    var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    let remaining = deadline.timeIntervalSinceNow
    // A program that shows things for ever is not waited for either.
    let ready = remaining > 0 ? poll(&request, 1, Int32(remaining * 1_000) + 1) : 0
    if ready < 0, errno == EINTR { return true }
    guard ready > 0 else { throw Problem(description: "this took too long\n\(shown)") }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = systemRead(master, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return true }
    // Linux fails with EIO when the last program has closed the terminal; Darwin reads nothing.
    hasEnded = count <= 0
    if count > 0 { bytes += buffer[..<count] }
    return !hasEnded
  }

  /// Lets the other end of a terminal be opened.
  ///
  /// - Returns: its path.
  private static func unlock(_ master: Int32) -> String? {
    #if canImport(Darwin)
      guard grantpt(master) == 0, unlockpt(master) == 0 else { return nil }
      return ptsname(master).map { String(cString: $0) }
    #else
      // What `unlockpt` and `ptsname` do, which the C library shows to Swift only as extensions: ioctl_tty(2).
      let (setLock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))
      var (lock, number) = (Int32(0), UInt32(0))
      guard ioctl(master, setLock, &lock) == 0, ioctl(master, getNumber, &number) == 0 else { return nil }
      return "/dev/pts/\(number)"
    #endif
  }
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
