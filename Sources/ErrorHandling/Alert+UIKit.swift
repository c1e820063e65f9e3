#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  extension UIAlertController {
    /// Makes the controller that shows an alert.
    ///
    /// UIKit positions the cancel action itself; the preferred action is the one for Return on a keyboard.
    ///
    /// - Parameter answer: called with the user's choice; the closure has to run the recovery, if that is chosen.
    public convenience init(_ alert: Alert, answer: @escaping @MainActor (Alert.Answer) -> Void) {
      self.init(title: alert.title, message: alert.message, preferredStyle: .alert)
      for button in alert.buttons {
        let cancels = button.answer == .dismiss && alert.recovery != nil
        let style: UIAlertAction.Style = button.isDestructive ? .destructive : cancels ? .cancel : .default
        let action = UIAlertAction(title: button.name, style: style) { _ in answer(button.answer) }
        addAction(action)
        if button.isDefault { preferredAction = action }
      }
    }
  }
#endif
