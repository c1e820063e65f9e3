import ErrorHandling

/// What a command prints to, and how.
final class Console {
  let settings: Settings
  /// How the standard output is read.
  let style: TextStyle
  /// How messages are shown on the standard error.
  let messageStyle: TerminalStyle

  init(_ settings: Settings = Settings()) {
    self.settings = settings
    style = StandardStreams.outputStyle(settings.color)
    messageStyle = StandardStreams.messageStyle(settings.color)
  }

  /// The form in which rows are printed where a command is not told one.
  var format: FormatName { settings.format ?? .standard(for: style) }

  /// A buffer before the standard output.
  func output() -> OutputBuffer { StandardStreams.output() }

  /// Prints a text to the standard output.
  func print(_ text: String) throws(OutputError) { try StandardStreams.print(text) }

  /// Tells a person something on the standard error.
  func report(_ message: String) { StandardStreams.report(message) }
}
