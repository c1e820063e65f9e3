// Rules at work: alone, or in a tree.
extension ErrorRules {
  /// Applies the rules to an error.
  ///
  /// - Returns: whether a rule has handled it, by ``Step/stop``.
  @discardableResult
  public func handle(_ error: any Error) async -> Bool {
    await ErrorHandler().catch(by: self).throw(error)
  }
}

extension ErrorHandler {
  /// A handler below this one that applies rules. It consumes an error where a rule says ``ErrorRules/Step/stop``.
  public func `catch`(by rules: ErrorRules) -> ErrorHandler {
    `catch` { try await rules.apply(to: $0) }
  }
}
