import Query
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Shows one result after another: each in the place of the one before on a terminal, one below the other elsewhere.
final class WatchScreen: Sendable {
  private let style: TextStyle
  private let columns: [ColumnHeading]
  private let format: FormatName
  private let title: String

  init(_ console: Console, _ columns: [ColumnHeading], _ format: FormatName, of table: String) {
    style = console.style
    self.columns = columns
    self.format = format
    title = TerminalText.visible(table)
  }

  /// Shows a result.
  ///
  /// - Parameter number: which one it is, counted from 0.
  func show(_ rows: [[Value]], number: Int) throws(OutputError) {
    let text = try text(rows)
    guard style.isTerminal else {
      // Arrays tell themselves where they end.
      return try StandardStreams.print((number == 0 || format == .json ? "" : "\n") + text)
    }
    // Home, and everything below cleared: https://www.xfree86.org/current/ctlseqs.html
    let heading = style.dim("\(title)  \(rows.count == 1 ? "1 row" : "\(rows.count) rows")  \(Self.clock)")
    // Lines end at the edge meanwhile, so that each takes one line of the screen.
    try StandardStreams.print("\u{1B}[H\u{1B}[2J\u{1B}[?7l" + heading + "\n\n" + fitted(text) + "\u{1B}[?7h")
  }

  private func text(_ rows: [[Value]]) throws(OutputError) -> String {
    let bytes = Mutex<[UInt8]>([])
    var output = OutputBuffer { part in bytes.withLock { $0 += part } }
    var format = format.makeFormat(columns, style)
    format.begin(&output)
    for row in rows { format.append(row, to: &output) }
    try format.end(&output)
    try output.flush()
    return String(decoding: bytes.withLock(\.self), as: UTF8.self)
  }

  /// As many lines as the terminal has room for, so that the first ones don't scroll away.
  private func fitted(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let room = max(1, StandardStreams.outputSize.lines - 4)
    if lines.count <= room { return text }
    return lines.prefix(room).joined(separator: "\n") + "\n" + style.dim("… \(lines.count - room) lines more") + "\n"
  }

  /// The time of day where the user is.
  private static var clock: String {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  /// Whether nobody reads the standard output any more, as far as a pipe tells.
  static var isReaderGone: Bool {
    var request = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    return poll(&request, 1, 0) > 0 && request.revents & Int16(POLLERR) != 0
  }
}
