/// What to do about errors, as a list of rules that others extend.
///
/// Rules are a value: adding some returns other rules, and leaves the ones before as they are.
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
/// 1. the rules that match it are asked, the last one first, until one says ``Step/stop``;
/// 2. where none matches, those of ``onNoMatch(do:)`` are, likewise;
/// 3. in any case those of ``always(do:)`` are, likewise, once the others are done.
///
/// Rules work alone, by ``handle(_:)``, and within a tree, by ``ErrorHandler/catch(by:)``.
public struct ErrorRules: Sendable {
  /// How it goes on after a rule.
  public enum Step: Hashable, Sendable {
    /// With the next rule. After the last one the error is not handled, and the handlers below see it.
    case next
    /// Not at all: the error is handled.
    case stop
  }

  /// Handles an error. An error that it throws ends the search, and replaces the first one for
  /// the handlers below.
  public typealias Action = @Sendable (any Error) async throws -> Step

  private var rules: [(matcher: ErrorMatcher, action: Action)] = []
  private var otherwise: [Action] = []
  private var always: [@Sendable (any Error) async -> Step] = []

  /// No rule.
  public init() {}

  /// Adds a rule for the errors that a matcher matches.
  public func on(matching matcher: ErrorMatcher, do action: @escaping Action) -> ErrorRules {
    var copy = self
    copy.rules.append((matcher, action))
    return copy
  }

  /// Adds a rule for the errors that no rule matches.
  public func onNoMatch(do action: @escaping Action) -> ErrorRules {
    var copy = self
    copy.otherwise.append(action)
    return copy
  }

  /// Adds a rule for every error, after all others; it can't handle it.
  ///
  /// - Parameter action: says ``Step/stop`` to leave out the rules of the same kind that were added before.
  public func always(do action: @escaping @Sendable (any Error) async -> Step) -> ErrorRules {
    var copy = self
    copy.always.append(action)
    return copy
  }

  /// Returns where a rule has stopped; else throws the error, or what a rule threw.
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
