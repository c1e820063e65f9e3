#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A check that the process may open enough files.
enum OpenFileLimit {
  /// How many files a command opens at most: databases with their logs, inputs and outputs, and the timers and threads of
  /// the runtime, which ends the program if it can't open a file.
  private static let needed = 16

  /// Checks that the process may open as many files as a command needs.
  static func check() throws(Failure) {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < needed {
      let descriptor = dup(STDIN_FILENO)
      if descriptor < 0 {
        throw Failure(
          "the process may open too few files",
          details: ["repokit opens up to \(needed) files at a time", "raise the limit: ulimit -n 256"])
      }
      opened.append(descriptor)
    }
  }
}
