/// An error as it is presented to the user: a confirmation with one way out, or a suggestion with a recovery.
///
/// ```swift
/// let recovery = Recovery("Choose Another Box") { await openAnotherBox() }
/// let alert = Alert(TrainerError.boxFull(count: 30), recovery: recovery)
/// #expect(alert.title == "The box is full")
/// #expect(alert.message == "It holds 30 Pokémon. Release one, or choose another box.")
/// #expect(alert.buttons.map(\.name) == ["Choose Another Box", "Cancel"])
/// ```
///
/// The words are the error's: the title is its summary, the message its reason and its suggestion as sentences. Buttons
/// follow Apple's Human Interface Guidelines, https://developer.apple.com/design/human-interface-guidelines/alerts:
///
/// - What only informs has one button, "OK".
/// - A recovery is named by what it does, and has "Cancel" beside it.
/// - The recovery is the default, unless it is destructive: then the default is to cancel.
public struct Alert: Sendable {
  /// The user's choice.
  public enum Answer: Hashable, Sendable {
    /// To leave it at that.
    case dismiss
    /// To recover.
    case recover
  }

  /// A button, or its equivalent on a terminal.
  public struct Button: Hashable, Sendable {
    /// The button's label.
    public let name: String
    /// What it means.
    public let answer: Answer
    /// Whether it does something that can't be undone.
    public let isDestructive: Bool
    /// Whether it is what the Return key means.
    public let isDefault: Bool
  }

  /// What went wrong.
  public let error: AnyFriendlyError
  /// What happened.
  public let title: String
  /// Why, and what to do about it, in whole sentences; nil where the error says no more.
  public let message: String?
  /// The way out that is offered; nil for a confirmation.
  public let recovery: Recovery?
  /// The buttons: the default first.
  public let buttons: [Button]

  /// Makes an alert about an error.
  ///
  /// - Parameters:
  ///   - recovery: what is suggested; nil for a confirmation.
  ///   - dismissal: the name of the other way out, for programs in other languages. By default "OK" or "Cancel".
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

/// A way out of an error that is offered to the user.
///
/// ```swift
/// let recovery = Recovery("Release All", isDestructive: true) { try await releaseAll() }
/// ```
public struct Recovery: Sendable {
  /// What it does, as the title of a button: a verb, such as "Try Again".
  public let name: String
  /// Whether it does something that can't be undone. Then it is never what happens by default.
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

/// Shows alerts, and asks.
///
/// ``TerminalAlertPresenter`` is one; a test can be one that answers as the test wants.
public protocol AlertPresenter: Sendable {
  /// Shows an alert, and waits for the user's choice.
  func ask(_ alert: Alert) async -> Alert.Answer
}

extension AlertPresenter {
  /// Shows an alert, and runs the recovery that the user chooses, if any.
  ///
  /// - Returns: what was decided.
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
  /// Where a recovery fails, its error comes down to the handlers below.
  ///
  /// - Parameters:
  ///   - matcher: the errors that are meant. A cancelled task is nothing to tell of, so by default all but those.
  ///   - presenter: shows the alerts.
  ///   - recovery: what can be suggested for an error; nil where there is nothing but to confirm.
  public func present(
    matching matcher: ErrorMatcher = !.cancellation, on presenter: some AlertPresenter,
    recovery: @escaping @Sendable (any Error) -> Recovery? = { _ in nil }
  ) -> ErrorHandler {
    `catch`(matching: matcher) { try await presenter.present(Alert($0, recovery: recovery($0))) }
  }
}

/// Texts of errors as sentences: an error may be written as a part of a line of log, too.
enum Sentence {
  /// The text with a capital first letter, unless its first word is a name of code, such as `second_type` or `iOS`.
  static func capitalized(_ text: String) -> String {
    let word = text.prefix { !$0.isWhitespace }
    // The comma after a word, and the apostrophe within, belong to sentences.
    let bare = word.reversed().drop(while: \.isPunctuation)
    let isWord = bare.allSatisfy { $0.isLowercase || "'’-".contains($0) }
    return isWord ? text.prefix(1).uppercased() + text.dropFirst() : text
  }

  /// The text with a capital first letter and a full stop; nil where there is no text.
  static func complete(_ text: String) -> String? {
    guard let end = text.lastIndex(where: { !$0.isWhitespace }) else { return nil }
    let last = text[end]
    let text = capitalized(String(text[...end]))
    return ".!?…:".contains(last) ? text : text + "."
  }
}
