// `FriendlyError` is below this module, so that the errors of queries are friendly, too.
@_exported public import ErrorDetails
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Any error in a friendly form: its own texts, or texts that are derived from it.
///
/// ```swift
/// do {
///   try FileManager.default.removeItem(atPath: path)
/// } catch {
///   print(AnyFriendlyError(error))
/// }
/// ```
///
/// A ``/ErrorDetails/FriendlyError`` and a `LocalizedError` provide their own texts. An `NSError` has its texts, its domain and
/// its code, an error of POSIX has the system's message, and an error of `Codable` has the path to the value. Nothing is lost:
/// ``base`` is the error itself, and ``chain`` leads to the first cause.
public struct AnyFriendlyError: DetailedError {
  /// The error itself.
  public let base: any Error
  /// Whether the error is a cancellation, as in `ErrorMatcher.cancellation`.
  public var isCancellation: Bool { ErrorMatcher.cancellation.matches(base) }
  /// The description of the error: what happened, why, and what to do about it.
  public let details: ErrorDetails
  /// The error that led to this one.
  public let underlying: (any Error)?

  /// Makes the friendly form of an error; an error that already is such a form is not changed.
  public init(_ error: any Error) {
    switch error {
    case let error as AnyFriendlyError: self = error
    case let error as any FriendlyError:
      self.init(error, error.summary, reason: error.reason, suggestion: error.suggestion, underlying: error.underlying)
    case let error as DecodingError: self.init(decoding: error)
    case let error as EncodingError: self.init(encoding: error)
    case is CancellationError:
      self.init(error, "the task was cancelled", suggestion: "start the task again if you still need the result")
    default: self = AnyFriendlyError(foreign: error) ?? AnyFriendlyError(unknown: error)
    }
  }

  init(
    _ base: any Error, _ summary: String, reason: String? = nil, suggestion: String? = nil,
    underlying: (any Error)? = nil
  ) {
    self.base = base
    details = ErrorDetails(summary, reason: reason, suggestion: suggestion)
    self.underlying = underlying
  }

  /// Makes the friendly form of an error of another module; `nil` if nothing but its type is known.
  private init?(foreign error: any Error) {
    #if NSError || canImport(ObjectiveC)
      self.init(foundation: error)
    #else
      guard let localized = error as? any LocalizedError, let summary = localized.errorDescription else { return nil }
      self.init(error, summary, reason: localized.failureReason, suggestion: localized.recoverySuggestion)
    #endif
  }

  private init(unknown error: any Error) {
    if type(of: error) is any CustomStringConvertible.Type {
      self.init(error, String(describing: error))
    } else {
      self.init(error, "the operation failed with \(type(of: error))", reason: String(describing: error))
    }
  }

  /// This error and those that led to it, the first cause last.
  ///
  /// The chain has at most 64 errors, since an error that is an object may refer to itself.
  public var chain: [AnyFriendlyError] {
    var chain = [self]
    while chain.count < 64, let underlying = chain[chain.count - 1].underlying {
      chain.append(AnyFriendlyError(underlying))
    }
    return chain
  }
}

// The errors of Codable, with the path to the value.
extension AnyFriendlyError {
  init(decoding error: DecodingError) {
    switch error {
    case .typeMismatch(let type, let context):
      self.init(
        error, "\(Self.place(context.codingPath)) is not of the type \(type)", reason: context.debugDescription,
        suggestion: "write a value of the type \(type)", underlying: context.underlyingError)
    case .valueNotFound(let type, let context):
      self.init(
        error, "\(Self.place(context.codingPath)) is missing", reason: context.debugDescription,
        suggestion: "write a value of the type \(type)", underlying: context.underlyingError)
    case .keyNotFound(let key, let context):
      self.init(
        error, "\(Self.place(context.codingPath + [key])) is missing", reason: context.debugDescription,
        suggestion: "add the key \(key.stringValue)", underlying: context.underlyingError)
    case .dataCorrupted(let context):
      self.init(
        error, "can't read \(Self.place(context.codingPath))", reason: context.debugDescription,
        suggestion: "check that the data is complete and has the expected format", underlying: context.underlyingError)
    @unknown default:
      self.init(error, "can't decode the data", reason: String(describing: error))
    }
  }

  init(encoding error: EncodingError) {
    switch error {
    case .invalidValue(let value, let context):
      self.init(
        error, "can't encode \(Self.place(context.codingPath))", reason: context.debugDescription,
        suggestion: "use a value of the type \(type(of: value)) that the format supports",
        underlying: context.underlyingError)
    @unknown default:
      self.init(error, "can't encode the value", reason: String(describing: error))
    }
  }

  /// Returns "trainer.box[2].name", or a text for the whole.
  private static func place(_ path: [any CodingKey]) -> String {
    var place = ""
    for key in path {
      if let index = key.intValue {
        place += "[\(index)]"
      } else {
        place += place.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
    return place.isEmpty ? "the data" : place
  }
}
