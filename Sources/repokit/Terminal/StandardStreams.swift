import ErrorHandling

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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

  /// How the standard output is read.
  static func outputStyle(_ color: ColorChoice) -> TextStyle {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    return TextStyle(
      isTerminal: isTerminal, hasColor: hasColor(color, isTerminal: isTerminal),
      width: isTerminal ? outputSize.columns : nil)
  }

  /// How much the terminal shows that the standard output goes to.
  static var outputSize: TerminalSize { TerminalSize(ofDescriptor: STDOUT_FILENO, environment: variable) }

  /// The command through which long output goes; `nil` for none.
  ///
  /// - Parameter setting: what the user has set for this tool, if anything.
  static func pagerCommand(_ setting: String?) -> String? {
    // A terminal that knows no commands is nothing to turn pages on, unless somebody asks for it in so many words.
    let standard = variable("TERM") == "dumb" ? "" : "less"
    let command = setting ?? getenv("PAGER").map { String(cString: $0) } ?? standard
    let isNone = command.utf8.allSatisfy { $0 == UInt8(ascii: " ") } || command == "cat"
    return isNone ? nil : command
  }

  /// `NO_COLOR` switches colour off unless somebody asks for it in so many words: https://no-color.org
  private static func hasColor(_ choice: ColorChoice, isTerminal: Bool) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto: isTerminal && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb"
    }
  }

  /// How messages are shown: broken into the lines of a terminal, whole in a file, where a script may look for them.
  static func messageStyle(_ color: ColorChoice) -> TerminalStyle {
    let isTerminal = isatty(STDERR_FILENO) == 1
    let environment = [
      "NO_COLOR": hasColor(color, isTerminal: isTerminal) ? "" : "1", "TERM": variable("TERM"),
    ]
    return TerminalStyle(
      isTerminal: isTerminal, isInteractive: false, environment: environment,
      width: isTerminal ? messageSize.columns : .max)
  }

  /// How much the terminal shows that messages go to.
  private static var messageSize: TerminalSize { TerminalSize(ofDescriptor: STDERR_FILENO, environment: variable) }

  /// Writes a short text to the standard output.
  static func print(_ text: String) throws(OutputError) {
    try write(Array(text.utf8)[...], to: STDOUT_FILENO)
  }

  /// Writes a message to the standard error. There is nobody to tell when that fails.
  static func report(_ message: String) {
    if message.isEmpty { return }
    try? write(Array(message.utf8)[...], to: STDERR_FILENO)
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
        throw .readerLeft
      default:
        throw .failure(Failure("the output can't be written", code: code))
      }
    }
  }
}

/// The system's `write`, whose name the method above hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
