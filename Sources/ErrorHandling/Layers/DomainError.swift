/// Why a use case has no result, in the words of its domain: the middle of three layers.
///
/// Whoever calls a use case need not know what keeps the data. Of an error of a repository, `DomainError(error)` keeps
/// the words and, as `underlying`, the error itself.
public struct DomainError: FriendlyError {
  /// What went wrong.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// There is no such thing.
    case notFound
    /// There is one already.
    case conflict
    /// A rule of the domain does not allow it.
    case ruleBroken
    /// It can't be asked like that.
    case invalidRequest
    /// What is kept can't be understood, or what is understood can't be kept.
    case translationFailed
    /// Not now, but soon perhaps.
    case unavailable
    /// Not before somebody has repaired something.
    case broken
    /// Nobody wants it any more.
    case cancelled
  }

  /// What went wrong.
  public let code: Code
  /// What happened, in one sentence.
  public let summary: String
  /// Why, where there is more to say.
  public let reason: String?
  /// What to do about it, where that is known.
  public let suggestion: String?
  /// The error that led to this one.
  public let underlying: (any Error)?

  /// Whether nobody wants it any more.
  public var isCancellation: Bool { code == .cancelled }

  /// Makes an error.
  public init(
    _ code: Code, _ summary: String, reason: String? = nil, suggestion: String? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.summary = summary
    self.reason = reason
    self.suggestion = suggestion
    self.underlying = underlying
  }
}
