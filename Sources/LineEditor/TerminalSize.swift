#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The size of a terminal.
package struct TerminalSize: Hashable {
  package let columns: Int
  package let lines: Int

  /// The default for a terminal that does not report its size.
  package static let standard = TerminalSize(columns: 80, lines: 24)

  package init(columns: Int, lines: Int) {
    self.columns = columns
    self.lines = lines
  }

  /// Reads the size of a terminal. `COLUMNS` and `LINES` take precedence over what the terminal reports, as for other programs:
  /// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html
  package init(ofDescriptor descriptor: Int32, environment: (String) -> String) {
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    func count(_ variable: String, _ told: UInt16, _ standard: Int) -> Int {
      if let count = Int(environment(variable)), count > 0 { return count }
      return isKnown && told > 0 ? Int(told) : standard
    }
    columns = count("COLUMNS", size.ws_col, Self.standard.columns)
    lines = count("LINES", size.ws_row, Self.standard.lines)
  }
}
