// What Foundation, UIKit and AppKit ask an error for. All of it stands here, so that who conforms need not import Foundation.
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
