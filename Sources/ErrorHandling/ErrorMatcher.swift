/// A matcher of errors, which combines with others by `&&`, `||` and `!`.
///
/// ```swift
/// let isTransient = ErrorMatcher.value(SessionError.timeout) || .nsError(domain: NSPOSIXErrorDomain, code: 11)
/// let root = ErrorHandler().catch(matching: !isTransient && !.cancellation) { error in await show(error) }
///
/// do { try connect() } catch isTransient { await retry() }
/// ```
public struct ErrorMatcher: Sendable {
  private let isMatch: @Sendable (any Error) -> Bool

  /// Makes a matcher from a condition.
  public init(_ isMatch: @escaping @Sendable (any Error) -> Bool) {
    self.isMatch = isMatch
  }

  /// Returns whether an error matches.
  public func matches(_ error: any Error) -> Bool { isMatch(error) }
}

extension ErrorMatcher {
  /// A matcher of every error.
  public static let any = ErrorMatcher { _ in true }

  /// A matcher of cancellations: that of a task, as `Task.checkCancellation()` throws it, its translations by the layers and
  /// repositories, and the corresponding errors of Foundation and POSIX.
  public static let cancellation = ErrorMatcher { error in
    (error as? any FriendlyError)?.isCancellation ?? (InfrastructureError(error).code == .cancelled)
  }

  /// Returns a matcher of the errors of one type.
  public static func type<Failure: Error>(_ type: Failure.Type) -> ErrorMatcher { ErrorMatcher { $0 is Failure } }

  /// Returns a matcher of the errors of one type for which a condition is true.
  public static func type<Failure: Error>(
    _ type: Failure.Type, where condition: @escaping @Sendable (Failure) -> Bool
  ) -> ErrorMatcher {
    ErrorMatcher { error in (error as? Failure).map(condition) ?? false }
  }

  /// Returns a matcher of the errors that are equal to a value.
  public static func value<Failure: Error & Equatable>(_ value: Failure) -> ErrorMatcher {
    ErrorMatcher { $0 as? Failure == value }
  }

  /// Returns a matcher of the errors that another matcher matches, and of those with such an underlying error.
  public static func caused(by matcher: ErrorMatcher) -> ErrorMatcher {
    ErrorMatcher { error in AnyFriendlyError(error).chain.contains { matcher.matches($0.base) } }
  }
}

extension ErrorMatcher {
  /// Returns a matcher of the errors that both match; the second is evaluated only if the first matches.
  public static func && (first: ErrorMatcher, second: ErrorMatcher) -> ErrorMatcher {
    ErrorMatcher { first.matches($0) && second.matches($0) }
  }

  /// Returns a matcher of the errors that at least one matches; the second is evaluated only if the first does not match.
  public static func || (first: ErrorMatcher, second: ErrorMatcher) -> ErrorMatcher {
    ErrorMatcher { first.matches($0) || second.matches($0) }
  }

  /// Returns a matcher of the errors that another does not match.
  public static prefix func ! (matcher: ErrorMatcher) -> ErrorMatcher {
    ErrorMatcher { !matcher.matches($0) }
  }

  /// Returns whether an error matches, so that a matcher is a pattern of `catch` and `case`.
  public static func ~= (matcher: ErrorMatcher, error: any Error) -> Bool { matcher.matches(error) }
}
