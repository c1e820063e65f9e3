#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import ErrorHandling
import LineEditor
import Synchronization

/// The three files that a program starts with.
enum StandardStreams {
  /// Makes them safe to use, once and before anything else is opened.
  static func prepare() {
    // Whether the reader of a pipe is gone is read from the result of a write, so that files are closed in order.
    signal(SIGPIPE, SIG_IGN)
    // A file that was closed would give its number to the next one that is opened, and results would be written into
    // that. Read-only, so that writing stays the error that it was.
    while true {
      let descriptor = open("/dev/null", O_RDONLY)
      if descriptor > STDERR_FILENO { close(descriptor) }
      if descriptor < 0 || descriptor > STDERR_FILENO { return }
    }
  }

  /// The properties of the standard output.
  static func outputStyle(_ color: ColorChoice) -> TextStyle {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    return TextStyle(
      isTerminal: isTerminal, hasColor: hasColor(color, isTerminal: isTerminal),
      width: isTerminal ? outputSize.columns : nil)
  }

  /// The size of the terminal of the standard output.
  static var outputSize: TerminalSize { TerminalSize(ofDescriptor: STDOUT_FILENO, environment: variable) }

  /// The command for long output; `nil` for none.
  ///
  /// - Parameter setting: the user's setting for this tool, if any.
  static func pagerCommand(_ setting: String?) -> String? {
    // On a terminal without commands, a pager is used only on an explicit request.
    let standard = variable("TERM") == "dumb" ? "" : "less"
    let command = setting ?? getenv("PAGER").map { String(cString: $0) } ?? standard
    let isNone = command.utf8.allSatisfy { $0 == UInt8(ascii: " ") } || command == "cat"
    return isNone ? nil : command
  }

  /// `NO_COLOR` disables colour unless it is requested explicitly: https://no-color.org
  private static func hasColor(_ choice: ColorChoice, isTerminal: Bool) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto: isTerminal && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb"
    }
  }

  /// Returns the style of messages: broken into the lines of a terminal, whole in a file, where a script may look for them.
  static func messageStyle(_ color: ColorChoice) -> TerminalStyle {
    let isTerminal = isatty(STDERR_FILENO) == 1
    let environment = [
      "NO_COLOR": hasColor(color, isTerminal: isTerminal) ? "" : "1", "TERM": variable("TERM"),
    ]
    return TerminalStyle(
      isTerminal: isTerminal, isInteractive: false, environment: environment,
      width: isTerminal ? messageSize.columns : .max)
  }

  /// The size of the terminal of the standard error.
  private static var messageSize: TerminalSize { TerminalSize(ofDescriptor: STDERR_FILENO, environment: variable) }

  /// Writes a short text to the standard output.
  static func print(_ text: String) throws(OutputError) {
    try write(Array(text.utf8)[...], to: STDOUT_FILENO)
  }

  /// Writes a message to the standard error. A failure to do so can't be reported.
  static func report(_ message: String) {
    if message.isEmpty { return }
    try? write(Array(message.utf8)[...], to: STDERR_FILENO)
  }

  /// Writes a note to the standard error, unless the call is quiet; nothing in the line can control a terminal.
  static func say(_ line: String) {
    if !isQuiet.withLock(\.self) { report(TerminalText.visible(line) + "\n") }
  }

  private static let isQuiet = Mutex(false)

  /// Sets whether notes are left out.
  ///
  /// - Returns: whether they were before.
  static func setQuiet(_ isQuiet: Bool) -> Bool {
    Self.isQuiet.withLock { current in
      defer { current = isQuiet }
      return current
    }
  }

  private static func variable(_ name: String) -> String {
    getenv(name).map { String(cString: $0) } ?? ""
  }

  /// Writes all of some bytes.
  static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(OutputError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      let code = errno
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      switch code {
      case EINTR:
        continue
      case EAGAIN:
        // A pipe that another program made non-blocking; wait for it as for any other.
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
      case EPIPE:
        throw .readerClosed
      default:
        throw .failure(Failure("can't write the output", code: code))
      }
    }
  }
}

/// The system's `write`, whose name the method above hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

/// A buffer for output, so that a row costs no system call and a result is never in memory as one text.
struct OutputBuffer {
  /// The capacity of a pipe on Linux.
  private static let limit = 1 << 16

  /// The bytes that are not written yet. Append what belongs together, then call ``flushIfFull()``.
  var bytes: [UInt8] = []
  private let write: (ArraySlice<UInt8>) throws(OutputError) -> Void

  /// Creates a buffer.
  ///
  /// - Parameter write: writes the bytes.
  init(write: @escaping (ArraySlice<UInt8>) throws(OutputError) -> Void) {
    self.write = write
    bytes.reserveCapacity(Self.limit)
  }

  /// Adds a text.
  mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes the bytes if there are many.
  mutating func flushIfFull() throws(OutputError) {
    if bytes.count >= Self.limit { try flush() }
  }

  /// Writes the bytes.
  mutating func flush() throws(OutputError) {
    if bytes.isEmpty { return }
    // A long result is not only long to find.
    if Task.isCancelled { throw .failure(Failure("cancelled")) }
    // They are gone either way: after an error there is no second try.
    defer { bytes.removeAll(keepingCapacity: bytes.capacity <= Self.limit * 4) }
    try write(bytes[...])
  }
}

/// The reason why output could not be written.
enum OutputError: Error, Hashable {
  /// The reader closed the pipe, as `head` does when it has seen enough: a reason to stop, not an error.
  case readerClosed
  /// It could not be written.
  case failure(Failure)
}

/// The capabilities of the output's reader.
struct TextStyle: Hashable {
  /// Whether the output is a terminal, which would interpret the escapes in a text.
  let isTerminal: Bool
  /// Whether escapes of this tool's own may change how text looks.
  let hasColor: Bool
  /// The number of columns of a line; `nil` for lines of any length.
  var width: Int?

  /// Output that goes to a file or another program.
  static let plain = TextStyle(isTerminal: false, hasColor: false)

  /// A text in less than full brightness, where that is possible.
  func dim(_ text: String) -> String {
    hasColor ? "\u{1B}[2m\(text)\u{1B}[0m" : text
  }
}

extension TextStyle {
  /// A text for formats that give texts exactly: exactly, unless a terminal would obey it.
  func raw(_ text: String) -> String {
    isTerminal ? TerminalText.visible(text) : text
  }
}

/// The choice of when escapes may change how text looks.
enum ColorChoice: String, CaseIterable {
  /// On a terminal, unless its user asked for none.
  case auto
  case always
  case never
}
