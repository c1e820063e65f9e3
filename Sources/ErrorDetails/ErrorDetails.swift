#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What an error tells: what happened, why, and what to do about it.
public struct ErrorDetails: Hashable, Sendable {
  /// What happened, in one sentence.
  public let summary: String
  /// Why, where there is more to say.
  public let reason: String?
  /// What to do about it, where that is known.
  public let suggestion: String?

  /// Makes the details of an error.
  public init(_ summary: String, reason: String? = nil, suggestion: String? = nil) {
    self.summary = summary
    self.reason = reason
    self.suggestion = suggestion
  }

  /// Takes the details of another error.
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
  /// What happened, why, and what to do about it.
  var details: ErrorDetails { get }
}

extension DetailedError {
  /// What happened, in one sentence.
  public var summary: String { details.summary }
  /// Why, where there is more to say.
  public var reason: String? { details.reason }
  /// What to do about it, where that is known.
  public var suggestion: String? { details.suggestion }
  /// The summary, the reason and the suggestion in one line.
  public var description: String { [summary, reason, suggestion].compactMap(\.self).joined(separator: "; ") }
}

/// An error that says what happened, why, and what to do about it.
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
  /// What happened, in one sentence.
  var summary: String { get }
  /// Why, where there is more to say.
  var reason: String? { get }
  /// What to do about it, where that is known.
  var suggestion: String? { get }
  /// The error that led to this one.
  var underlying: (any Error)? { get }
  /// Whether it only says that the caller does not want the result any more: nothing that has to be shown or logged.
  var isCancellation: Bool { get }
}

extension FriendlyError {
  /// Nothing more is known.
  public var reason: String? { nil }
  /// Nothing is known to help.
  public var suggestion: String? { nil }
  /// No other error led to this one.
  public var underlying: (any Error)? { nil }
  /// It says something else.
  public var isCancellation: Bool { false }
}

// What Foundation, UIKit and AppKit ask an error for, so that a conforming type need not import Foundation.
extension FriendlyError {
  /// The summary.
  public var errorDescription: String? { summary }
  /// The reason.
  public var failureReason: String? { reason }
  /// The suggestion.
  public var recoverySuggestion: String? { suggestion }
  /// There is no book of help to open.
  public var helpAnchor: String? { nil }
}
