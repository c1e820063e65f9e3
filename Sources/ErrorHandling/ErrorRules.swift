/// A list of rules for errors, by which further lists can be made.
///
/// Rules are a value: adding some returns other rules, and leaves the original ones unchanged.
///
/// ```swift
/// let standard = ErrorRules()
///   .onError(ofType: TrainerError.self) { error in await show(error); return .stop }
///   .onNoMatch { error in await show(error); return .stop }
///   .always { error in log("\(error)"); return .next }
/// let ofTheBox = standard.on(TrainerError.boxFull(count: 30)) { _ in await openAnotherBox(); return .stop }
/// ```
///
/// For each error,
///
/// 1. the rules that match the error are called, the last one first, until one returns ``Step/stop``;
/// 2. if no rule matches, those of ``onNoMatch(do:)`` are called in the same way;
/// 3. in any case, those of ``always(do:)`` are called afterwards in the same way.
///
/// Rules can be used on their own, by ``handle(_:)``, and within a tree, by ``ErrorHandler/catch(by:)``.
public struct ErrorRules: Sendable {
  /// The step after a rule.
  public enum Step: Hashable, Sendable {
    /// A continuation with the next rule. After the last one the error is not handled, and the handlers below receive it.
    case next
    /// An end: the error is handled.
    case stop
  }

  /// A closure that handles an error. An error that the closure throws ends the search for a rule, and replaces the original
  /// error for the handlers below.
  public typealias Action = @Sendable (any Error) async throws -> Step

  private var rules: [(matcher: ErrorMatcher, action: Action)] = []
  private var otherwise: [Action] = []
  private var always: [@Sendable (any Error) async -> Step] = []

  /// Makes an empty list of rules.
  public init() {}

  /// Returns rules with one added for the errors that a matcher matches.
  public func on(matching matcher: ErrorMatcher, do action: @escaping Action) -> ErrorRules {
    var copy = self
    copy.rules.append((matcher, action))
    return copy
  }

  /// Returns rules with one added for the errors that no rule matches.
  public func onNoMatch(do action: @escaping Action) -> ErrorRules {
    var copy = self
    copy.otherwise.append(action)
    return copy
  }

  /// Returns rules with one added for every error, after all others; the added rule can't handle the error.
  ///
  /// - Parameter action: returns ``Step/stop`` to skip the rules of the same kind that were added before.
  public func always(do action: @escaping @Sendable (any Error) async -> Step) -> ErrorRules {
    var copy = self
    copy.always.append(action)
    return copy
  }

  /// Returns if a rule has stopped; otherwise throws the error, or the error of a rule.
  func apply(to error: any Error) async throws {
    var passed: (any Error)? = error
    do {
      let matching = rules.filter { $0.matcher.matches(error) }.map(\.action)
      for action in (matching.isEmpty ? otherwise : matching).reversed() where try await action(error) == .stop {
        passed = nil
        break
      }
    } catch let thrown {
      passed = thrown
    }
    for action in always.reversed() where await action(error) == .stop { break }
    if let passed { throw passed }
  }
}

extension ErrorRules {
  /// Returns rules with one added for the errors for which a condition is true.
  public func on(
    matching condition: @escaping @Sendable (any Error) -> Bool, do action: @escaping Action
  ) -> ErrorRules {
    on(matching: ErrorMatcher(condition), do: action)
  }

  /// Returns rules with one added for the errors of one type.
  public func onError<Failure: Error>(
    ofType type: Failure.Type, do action: @escaping @Sendable (Failure) async throws -> Step
  ) -> ErrorRules {
    on(matching: .type(type)) { error in
      guard let failure = error as? Failure else { return .next }
      return try await action(failure)
    }
  }

  /// Returns rules with one added for the errors that are equal to a value.
  public func on<Failure: Error & Equatable>(
    _ value: Failure, do action: @escaping @Sendable (Failure) async throws -> Step
  ) -> ErrorRules {
    on(matching: .value(value)) { error in
      guard let failure = error as? Failure else { return .next }
      return try await action(failure)
    }
  }
}

// Use of rules: on their own, or in a tree.
extension ErrorRules {
  /// Applies the rules to an error.
  ///
  /// - Returns: whether a rule has handled the error, by ``Step/stop``.
  @discardableResult
  public func handle(_ error: any Error) async -> Bool {
    await ErrorHandler().catch(by: self).throw(error)
  }
}

extension ErrorHandler {
  /// Returns a handler below this one that applies rules. It consumes an error if a rule returns ``ErrorRules/Step/stop``.
  public func `catch`(by rules: ErrorRules) -> ErrorHandler {
    `catch` { try await rules.apply(to: $0) }
  }
}
