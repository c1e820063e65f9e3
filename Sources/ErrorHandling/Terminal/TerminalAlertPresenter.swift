/// Shows alerts on a terminal, and asks there.
///
/// ```
/// The box is full
///   It holds 30 Pokémon. Release one, or choose another box.
/// Choose Another Box? [Y/n]
/// ```
///
/// The capital letter is what Return means. Where nobody is there to answer, alerts are shown and nothing is recovered.
///
/// A tool of the command line may write clauses instead, as its users and their scripts know them:
///
/// ```
/// error: the box is full
///   it holds 30 Pokémon
///   release one, or choose another box
/// ```
public struct TerminalAlertPresenter: AlertPresenter {
  /// How an alert is put into words.
  public enum Wording: Hashable, Sendable {
    /// In the sentences of the alert.
    case sentences
    /// In the words of its error as they are, a line each, behind a label such as "error".
    case clauses(label: String)
  }

  private let style: TerminalStyle
  private let wording: Wording
  private let write: @Sendable (String) -> Void
  private let readLine: @Sendable () async -> String?

  /// Makes a presenter.
  ///
  /// - Parameters:
  ///   - style: what the terminal can do.
  ///   - wording: how alerts are put into words.
  ///   - write: writes a text, to the standard error for most programs.
  ///   - readLine: reads a line that somebody types; nil when there will be no more.
  public init(
    style: TerminalStyle, wording: Wording = .sentences, write: @escaping @Sendable (String) -> Void,
    readLine: @escaping @Sendable () async -> String?
  ) {
    self.style = style
    self.wording = wording
    self.write = write
    self.readLine = readLine
  }

  /// Shows an alert and, if it suggests something, asks.
  ///
  /// An answer is yes, no, their first letters, or the name of a button. Three that make no sense mean to dismiss, and so
  /// does the end of the input.
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

  /// An alert as it is shown, without its question: the title, and the message below.
  ///
  /// What a terminal would obey, such as an escape within the name of a file, is made visible.
  public func text(of alert: Alert) -> String {
    switch wording {
    case .sentences:
      let title = TerminalText.lines(of: alert.title, width: style.width).map { styled($0, "1;31") }
      return (title + indented(alert.message ?? "")).map { $0 + "\n" }.joined()
    case .clauses(let label):
      var head = TerminalText.lines(of: "\(label): \(alert.error.summary)", width: style.width)
      if let first = head.first, first.hasPrefix("\(label):") {
        head[0] = styled("\(label):", "1;31") + first.dropFirst(label.count + 1)
      }
      let clauses = [alert.error.reason, alert.error.suggestion].compactMap(\.self).flatMap(indented)
      return (head + clauses).map { $0 + "\n" }.joined()
    }
  }

  private func indented(_ text: String) -> [String] {
    TerminalText.lines(of: text, width: style.width - 2).map { "  \($0)" }
  }

  private func question(of alert: Alert) -> String? {
    guard let recovery = alert.buttons.first(where: { $0.answer == .recover }) else { return nil }
    let name = TerminalText.visible(recovery.name)
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
