#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A line that somebody types at the terminal.
enum TypedLine {
  /// Reads the line.
  ///
  /// - Returns: `nil` where there will be no more, and where the task is cancelled meanwhile: within the shell, Control-C
  ///   ends a question and not the program, and no signal ends a read on another thread.
  static func read() -> String? {
    while !Task.isCancelled {
      var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      let count = poll(&request, 1, 100)
      if count > 0 { return readLine() }
      if count < 0, errno != EINTR { return nil }
    }
    return nil
  }
}
