#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How much room there is for what is drawn.
enum TerminalWidth {
  /// The columns of the terminal that reads the standard output, else what COLUMNS says, else 80.
  static var ofOutput: Int {
    if let size = TerminalSize.ofOutput { return size.columns }
    return getenv("COLUMNS").flatMap { Int(String(cString: $0)) }.map { max(20, min(1_000, $0)) } ?? 80
  }
}

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
