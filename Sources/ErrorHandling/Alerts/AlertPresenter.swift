/// Shows alerts, and asks.
///
/// ``TerminalAlertPresenter`` is one; a test can be one that answers as the test wants.
public protocol AlertPresenter: Sendable {
  /// Shows an alert until somebody has decided.
  func ask(_ alert: Alert) async -> Alert.Answer
}

extension AlertPresenter {
  /// Shows an alert, and recovers where somebody decides to.
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
  /// A handler below this one that tells somebody of errors, and consumes them.
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
