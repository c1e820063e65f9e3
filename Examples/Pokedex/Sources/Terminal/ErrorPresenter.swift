import ErrorHandling

/// Tells a person what went wrong, and the program that started this one by an exit status.
struct ErrorPresenter {
  private let alerts: any AlertPresenter

  init(_ alerts: some AlertPresenter) {
    self.alerts = alerts
  }

  /// Shows an error of any layer.
  ///
  /// - Returns: 2 where something else has to be asked for, 1 where that would not help.
  func present(_ error: any Error) async -> Int32 {
    let error = PresentationError(error)
    if error.kind != .cancelled { _ = await alerts.ask(Alert(error)) }
    return error.kind == .correctable ? 2 : 1
  }
}
