import ErrorHandling

/// Shows on a terminal how far a long job is; says nothing elsewhere.
final class ProgressBar {
  /// How often the line is drawn anew: more would make it hard to read.
  private static let interval = Duration.milliseconds(100)
  /// Files of fewer bytes are done before anybody could read it.
  private static let shortJob = 1 << 17

  private let isShown: Bool
  private let width: Int
  private let write: (String) -> Void
  private let clock = ContinuousClock()
  private var work: ProgressLine?
  private var isDrawn = false
  private var start: ContinuousClock.Instant
  private var lastDrawing: ContinuousClock.Instant

  /// A bar that is shown where a person reads messages at a terminal.
  convenience init(_ console: Console) {
    self.init(isShown: console.canRedraw, width: console.messageStyle.width, console.report)
  }

  init(isShown: Bool, width: Int, _ write: @escaping (String) -> Void) {
    self.isShown = isShown
    self.width = width
    self.write = write
    start = clock.now
    lastDrawing = start
  }

  /// Begins a job.
  ///
  /// - Parameters:
  ///   - job: what is done, in small letters.
  ///   - total: how many bytes are to be read, where that is known.
  func begin(_ job: String, total: Int?) {
    guard isShown else { return }
    work = ProgressLine(job: TerminalText.visible(job), total: total)
    start = clock.now
    lastDrawing = start
    if total.map({ $0 >= Self.shortJob }) ?? true { draw() }
  }

  /// Tells how much has been done.
  ///
  /// - Parameters:
  ///   - rows: how many rows, where there are such.
  ///   - bytes: how many bytes have been read.
  func update(rows: Int?, bytes: Int) {
    guard work != nil, clock.now - lastDrawing >= Self.interval else { return }
    work?.rows = rows
    work?.bytes = bytes
    draw()
  }

  /// Says something in the place of the line, which comes again below.
  func report(_ message: String) {
    write(isDrawn ? "\r\u{1B}[K\(message)" : message)
  }

  /// Takes the line away, so that something else can be written there.
  func end() {
    work = nil
    if isDrawn { write("\r\u{1B}[K") }
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
