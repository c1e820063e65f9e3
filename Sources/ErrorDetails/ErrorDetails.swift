#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The texts of an error: what happened, why, and what to do about it.
public struct ErrorDetails: Hashable, Sendable {
  /// The description of what happened, in one sentence.
  public let summary: String
  /// The reason, if there is more to say.
  public let reason: String?
  /// The advice what to do about it, if there is any.
  public let suggestion: String?

  /// Makes the details of an error.
  public init(_ summary: String, reason: String? = nil, suggestion: String? = nil) {
    self.summary = summary
    self.reason = reason
    self.suggestion = suggestion
  }

  /// Makes the details of another error.
  public init(_ error: some FriendlyError) {
    self.init(error.summary, reason: error.reason, suggestion: error.suggestion)
  }
}

/// An error whose texts are one value.
///
/// ```swift
/// struct BadgeError: DetailedError {
///   let details: ErrorDetails
/// }
/// let error = BadgeError(details: ErrorDetails("a badge is missing", suggestion: "win it first"))
/// ```
public protocol DetailedError: FriendlyError, CustomStringConvertible {
  /// The texts of the error: what happened, why, and what to do about it.
  var details: ErrorDetails { get }
}

extension DetailedError {
  /// The description of what happened, in one sentence.
  public var summary: String { details.summary }
  /// The reason, if there is more to say.
  public var reason: String? { details.reason }
  /// The advice what to do about it, if there is any.
  public var suggestion: String? { details.suggestion }
  /// The summary, the reason and the suggestion in one line.
  public var description: String { [summary, reason, suggestion].compactMap(\.self).joined(separator: "; ") }
}

/// An error with texts: what happened, why, and what to do about it.
///
/// ```swift
/// enum TrainerError: FriendlyError, Hashable {
///   case boxFull(count: Int)
///
///   var summary: String { "the box is full" }
///   var reason: String? { switch self { case .boxFull(let count): "it holds \(count) Pokémon" } }
///   var suggestion: String? { "release one, or choose another box" }
/// }
/// ```
///
/// Any other error has a friendly form, too: `AnyFriendlyError` of the module ErrorHandling. Foundation's `localizedDescription` is the summary,
/// because each friendly error is a `LocalizedError`.
public protocol FriendlyError: LocalizedError {
  /// The description of what happened, in one sentence.
  var summary: String { get }
  /// The reason, if there is more to say.
  var reason: String? { get }
  /// The advice what to do about it, if there is any.
  var suggestion: String? { get }
  /// The error that led to this one.
  var underlying: (any Error)? { get }
  /// Whether the error only shows that the caller no longer needs the result: it need not be shown or logged.
  var isCancellation: Bool { get }
}

extension FriendlyError {
  /// The default: no reason.
  public var reason: String? { nil }
  /// The default: no suggestion.
  public var suggestion: String? { nil }
  /// The default: no underlying error.
  public var underlying: (any Error)? { nil }
  /// The default: not a cancellation.
  public var isCancellation: Bool { false }
}

// The requirements of Foundation, UIKit and AppKit, so that a conforming type need not import Foundation.
extension FriendlyError {
  /// The summary.
  public var errorDescription: String? { summary }
  /// The reason.
  public var failureReason: String? { reason }
  /// The suggestion.
  public var recoverySuggestion: String? { suggestion }
  /// The anchor in a help book: none.
  public var helpAnchor: String? { nil }
}

extension Int {
  /// Returns a count with its noun, for messages: `1 row`, `151 rows`.
  package func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
