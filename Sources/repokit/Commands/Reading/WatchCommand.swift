#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import LineEditor
import PostgresInspection
import PostgresStore
import Query
import Repository
import SQLStore
import Synchronization

/// `repokit watch`: shows rows, and shows them again after each change.
struct WatchCommand: Command {
  static let description = CommandDescription(
    name: "watch", summary: "Show rows, and show them again after each change.",
    examples: [
      .init(
        arguments: "watch pokedex.sqlite pokemon \"type1 = 'fire'\" --sort=-weight --limit 10",
        meaning: "Watch the ten heaviest, even if other programs write to the file."),
      .init(
        arguments: "watch pokedex.sqlite pokemon --times 2 --format json",
        meaning: "Show the rows now and after the next change, then exit."),
    ],
    positionals: [.database, .table, .condition],
    options: [.sort, .limit, .offset, ColumnArguments.columns, times, .dates, .parameter, .rowFormat],
    notes: [
      .paragraph(
        "watch notices changes by any program within a tenth of a second, and shows a result only if the rows "
          + "differ. Of several quick changes, watch may show only the last. On a terminal, each result replaces the "
          + "previous one; elsewhere, an empty line separates the results, except in json."),
      .paragraph("Control-C stops watch. watch also stops when the reader of its output exits."),
      .queries, .parameters,
    ])

  private static let times = OptionDescription(
    name: "--times", value: "N", help: "Exit after N results, including the first.")

  private let rows: RowArguments
  private let shown: RequestArguments
  private let times: Int?
  private let format: FormatName?

  init(_ arguments: Arguments) throws(Failure) {
    rows = try RowArguments(arguments)
    shown = try RequestArguments(arguments, rows.parameters)
    times = try arguments.integer(Self.times)
    if let times, times < 1 { throw arguments.command.usageError("\(Self.times.name): write a number of at least 1") }
    format = try arguments.choice(.rowFormat, of: FormatName.self)
  }

  func run(_ console: Console) async throws {
    // In a shell, Control-C ends the command, and not the program.
    let isAlone = !CancellableCommand.isListening
    if isAlone { Interruption.postpone() }
    try await watch(console, isAlone: isAlone)
    // The database is closed by now.
    if isAlone { Interruption.resume() }
  }

  private func watch(_ console: Console, isAlone: Bool) async throws {
    let store = try rows.database.open(.readOnly)
    let schema = try rows.queriedTable(in: store, console)
    let repository: SQLRepository<Record> = try Failure.translating { try store.sqlRepository(Schema(schema)) }
    let reader = rows.reader(in: schema, of: store)
    let request = try shown.request(try rows.query(reader), in: schema, reader)
    let screen = try WatchScreen(
      console, try Failure.translating { try request.headings(in: schema, with: OtherTables(of: store)) },
      format ?? console.format, of: rows.table)
    let asDates = rows.dates.formatter(of: request.columns.map(\.expression.plainKey))
    let changes = store.changes { _ in try await repository.findRows(request).map(SpelledRow.init) }
    let times = times
    try await withThrowingTaskGroup { group in
      group.addTask {
        var count = 0
        for try await rows in changes {
          try screen.show(rows.map { asDates($0.values) }, number: count)
          count += 1
          if count == times { break }
        }
      }
      if let server = store as? PostgresStore {
        group.addTask { try await Self.lookForChanges(in: server) }
      }
      group.addTask {
        // A signal can only set a flag, and a closed pipe is not reported without a write: so both are polled.
        while !Task.isCancelled, !(isAlone && Interruption.isRequested), !WatchScreen.isReaderClosed {
          try? await Task.sleep(for: .milliseconds(100))
        }
      }
      // Whichever ends first ends the other.
      try await group.next()
      group.cancelAll()
      try await group.waitForAll()
    }
  }
}

/// A row that is the same as another one where it is shown alike: 1 and 1.0 are equal and are not.
private struct SpelledRow: Equatable, Sendable {
  let values: [Value]

  static func == (lhs: SpelledRow, rhs: SpelledRow) -> Bool {
    lhs.values.elementsEqual(rhs.values) { $0.isIdentical(to: $1) }
  }
}

extension WatchCommand {
  /// Has live results poll for changes: programs without this library send no notice.
  private static func lookForChanges(in server: PostgresStore) async throws(RepositoryError) {
    var last = ""
    repeat {
      do throws(RepositoryError) {
        let snapshot = try await server.snapshot()
        if snapshot != last, !last.isEmpty { server.signal.notify() }
        last = snapshot
      } catch {
        // A server that is restarted is waited for.
        if error.code == .cancelled { return }
        if error.code != .unreachable, error.code != .busy { throw error }
      }
    } while (try? await Task.sleep(for: .milliseconds(100))) != nil
  }
}

/// Shows one result after another: each replaces the one before on a terminal, and follows it elsewhere.
final class WatchScreen: Sendable {
  private let style: TextStyle
  private let columns: [ColumnHeading]
  private let format: FormatName
  private let title: String
  private let rowText: RowText

  init(_ console: Console, _ columns: [ColumnHeading], _ format: FormatName, of table: String) throws(Failure) {
    rowText = console.settings.rowText
    try rowText.check(format)
    style = console.style
    self.columns = columns
    self.format = format
    title = TerminalText.visible(table)
  }

  /// Shows a result.
  ///
  /// - Parameter number: its number, counted from 0.
  func show(_ rows: [[Value]], number: Int) throws(OutputError) {
    let text = try text(rows)
    guard style.isTerminal else {
      // Arrays tell themselves where they end.
      return try StandardStreams.print((number == 0 || format == .json ? "" : "\n") + text)
    }
    // Home, and everything below cleared: https://www.xfree86.org/current/ctlseqs.html
    let heading = style.dim("\(title)  \(rows.count.of("row"))  \(Self.clock)")
    // Lines end at the edge meanwhile, so that each takes one line of the screen.
    try StandardStreams.print("\u{1B}[H\u{1B}[2J\u{1B}[?7l" + heading + "\n\n" + fitted(text) + "\u{1B}[?7h")
  }

  private func text(_ rows: [[Value]]) throws(OutputError) -> String {
    let bytes = Mutex<[UInt8]>([])
    var output = OutputBuffer { part in bytes.withLock { $0 += part } }
    var format = format.makeFormat(columns, style, FormatOptions(rowText: rowText))
    format.begin(&output)
    for row in rows { format.append(row, to: &output) }
    try format.end(&output)
    try output.flush()
    return String(decoding: bytes.withLock(\.self), as: UTF8.self)
  }

  /// The lines that fit on the terminal, so that the first ones don't scroll away.
  private func fitted(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let room = max(1, StandardStreams.outputSize.lines - 4)
    if lines.count <= room { return text }
    return lines.prefix(room).joined(separator: "\n") + "\n" + style.dim("… \(lines.count - room) more lines") + "\n"
  }

  /// The user's local time of day.
  private static var clock: String {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  /// Whether the reader has closed the standard output, as far as a pipe shows it.
  static var isReaderClosed: Bool {
    var request = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    return poll(&request, 1, 0) > 0 && request.revents & Int16(POLLERR) != 0
  }
}
