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

    /// Returns the answer of a button of the panel, as `runModal()` or `beginSheetModal(for:)` returns it.
    public func answer(for response: NSApplication.ModalResponse, to alert: Alert) -> Alert.Answer {
      let index = response.rawValue - NSApplication.ModalResponse.alertFirstButtonReturn.rawValue
      return alert.buttons.indices.contains(index) ? alert.buttons[index].answer : .dismiss
    }
  }
#endif
