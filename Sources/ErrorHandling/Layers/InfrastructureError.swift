/// What a disk, a network or the system has refused: the lowest of three layers.
///
/// Code that talks to the outside throws it, and a repository over that makes a `RepositoryError` of it. Errors of the
/// system and of Foundation become one by themselves:
///
/// ```swift
/// let error = InfrastructureError(CocoaError(.fileWriteOutOfSpace))
/// #expect(error.code == .diskFull)
/// ```
public struct InfrastructureError: FriendlyError {
  /// What has failed.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// Nobody answers at the other end.
    case connection
    /// Somebody else is using it.
    case busy
    /// There was no answer in time.
    case timeout
    /// There is no room left.
    case diskFull
    /// What is there can't be made sense of.
    case corrupt
    /// It may not be used.
    case permission
    /// It is not there.
    case missing
    /// The system could not read or write.
    case inputOutput
    /// The task was cancelled.
    case cancelled
    /// Something else.
    case other
  }

  /// What has failed.
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
