/// Which errors are meant: a value that combines with others by `&&`, `||` and `!`.
///
/// ```swift
/// let isTransient = ErrorMatcher.value(SessionError.timeout) || .nsError(domain: NSPOSIXErrorDomain, code: 11)
/// let root = ErrorHandler().catch(matching: !isTransient && !.cancellation) { error in await show(error) }
///
/// do { try connect() } catch isTransient { await retry() }
/// ```
public struct ErrorMatcher: Sendable {
  private let isMatch: @Sendable (any Error) -> Bool

  /// A matcher by a condition.
  public init(_ isMatch: @escaping @Sendable (any Error) -> Bool) {
    self.isMatch = isMatch
  }

  /// Whether an error is meant.
  public func matches(_ error: any Error) -> Bool { isMatch(error) }
}

extension ErrorMatcher {
  /// Every error.
  public static let any = ErrorMatcher { _ in true }

  /// Cancellations: that of a task, as `Task.checkCancellation()` throws it, what the layers and repositories make of
  /// it, and the forms that Foundation and POSIX have for the same.
  public static let cancellation = ErrorMatcher { error in
    (error as? any FriendlyError)?.isCancellation ?? (InfrastructureError(error).code == .cancelled)
  }

  /// The errors of one type.
  public static func type<Failure: Error>(_ type: Failure.Type) -> ErrorMatcher { ErrorMatcher { $0 is Failure } }

  /// The errors of one type for which a condition holds.
  public static func type<Failure: Error>(
    _ type: Failure.Type, where condition: @escaping @Sendable (Failure) -> Bool
  ) -> ErrorMatcher {
    ErrorMatcher { error in (error as? Failure).map(condition) ?? false }
  }

  /// The errors that are equal to a value.
  public static func value<Failure: Error & Equatable>(_ value: Failure) -> ErrorMatcher {
    ErrorMatcher { $0 as? Failure == value }
  }

  /// The errors that another matcher matches, and those that one led to which it matches.
  public static func caused(by matcher: ErrorMatcher) -> ErrorMatcher {
    ErrorMatcher { error in AnyFriendlyError(error).chain.contains { matcher.matches($0.base) } }
  }
}

extension ErrorMatcher {
  /// The errors that both match; the second is asked where the first matches.
  public static func && (first: ErrorMatcher, second: ErrorMatcher) -> ErrorMatcher {
    ErrorMatcher { first.matches($0) && second.matches($0) }
  }

  /// The errors that at least one matches; the second is asked where the first does not match.
  public static func || (first: ErrorMatcher, second: ErrorMatcher) -> ErrorMatcher {
    ErrorMatcher { first.matches($0) || second.matches($0) }
  }

  /// The errors that another does not match.
  public static prefix func ! (matcher: ErrorMatcher) -> ErrorMatcher {
    ErrorMatcher { !matcher.matches($0) }
  }

  /// Makes a matcher a pattern of `catch` and `case`.
  public static func ~= (matcher: ErrorMatcher, error: any Error) -> Bool { matcher.matches(error) }
}
