/// An alert: an error as it is presented to the user, for confirmation, or with a recovery to choose.
///
/// ```swift
/// let recovery = Recovery("Choose Another Box") { await openAnotherBox() }
/// let alert = Alert(TrainerError.boxFull(count: 30), recovery: recovery)
/// #expect(alert.title == "The box is full")
/// #expect(alert.message == "It holds 30 Pokémon. Release one, or choose another box.")
/// #expect(alert.buttons.map(\.name) == ["Choose Another Box", "Cancel"])
/// ```
///
/// The texts are the error's: the title is its summary, the message its reason and its suggestion as sentences. Buttons
/// follow Apple's Human Interface Guidelines, https://developer.apple.com/design/human-interface-guidelines/alerts:
///
/// - An alert that only informs has one button, "OK".
/// - A recovery is named by what it does, with "Cancel" next to it.
/// - The recovery is the default, unless it is destructive: then the default is to cancel.
public struct Alert: Sendable {
  /// The user's choice.
  public enum Answer: Hashable, Sendable {
    /// The choice to do nothing about the error.
    case dismiss
    /// The choice to recover.
    case recover
  }

  /// A button, or its equivalent on a terminal.
  public struct Button: Hashable, Sendable {
    /// The button's label.
    public let name: String
    /// The answer that the button gives.
    public let answer: Answer
    /// Whether the button does something that can't be undone.
    public let isDestructive: Bool
    /// Whether the Return key selects the button.
    public let isDefault: Bool
  }

  /// The presented error.
  public let error: AnyFriendlyError
  /// The summary of the error.
  public let title: String
  /// The reason and the suggestion, in whole sentences; `nil` if the error has neither.
  public let message: String?
  /// The recovery that is offered; `nil` for a confirmation.
  public let recovery: Recovery?
  /// The buttons: the default first.
  public let buttons: [Button]

  /// Makes an alert for an error.
  ///
  /// - Parameters:
  ///   - recovery: the recovery to offer; `nil` for a confirmation.
  ///   - dismissal: the name of the other button, for programs in other languages. By default "OK" or "Cancel".
  public init(_ error: any Error, recovery: Recovery? = nil, dismissal: String? = nil) {
    let error = AnyFriendlyError(error)
    self.error = error
    self.recovery = recovery
    title = Sentence.capitalized(error.summary)
    let sentences = [error.reason, error.suggestion].compactMap(\.self).compactMap(Sentence.complete)
    message = sentences.isEmpty ? nil : sentences.joined(separator: " ")

    guard let recovery else {
      buttons = [Button(name: dismissal ?? "OK", answer: .dismiss, isDestructive: false, isDefault: true)]
      return
    }
    let isDestructive = recovery.isDestructive
    let cancel = Button(
      name: dismissal ?? "Cancel", answer: .dismiss, isDestructive: false, isDefault: isDestructive)
    let recover = Button(
      name: recovery.name, answer: .recover, isDestructive: isDestructive, isDefault: !isDestructive)
    buttons = isDestructive ? [cancel, recover] : [recover, cancel]
  }
}

/// A recovery from an error that is offered to the user.
///
/// ```swift
/// let recovery = Recovery("Release All", isDestructive: true) { try await releaseAll() }
/// ```
public struct Recovery: Sendable {
  /// The action as the title of a button: a verb, such as "Try Again".
  public let name: String
  /// Whether the action can't be undone. Then it is never the default.
  public let isDestructive: Bool
  /// Runs the action.
  public let perform: @Sendable () async throws -> Void

  /// Makes a recovery.
  public init(_ name: String, isDestructive: Bool = false, _ perform: @escaping @Sendable () async throws -> Void) {
    self.name = name
    self.isDestructive = isDestructive
    self.perform = perform
  }
}

/// A presenter of alerts, which returns the user's answer.
///
/// ``TerminalAlertPresenter`` shows alerts on a terminal; a test can use a presenter with fixed answers.
public protocol AlertPresenter: Sendable {
  /// Shows an alert, and waits for the user's choice.
  func ask(_ alert: Alert) async -> Alert.Answer
}

extension AlertPresenter {
  /// Shows an alert, and runs the recovery if the user chooses it.
  ///
  /// - Returns: the user's choice.
  /// - Throws: what the recovery throws.
  @discardableResult
  public func present(_ alert: Alert) async throws -> Alert.Answer {
    let answer = await ask(alert)
    if answer == .recover { try await alert.recovery?.perform() }
    return answer
  }
}

extension ErrorHandler {
  /// Adds a handler below this one that presents errors to the user, and consumes them.
  ///
  /// If a recovery fails, its error descends to the handlers below.
  ///
  /// - Parameters:
  ///   - matcher: the errors to present; by default all except cancellations, which are not reported to the user.
  ///   - presenter: shows the alerts.
  ///   - recovery: returns the recovery to offer for an error; `nil` for a confirmation.
  public func present(
    matching matcher: ErrorMatcher = !.cancellation, on presenter: some AlertPresenter,
    recovery: @escaping @Sendable (any Error) -> Recovery? = { _ in nil }
  ) -> ErrorHandler {
    `catch`(matching: matcher) { try await presenter.present(Alert($0, recovery: recovery($0))) }
  }
}

/// The formatting of errors' texts as sentences: an error may also be written as a part of a line of a log.
enum Sentence {
  /// Returns the text with an uppercase first letter, unless its first word is a name of code, such as `second_type` or `iOS`.
  static func capitalized(_ text: String) -> String {
    let word = text.prefix { !$0.isWhitespace }
    // The comma after a word, and the apostrophe within, occur in sentences.
    let bare = word.reversed().drop(while: \.isPunctuation)
    let isWord = bare.allSatisfy { $0.isLowercase || "'’-".contains($0) }
    return isWord ? text.prefix(1).uppercased() + text.dropFirst() : text
  }

  /// Returns the text with an uppercase first letter and a full stop; `nil` without a text.
  static func complete(_ text: String) -> String? {
    guard let end = text.lastIndex(where: { !$0.isWhitespace }) else { return nil }
    let last = text[end]
    let text = capitalized(String(text[...end]))
    return ".!?…:".contains(last) ? text : text + "."
  }
}
