#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The size of a terminal in characters.
struct TerminalSize {
  let columns: Int
  let lines: Int

  /// The size of the terminal that reads the standard output; `nil` where none does, or it does not tell.
  static var ofOutput: TerminalSize? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return TerminalSize(columns: Int(size.ws_col), lines: Int(size.ws_row))
  }
}
