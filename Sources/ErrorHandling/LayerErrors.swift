/// An error of a use case in the terms of its domain: the middle of three layers.
///
/// Callers of a use case need not know the kind of storage. `DomainError(error)` of an error of a repository keeps the texts
/// and, as `underlying`, the error itself.
public struct DomainError: DetailedError {
  /// The code of an error of the domain.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The code of the error for a missing element.
    case notFound
    /// The code of the error for an element that already exists.
    case conflict
    /// The code of the error for an operation that a rule of the domain does not allow.
    case ruleBroken
    /// The code of the error for an invalid request.
    case invalidRequest
    /// The code of the error for a stored value that can't be translated to the domain, or the reverse.
    case translationFailed
    /// The code of the error for a temporary failure.
    case unavailable
    /// The code of the error for a failure that requires a repair.
    case broken
    /// The code of the error for a cancelled operation.
    case cancelled
  }

  /// The code of the error.
  public let code: Code
  /// The description of the error: what happened, why, and what to do about it.
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

/// An error of a disk, a network or the system: the lowest of three layers.
///
/// Code that accesses external systems throws this error, and a repository above that code converts it to a `RepositoryError`.
/// Errors of the system and of Foundation are converted directly:
///
/// ```swift
/// let error = InfrastructureError(CocoaError(.fileWriteOutOfSpace))
/// #expect(error.code == .diskFull)
/// ```
public struct InfrastructureError: DetailedError {
  /// The code of an error of infrastructure.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The code of the error for a connection to a peer that does not answer.
    case connection
    /// The code of the error for a resource that another connection or program is using.
    case busy
    /// The code of the error for an answer that did not arrive in time.
    case timeout
    /// The code of the error for a disk without space.
    case diskFull
    /// The code of the error for data that can't be interpreted.
    case corrupt
    /// The code of the error for a missing permission.
    case permission
    /// The code of the error for a missing resource.
    case missing
    /// The code of the error for a failed read or write of the system.
    case inputOutput
    /// The code of the error for a cancelled task.
    case cancelled
    /// The code of any other error.
    case other
  }

  /// The code of the error.
  public let code: Code
  /// The description of the error: what happened, why, and what to do about it.
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

/// An error as it is shown to the user: the uppermost of three layers.
///
/// A presenter makes an ``Alert`` from the error, and decides by its kind what else to do: offer another attempt, choose the
/// exit status, or show nothing.
public struct PresentationError: DetailedError {
  /// The kind of an error, by what the user can do about it.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The user can change the request.
    case correctable
    /// The user can try again later.
    case temporary
    /// The user can do nothing: a repair is required first.
    case broken
    /// The user has cancelled the operation; the error need not be shown.
    case cancelled
  }

  /// The kind of the error.
  public let kind: Kind
  /// The description of the error: what happened, why, and what to do about it.
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

  /// Makes the error from any error of a use case; an error of this type is not changed.
  ///
  /// This is the border from the domain to presentation. An error from outside the domain is a mistake of the program or its
  /// dependencies, so it is ``Kind/broken``, unless it is a cancellation.
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

/// A translator from the model of a repository to a model of the domain, or the reverse.
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
  /// - Parameter translate: makes the other model; throws if there is none.
  public init(_ translate: @escaping @Sendable (Source) throws -> Target) {
    self.translate = translate
  }

  /// Returns the other model.
  ///
  /// - Throws: ``DomainError`` with the code ``DomainError/Code/translationFailed`` and the texts of the closure's error,
  ///   which is its `underlying`; a ``DomainError`` of the closure unchanged; for a cancellation, a ``DomainError`` with the
  ///   code ``DomainError/Code/cancelled``.
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

  /// Returns the other models, all or none.
  ///
  /// - Throws: as for a single model.
  public func callAsFunction(_ sources: [Source]) throws(DomainError) -> [Target] {
    try sources.map { source throws(DomainError) in try self(source) }
  }
}
