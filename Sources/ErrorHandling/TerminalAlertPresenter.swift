import ErrorDetails

/// A presenter that shows alerts on a terminal, and reads the answers there.
///
/// ```
/// The box is full
///   It holds 30 Pokémon. Release one, or choose another box.
/// Choose Another Box? [Y/n]
/// ```
///
/// The uppercase letter is the answer of Return. Without an interactive terminal, alerts are shown and nothing is recovered.
///
/// A command-line tool may write clauses instead, as its users and their scripts expect them:
///
/// ```
/// error: the box is full
///   it holds 30 Pokémon
///   release one, or choose another box
/// ```
public struct TerminalAlertPresenter: AlertPresenter {
  /// The wording of an alert.
  public enum Wording: Hashable, Sendable {
    /// The sentences of the alert.
    case sentences
    /// The texts of the alert's error unchanged, one per line, after a label such as "error".
    case clauses(label: String)
  }

  private let style: TerminalStyle
  private let wording: Wording
  private let write: @Sendable (String) -> Void
  private let readLine: @Sendable () async -> String?

  /// Makes a presenter.
  ///
  /// - Parameters:
  ///   - style: the abilities of the terminal.
  ///   - wording: the wording of alerts.
  ///   - write: writes a text, to the standard error for most programs.
  ///   - readLine: reads a line of input; `nil` at its end.
  public init(
    style: TerminalStyle, wording: Wording = .sentences, write: @escaping @Sendable (String) -> Void,
    readLine: @escaping @Sendable () async -> String?
  ) {
    self.style = style
    self.wording = wording
    self.write = write
    self.readLine = readLine
  }

  /// Shows an alert and, if it has a recovery, asks.
  ///
  /// An answer is yes, no, their first letters, or the name of a button. The alert is dismissed after three invalid answers,
  /// and at the end of the input.
  public func ask(_ alert: Alert) async -> Alert.Answer {
    write(text(of: alert))
    guard style.isInteractive, let question = question(of: alert) else { return .dismiss }
    for _ in 0..<3 {
      write(question)
      guard let line = await readLine() else {
        write("\n")
        return .dismiss
      }
      if let answer = answer(line, to: alert) { return answer }
      write("Answer yes or no.\n")
    }
    return .dismiss
  }

  /// Returns an alert as it is shown, without its question: the title, and the message below.
  ///
  /// Control characters for a terminal, such as an escape within the name of a file, are made visible.
  public func text(of alert: Alert) -> String {
    switch wording {
    case .sentences:
      let title = WrappedText.lines(of: alert.title, width: style.width).map { styled($0, "1;31") }
      return (title + indented(alert.message ?? "")).map { $0 + "\n" }.joined()
    case .clauses(let label):
      var head = WrappedText.lines(of: "\(label): \(alert.error.summary)", width: style.width)
      if let first = head.first, first.hasPrefix("\(label):") {
        head[0] = styled("\(label):", "1;31") + first.dropFirst(label.count + 1)
      }
      let clauses = [alert.error.reason, alert.error.suggestion].compactMap(\.self).flatMap(indented)
      return (head + clauses).map { $0 + "\n" }.joined()
    }
  }

  private func indented(_ text: String) -> [String] {
    WrappedText.lines(of: text, width: style.width - 2).map { "  \($0)" }
  }

  private func question(of alert: Alert) -> String? {
    guard let recovery = alert.buttons.first(where: { $0.answer == .recover }) else { return nil }
    let name = WrappedText.visible(recovery.name)
    return "\(styled(name, recovery.isDestructive ? "31" : "1"))? \(recovery.isDefault ? "[Y/n]" : "[y/N]") "
  }

  private func answer(_ line: String, to alert: Alert) -> Alert.Answer? {
    let word = line.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
    switch word {
    case "": return alert.buttons.first(where: \.isDefault)?.answer
    case "y", "yes": return .recover
    case "n", "no": return .dismiss
    default: return alert.buttons.first { $0.name.lowercased() == word }?.answer
    }
  }

  private func styled(_ text: String, _ code: String) -> String {
    style.hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

/// The abilities of a program's output, which may be a terminal, a file or a pipe.
public struct TerminalStyle: Hashable, Sendable {
  /// The maximum number of columns of a line.
  public let width: Int
  /// Whether escapes may colour the text.
  public let hasColor: Bool
  /// Whether a user can answer.
  public let isInteractive: Bool

  /// Makes a style from the abilities.
  ///
  /// - Parameter width: the width in columns; at least 20.
  public init(width: Int = 80, hasColor: Bool, isInteractive: Bool) {
    self.width = max(20, width)
    self.hasColor = hasColor
    self.isInteractive = isInteractive
  }

  /// Makes the style for a program's output.
  ///
  /// Colours are off unless the output is a terminal, for `TERM=dumb`, and if `NO_COLOR` is set to anything:
  /// https://no-color.org
  ///
  /// - Parameters:
  ///   - isTerminal: whether the output is a terminal, as returned by `isatty`.
  ///   - isInteractive: whether answers can be read from a terminal as well.
  ///   - environment: the variables of the program. `COLUMNS` is the width, unless `width` is given.
  ///   - width: the terminal's width in columns, if it is known.
  public init(isTerminal: Bool, isInteractive: Bool, environment: [String: String], width: Int? = nil) {
    let noColor = environment["NO_COLOR"] ?? ""
    self.init(
      width: width ?? environment["COLUMNS"].flatMap(Int.init) ?? 80,
      hasColor: isTerminal && noColor.isEmpty && environment["TERM"] != "dumb",
      isInteractive: isTerminal && isInteractive)
  }

  /// The style for a file or another program: 80 columns, no colour, not interactive.
  public static let plain = TerminalStyle(hasColor: false, isInteractive: false)
}

/// Text that is wrapped to the columns of a terminal.
enum WrappedText {
  /// Returns a text in lines of a width, broken between words, and within a word that is longer than a line.
  ///
  /// A line that fits is unchanged, including the blanks that indent it.
  static func lines(of text: String, width: Int) -> [String] {
    text.split(whereSeparator: \.isNewline).flatMap { line in
      let whole = visible(String(line.map { $0 == "\t" ? " " : $0 }))
      if whole.reduce(0, { $0 + VisibleText.columns(of: $1) }) <= width { return [whole] }
      var lines: [String] = []
      var (last, used) = ("", 0)
      for word in line.split(whereSeparator: \.isWhitespace) {
        let word = visible(word)
        let columns = word.reduce(0) { $0 + VisibleText.columns(of: $1) }
        if used > 0, used + 1 + columns <= width {
          last += " "
          used += 1
        } else if used > 0 {
          lines.append(last)
          (last, used) = ("", 0)
        }
        for character in word {
          let columns = VisibleText.columns(of: character)
          if used > 0, used + columns > width {
            lines.append(last)
            (last, used) = ("", 0)
          }
          last.append(character)
          used += columns
        }
      }
      return used > 0 || !last.isEmpty ? lines + [last] : lines
    }
  }

  /// Replaces characters that a terminal interprets or does not show: an escape becomes `␛`.
  static func visible(_ text: some StringProtocol) -> String { VisibleText.visible(text.unicodeScalars) }
}
