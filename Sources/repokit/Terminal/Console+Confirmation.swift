import ErrorHandling

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What somebody is asked before something is done that is hard to undo.
struct Confirmation {
  /// What is about to happen, in one line behind the name of the command.
  let summary: String
  /// What else there is to know, a line each.
  var details: [String] = []
  /// What is done, as the question says it: `Delete 3 rows`.
  let action: String
  /// Whether it takes something away. Then it is not what Return means.
  let isDestructive: Bool
}

extension Console {
  /// Whether somebody is there to ask: one who sees the question, and can answer it.
  var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Whether somebody sees how far the work is.
  var canShowProgress: Bool { isatty(STDERR_FILENO) == 1 }

  /// Whether a line can be written over again and again; where the terminal knows no commands, each would stay.
  var canRedraw: Bool { canShowProgress && getenv("TERM").map { strcmp($0, "dumb") != 0 } ?? true }

  /// Does something that may take long, with a line on the terminal meanwhile that says what.
  func showing<Result>(_ work: String, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    if canRedraw { report(TerminalText.visible(work) + "…") }
    defer { if canRedraw { report("\r\u{1B}[K") } }
    return try body()
  }

  /// Asks on the terminal.
  ///
  /// - Parameters:
  ///   - confirmation: what is asked.
  ///   - command: the command that asks.
  /// - Throws: ``Failure`` unless the answer is yes.
  func confirm(_ confirmation: Confirmation, for command: CommandDescription) async throws(Failure) {
    show()
    let style = TerminalStyle(width: messageStyle.width, hasColor: messageStyle.hasColor, isInteractive: true)
    let presenter = TerminalAlertPresenter(
      style: style, wording: .clauses(label: command.call), write: { StandardStreams.report($0) },
      readLine: { TypedLine.read() })
    let recovery = Recovery(confirmation.action, isDestructive: confirmation.isDestructive) {}
    let alert = Alert(Failure(confirmation.summary, details: confirmation.details), recovery: recovery)
    guard await presenter.ask(alert) == .recover else {
      throw Failure("nothing was changed", details: ["the answer was not yes"])
    }
  }
}
