#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import LineEditor
import ErrorHandling

/// The outputs of a command, and the ways in which it prints to them.
///
/// Long output goes through a pager where a person reads it, which ends with ``finish()``. Messages wait until then, since
/// the pager occupies the terminal.
final class Console {
  let settings: Settings
  /// The properties of the standard output.
  let style: TextStyle
  /// The properties of the standard error, for messages.
  let messageStyle: TerminalStyle
  private let paged: PagedOutput
  private let size: TerminalSize?
  /// The messages that are printed once the pager has ended.
  private var messages = ""

  init(_ settings: Settings = Settings()) {
    self.settings = settings
    style = StandardStreams.outputStyle(settings.color)
    messageStyle = StandardStreams.messageStyle(settings.color)
    size = style.isTerminal ? StandardStreams.outputSize : nil
    paged = PagedOutput(
      command: style.isTerminal ? StandardStreams.pagerCommand(settings.pager) : nil, size: size ?? .standard)
  }

  /// The default format of rows.
  var format: FormatName { settings.format ?? .standard(for: style) }

  /// A buffer before the standard output, for output of any length. On a terminal, nothing of it may appear before
  /// ``finish()``, unless it fills the screen.
  func output() -> OutputBuffer {
    OutputBuffer { [paged] bytes throws(OutputError) in try paged.write(bytes) }
  }

  /// Prints a text to the standard output: at once, unless it fills the screen.
  func print(_ text: String) throws(OutputError) {
    try paged.release()
    try paged.write(Array(text.utf8)[...])
    if !paged.isPaging { try paged.finish() }
  }

  /// Prints a message to the standard error, after what was printed before, unless the call is quiet.
  func report(_ message: String) { if !settings.isQuiet { reportResult(message) } }

  /// Prints a message to the standard error that a quiet call prints, too: an error, or a part of the result.
  func reportResult(_ message: String) {
    show()
    if paged.isPaging { messages += message } else { StandardStreams.report(message) }
  }

  /// Prints a line of a message; nothing in the line can control a terminal.
  func say(_ line: String) { report(TerminalText.visible(line) + "\n") }

  /// Runs a closure that prints, and writes its output before any report of an error.
  static func use(_ settings: Settings, _ body: (Console) async throws -> Void) async throws {
    let console = Console(settings)
    let wasQuiet = StandardStreams.setQuiet(settings.isQuiet)
    defer { _ = StandardStreams.setQuiet(wasQuiet) }
    do {
      try await body(console)
    } catch {
      try? console.finish()
      throw error
    }
    try console.finish()
  }

  /// Shows the output so far, as before a question.
  func show() {
    // The caller that printed it has the error from its own write.
    try? paged.release()
  }

  /// Shows all output and messages, and waits until the pager is closed.
  ///
  /// - Throws: ``OutputError`` where the output can't be written.
  func finish() throws(OutputError) {
    defer {
      StandardStreams.report(messages)
      messages = ""
    }
    try paged.finish()
  }
}

/// The question before an operation that is hard to undo.
struct Confirmation {
  /// The effect of the operation, in one line after the name of the command.
  let summary: String
  /// Further notes, a line each.
  var details: [String] = []
  /// The operation, for the question: `Delete 3 rows`.
  let action: String
  /// Whether the operation removes something. Then Return does not confirm it.
  let isDestructive: Bool
}

extension Console {
  /// Whether a user can see a question, and answer it.
  var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Whether progress is visible on a terminal.
  var canShowProgress: Bool { !settings.isQuiet && isatty(STDERR_FILENO) == 1 }

  /// Whether a line can be overwritten; on a terminal without commands, each would stay.
  var canRedraw: Bool { canShowProgress && getenv("TERM").map { strcmp($0, "dumb") != 0 } ?? true }

  /// Runs a closure that may take long, and shows that on a line of the terminal meanwhile.
  func showing<Result>(_ work: String, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    guard canRedraw else { return try body() }
    beginShowing(work)
    defer { endShowing() }
    return try body()
  }

  /// Says on a line of the terminal what is done, and after a second for how long.
  func beginShowing(_ work: String) {
    let work = TerminalText.visible(work) + "…"
    report(work)
    ElapsedTime.begin(work, width: messageStyle.width)
  }

  /// Takes that line away.
  func endShowing() {
    ElapsedTime.end()
    report("\r\u{1B}[K")
  }

  /// Asks on the terminal.
  ///
  /// - Parameters:
  ///   - confirmation: the question.
  ///   - command: the command that asks.
  /// - Throws: ``Failure`` unless the answer is yes.
  func confirm(_ confirmation: Confirmation, for command: String) async throws(Failure) {
    show()
    let style = TerminalStyle(width: messageStyle.width, hasColor: messageStyle.hasColor, isInteractive: true)
    let presenter = TerminalAlertPresenter(
      style: style, wording: .clauses(label: command), write: { StandardStreams.report($0) },
      readLine: { TerminalInput.read() })
    let recovery = Recovery(confirmation.action, isDestructive: confirmation.isDestructive) {}
    let alert = Alert(Failure(confirmation.summary, details: confirmation.details), recovery: recovery)
    guard await presenter.ask(alert) == .recover else {
      throw Failure("repokit changed nothing", details: ["you did not answer yes"], isError: false)
    }
  }
}

/// A line of input from the terminal.
enum TerminalInput {
  /// Reads the line.
  ///
  /// - Returns: `nil` where there will be no more, and where the task is cancelled meanwhile: within the shell,
  ///   Control-C ends a question and not the program, and no signal ends a read on another thread.
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
