import ErrorHandling

/// What a command prints to, and how.
///
/// Long output goes through a pager where a person reads it, which ends with ``finish()``. Messages wait until then, since
/// the pager has the terminal.
final class Console {
  let settings: Settings
  /// How the standard output is read.
  let style: TextStyle
  /// How messages are shown on the standard error.
  let messageStyle: TerminalStyle
  private let paged: PagedOutput
  private let size: TerminalSize?
  /// What is to be told once the pager is left.
  private var messages = ""

  init(_ settings: Settings = Settings()) {
    self.settings = settings
    style = StandardStreams.outputStyle(settings.color)
    messageStyle = StandardStreams.messageStyle(settings.color)
    size = style.isTerminal ? StandardStreams.outputSize : nil
    paged = PagedOutput(
      command: style.isTerminal ? StandardStreams.pagerCommand(settings.pager) : nil, size: size ?? .standard)
  }

  /// The form in which rows are printed where a command is not told one.
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

  /// Tells a person something on the standard error, after what was printed before.
  func report(_ message: String) {
    show()
    if paged.isPaging { messages += message } else { StandardStreams.report(message) }
  }

  /// Does what prints, and shows all of that before anything is said of what went wrong.
  static func use(_ settings: Settings, _ body: (Console) async throws -> Void) async throws {
    let console = Console(settings)
    do {
      try await body(console)
    } catch {
      try? console.finish()
      throw error
    }
    try console.finish()
  }

  /// Shows what was printed so far, as before a question.
  func show() {
    // Whoever printed it has that error from its own write.
    try? paged.release()
  }

  /// Shows all that was printed and reported, and waits for the reader of a pager.
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
