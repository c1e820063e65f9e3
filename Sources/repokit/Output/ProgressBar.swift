#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import ErrorHandling
import RowImport

/// Shows the progress of a long job on a terminal; prints nothing elsewhere.
final class ProgressBar {
  /// The redraw interval: a shorter one would make it hard to read.
  private static let interval = Duration.milliseconds(100)
  /// Smaller files are finished before anyone could read it.
  private static let shortJob = 1 << 17

  private let isShown: Bool
  /// Whether the time is shown of work that does not tell how far it is.
  private let isTimed: Bool
  private let width: Int
  private let write: (String) -> Void
  private let clock = ContinuousClock()
  private var work: ProgressLine?
  private var isDrawn = false
  private var start: ContinuousClock.Instant
  private var lastDrawing: ContinuousClock.Instant

  /// A bar that is shown where messages go to a terminal.
  convenience init(_ console: Console) {
    self.init(
      isShown: console.canRedraw, isTimed: console.canRedraw, width: console.messageStyle.width, console.report)
  }

  init(isShown: Bool, isTimed: Bool = false, width: Int, _ write: @escaping (String) -> Void) {
    (self.isShown, self.isTimed) = (isShown, isTimed)
    self.width = width
    self.write = write
    start = clock.now
    lastDrawing = start
  }

  /// Begins a job.
  ///
  /// - Parameters:
  ///   - job: the name of the job, in lowercase.
  ///   - total: the number of bytes to be read, where that is known.
  ///   - isSlow: whether it is shown at once, where the total is not known.
  func begin(_ job: String, total: Int?, isSlow: Bool = true) {
    guard isShown else { return }
    work = ProgressLine(job: TerminalText.visible(job), total: total)
    start = clock.now
    lastDrawing = start
    if total.map({ $0 >= Self.shortJob }) ?? isSlow { draw() }
    if isTimed, total == nil { ElapsedTime.begin(TerminalText.visible(job), width: width) }
  }

  /// Updates the progress.
  ///
  /// - Parameters:
  ///   - rows: the number of rows, where there are such.
  ///   - bytes: the number of bytes that have been read.
  func update(rows: Int?, bytes: Int) {
    guard work != nil, clock.now - lastDrawing >= Self.interval else { return }
    work?.rows = rows
    work?.bytes = bytes
    if isTimed { ElapsedTime.end() }
    draw()
  }

  /// Prints a message above the progress line, which is drawn again below.
  func report(_ message: String) {
    write(isDrawn ? "\r\u{1B}[K\(message)" : message)
  }

  /// Removes the line, so that something else can be written there.
  func end() {
    work = nil
    let isTimeDrawn = isTimed && ElapsedTime.end()
    if isDrawn || isTimeDrawn { write("\r\u{1B}[K") }
    isDrawn = false
  }

  private func draw() {
    guard let work else { return }
    lastDrawing = clock.now
    isDrawn = true
    // The last column stays free: some terminals break the line there.
    write("\r\(work.text(after: lastDrawing - start, width: max(0, width - 1)))\u{1B}[K")
  }
}

/// The progress of a job, as one line.
struct ProgressLine {
  let job: String
  /// The number of bytes to be read; `nil` if unknown.
  let total: Int?
  var rows: Int?
  var bytes = 0

  init(job: String, total: Int?, rows: Int? = nil, bytes: Int = 0) {
    self.job = job
    self.total = total
    self.rows = rows
    self.bytes = bytes
  }

  /// The line, as much of it as there is room for: the bar gives way first, then the job's name, then what is at the
  /// end.
  ///
  /// - Parameters:
  ///   - time: the time since the start.
  ///   - width: the columns that there are.
  func text(after time: Duration, width: Int) -> String {
    var parts = parts(after: Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
    while true {
      let details = parts.map { "  \($0)" }.joined()
      let room = width - TerminalText.columns(of: details)
      let needed = TerminalText.columns(of: job)
      if needed <= room { return job + bar(in: room - needed) + details }
      if room >= Self.shortestJob || parts.isEmpty { return Self.start(of: job, in: room) + details }
      parts.removeLast()
    }
  }

  /// The details, the most important ones first.
  private func parts(after seconds: Double) -> [String] {
    var parts: [String] = []
    if let share { parts.append("\(Self.padded(Int(share * 100), 3)) %") }
    if let rows { parts.append("\(Self.grouped(rows)) rows") }
    // A job that does not read a file has no bytes.
    if total != nil || bytes > 0 { parts.append(total.map { ByteSize.text(bytes, of: $0) } ?? ByteSize.text(bytes)) }
    // A rate of the first moments is meaningless.
    guard seconds >= 0.5 else { return parts }
    if let rows {
      parts.append("\(Self.grouped(Int(Double(rows) / seconds))) rows/s")
    } else if bytes > 0 {
      parts.append("\(ByteSize.text(Int(Double(bytes) / seconds)))/s")
    }
    if let total, bytes > 0, total > bytes {
      parts.append("\(Self.time(seconds * Double(total - bytes) / Double(bytes))) left")
    }
    return parts
  }

  /// The share of the work that is done; `nil` if unknown.
  private var share: Double? {
    total.flatMap { $0 > 0 ? min(1, Double(bytes) / Double($0)) : nil }
  }

  private func bar(in room: Int) -> String {
    guard let share, room >= Self.shortestBar + 4 else { return "" }
    let length = min(Self.longestBar, room - 4)
    let filled = Int(share * Double(length))
    return "  [\(String(repeating: "#", count: filled))\(String(repeating: "-", count: length - filled))]"
  }

  private static let longestBar = 20
  private static let shortestBar = 5
  private static let shortestJob = 6

  private static func start(of text: String, in room: Int) -> String {
    var start = text
    while !start.isEmpty, TerminalText.columns(of: start) > room || start.hasSuffix(" ") { start.removeLast() }
    return start
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = number.description
    return String(repeating: " ", count: max(0, width - digits.utf8.count)) + digits
  }

  /// Returns a number with commas between thousands.
  static func grouped(_ number: Int) -> String {
    var text = ""
    for (position, digit) in number.description.reversed().enumerated() {
      if position > 0, position.isMultiple(of: 3), digit != "-" { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }

  /// Returns a waiting time, in whole units.
  static func time(_ seconds: Double) -> String {
    guard seconds < 360_000 else { return "more than 99 h" }
    let whole = Int(seconds.rounded(.up))
    if whole < 60 { return "\(whole) s" }
    if whole < 3_600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3_600) h \(whole % 3_600 / 60) min"
  }
}

/// Shows the progress of an import on the terminal, and stops it on request.
final class ImportProgress: ImportObserver {
  private let bar: ProgressBar
  /// Whether rows are typed on the terminal, where a bar would cover them.
  private let isTyped: Bool

  /// - Parameter readsStandardInput: whether a file is the standard input.
  init(_ bar: ProgressBar, readsStandardInput: Bool = false) {
    self.bar = bar
    isTyped = readsStandardInput && isatty(STDIN_FILENO) == 1
  }

  func beginWork(_ work: String, total: Int?) {
    if !isTyped { bar.begin(work, total: total) }
  }
  func update(rows: Int?, bytes: Int) { bar.update(rows: rows, bytes: bytes) }
  func endWork() { bar.end() }
  func skipped(_ error: ImportError) { bar.report(Failure(error).at("skipped").summary + "\n") }
  func checkCancellation() throws { try Interruption.check() }
}
