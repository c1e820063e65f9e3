/// Why a use case has no result, in the words of its domain: the middle of three layers.
///
/// Callers of a use case need not know the kind of storage. Of an error of a repository, `DomainError(error)` keeps
/// the words and, as `underlying`, the error itself.
public struct DomainError: DetailedError {
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
    /// Only after a repair.
    case broken
    /// The operation was cancelled.
    case cancelled
  }

  /// What went wrong.
  public let code: Code
  /// What happened, why, and what to do about it.
  public let details: ErrorDetails
  /// The error that led to this one.
  public let underlying: (any Error)?

  /// Whether the operation was cancelled.
  public var isCancellation: Bool { code == .cancelled }

  /// Makes an error.
  public init(
    _ code: Code, _ summary: String, reason: String? = nil, suggestion: String? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    details = ErrorDetails(summary, reason: reason, suggestion: suggestion)
    self.underlying = underlying
  }
}

/// What a disk, a network or the system has refused: the lowest of three layers.
///
/// Code that talks to the outside throws it, and a repository over that makes a `RepositoryError` of it. Errors of the
/// system and of Foundation become one by themselves:
///
/// ```swift
/// let error = InfrastructureError(CocoaError(.fileWriteOutOfSpace))
/// #expect(error.code == .diskFull)
/// ```
public struct InfrastructureError: DetailedError {
  /// What has failed.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The other end does not answer.
    case connection
    /// Another connection or program is using it.
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
  /// What happened, why, and what to do about it.
  public let details: ErrorDetails
  /// The error that led to this one.
  public let underlying: (any Error)?

  /// Whether the operation was cancelled.
  public var isCancellation: Bool { code == .cancelled }

  /// Makes an error.
  public init(
    _ code: Code, _ summary: String, reason: String? = nil, suggestion: String? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    details = ErrorDetails(summary, reason: reason, suggestion: suggestion)
    self.underlying = underlying
  }
}

/// The error as it is shown to the user: the uppermost of three layers.
///
/// A presenter makes an ``Alert`` of it, and decides by its kind what else to do: offer another try, choose the exit
/// status, or show nothing at all.
public struct PresentationError: DetailedError {
  /// What the user can do.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Ask for something else.
    case correctable
    /// Try again later.
    case temporary
    /// Nothing: something has to be repaired first.
    case broken
    /// Nothing: the user has cancelled the operation. It need not be shown.
    case cancelled
  }

  /// What the user can do.
  public let kind: Kind
  /// What happened, why, and what to do about it.
  public let details: ErrorDetails
  /// The error that led to this one.
  public let underlying: (any Error)?

  /// Whether the user has cancelled the operation.
  public var isCancellation: Bool { kind == .cancelled }

  /// Makes an error.
  public init(
    _ kind: Kind, _ summary: String, reason: String? = nil, suggestion: String? = nil, underlying: (any Error)? = nil
  ) {
    self.kind = kind
    details = ErrorDetails(summary, reason: reason, suggestion: suggestion)
    self.underlying = underlying
  }

  /// Any error, for what comes out of a use case; one of this type stays as it is.
  ///
  /// This is the border from the domain to presentation. An error from outside the domain is a mistake of the
  /// program or its dependencies, so it is ``Kind/broken``, unless it is a cancellation.
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

/// Makes a model of the domain from what a repository keeps, or the other way around.
///
/// ```swift
/// let translator = Translator<Row, Trainer> { row in
///   guard row.badges >= 0 else { throw TrainerError.badges(row.badges) }
///   return Trainer(name: row.name, badges: row.badges)
/// }
/// let trainer = try translator(Row(name: "Red", badges: 8))
/// ```
public struct Translator<Source, Target>: Sendable {
  private let translate: @Sendable (Source) throws -> Target

  /// Makes a translator.
  ///
  /// - Parameter translate: makes the other model; throws where there is none.
  public init(_ translate: @escaping @Sendable (Source) throws -> Target) {
    self.translate = translate
  }

  /// Makes the other model.
  ///
  /// - Throws: ``DomainError`` with the code ``DomainError/Code/translationFailed`` and the words of what the closure
  ///   has thrown, which is its `underlying`; a ``DomainError`` of the closure as it is, and a cancellation as one.
  public func callAsFunction(_ source: Source) throws(DomainError) -> Target {
    do {
      return try translate(source)
    } catch let error as DomainError {
      throw error
    } catch {
      if ErrorMatcher.cancellation.matches(error) {
        throw DomainError(.cancelled, AnyFriendlyError(error).summary, underlying: error)
      }
      let friendly = AnyFriendlyError(error)
      throw DomainError(
        .translationFailed, friendly.summary, reason: friendly.reason, suggestion: friendly.suggestion,
        underlying: error)
    }
  }

  /// Makes the other models, all or none.
  ///
  /// - Throws: as for one of them.
  public func callAsFunction(_ sources: [Source]) throws(DomainError) -> [Target] {
    try sources.map { source throws(DomainError) in try self(source) }
  }
}
