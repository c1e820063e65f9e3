#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit

  extension NSAlert {
    /// Makes the panel that shows an alert.
    ///
    /// AppKit makes the first button the default, and the alert's buttons come in that order.
    public convenience init(_ alert: Alert) {
      self.init()
      alertStyle = .warning
      messageText = alert.title
      informativeText = alert.message ?? ""
      for button in alert.buttons {
        addButton(withTitle: button.name).hasDestructiveAction = button.isDestructive
      }
    }
  }

  extension Alert {
    /// Returns the answer of the button of its panel that `runModal()` or `beginSheetModal(for:)` returned.
    public func answer(for response: NSApplication.ModalResponse) -> Answer {
      let index = response.rawValue - NSApplication.ModalResponse.alertFirstButtonReturn.rawValue
      return buttons.indices.contains(index) ? buttons[index].answer : .dismiss
    }
  }
#endif
