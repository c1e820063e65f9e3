/// What a person is told of an error, whatever shows it: a confirmation with one way out, or a suggestion with a recovery.
///
/// ```swift
/// let recovery = Recovery("Choose Another Box") { await openAnotherBox() }
/// let alert = Alert(TrainerError.boxFull(count: 30), recovery: recovery)
/// #expect(alert.title == "The box is full")
/// #expect(alert.message == "It holds 30 Pokémon. Release one, or choose another box.")
/// #expect(alert.buttons.map(\.name) == ["Choose Another Box", "Cancel"])
/// ```
///
/// The words are the error's: the title is its summary, the message its reason and its suggestion as sentences. Buttons follow
/// Apple's Human Interface Guidelines, https://developer.apple.com/design/human-interface-guidelines/alerts:
///
/// - What only informs has one button, "OK".
/// - A recovery is named by what it does, and "Cancel" stands beside it.
/// - The recovery is the default, unless it is destructive: then the default is to cancel.
public struct Alert: Sendable {
  /// What somebody has decided.
  public enum Answer: Hashable, Sendable {
    /// To leave it at that.
    case dismiss
    /// To recover.
    case recover
  }

  /// A button, or what takes its place.
  public struct Button: Hashable, Sendable {
    /// What stands on it.
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
