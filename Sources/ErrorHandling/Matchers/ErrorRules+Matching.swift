extension ErrorRules {
  /// Adds a rule for the errors for which a condition holds.
  public func on(
    matching condition: @escaping @Sendable (any Error) -> Bool, do action: @escaping Action
  ) -> ErrorRules {
    on(matching: ErrorMatcher(condition), do: action)
  }

  /// Adds a rule for the errors of one type.
  public func onError<Failure: Error>(
    ofType type: Failure.Type, do action: @escaping @Sendable (Failure) async throws -> Step
  ) -> ErrorRules {
    on(matching: .type(type)) { error in
      guard let failure = error as? Failure else { return .next }
      return try await action(failure)
    }
  }

  /// Adds a rule for the errors that are equal to a value.
  public func on<Failure: Error & Equatable>(
    _ value: Failure, do action: @escaping @Sendable (Failure) async throws -> Step
  ) -> ErrorRules {
    on(matching: .value(value)) { error in
      guard let failure = error as? Failure else { return .next }
      return try await action(failure)
    }
  }
}
