/// What a person is told who has asked for something: the uppermost of three layers.
///
/// A presenter makes an ``Alert`` of it, and decides by its kind what else to do: offer another try, choose the exit
/// status, or show nothing at all.
public struct PresentationError: FriendlyError {
  /// What a person can do.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Ask for something else.
    case correctable
    /// Try again later.
    case temporary
    /// Nothing, before somebody has repaired something.
    case broken
    /// Nothing is expected: the person has cancelled it. It need not be shown.
    case cancelled
  }

  /// What a person can do.
  public let kind: Kind
  /// What happened, in one sentence.
  public let summary: String
  /// Why, where there is more to say.
  public let reason: String?
  /// What to do about it, where that is known.
  public let suggestion: String?
  /// The error that led to this one.
  public let underlying: (any Error)?

  /// Whether the person has cancelled it.
  public var isCancellation: Bool { kind == .cancelled }

  /// Makes an error.
  public init(
    _ kind: Kind, _ summary: String, reason: String? = nil, suggestion: String? = nil, underlying: (any Error)? = nil
  ) {
    self.kind = kind
    self.summary = summary
    self.reason = reason
    self.suggestion = suggestion
    self.underlying = underlying
  }

  /// Any error, for what comes out of a use case; one of this type stays as it is.
  ///
  /// This is the border from the domain to presentation. An error that is none of the domain is a mistake of the
  /// program, or of what it stands on, so it is ``Kind/broken``, unless it is a cancellation.
  public init(_ error: any Error) {
    if let error = error as? PresentationError {
      self = error
      return
    }
    let friendly = AnyFriendlyError(error)
    let kind = (error as? DomainError).map { Kind($0.code) } ?? (error is CancellationError ? .cancelled : .broken)
    self.init(
      kind, friendly.summary, reason: friendly.reason,
      suggestion: friendly.suggestion ?? (kind == .temporary ? "try again in a moment" : nil), underlying: error)
  }
}

extension PresentationError.Kind {
  fileprivate init(_ code: DomainError.Code) {
    switch code {
    case .notFound, .conflict, .ruleBroken, .invalidRequest: self = .correctable
    case .unavailable: self = .temporary
    case .translationFailed, .broken: self = .broken
    case .cancelled: self = .cancelled
    }
  }
}
