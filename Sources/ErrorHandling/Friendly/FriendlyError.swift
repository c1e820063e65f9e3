#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
/// Any other error has a friendly form, too: ``AnyFriendlyError``. Foundation's `localizedDescription` is the summary,
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
  /// Whether it only says that somebody does not want the result any more: nothing that has to be shown or logged.
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
