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
