/// Why a repository did not do what it was asked.
///
/// One type for every store, so that code that finds and saves knows nothing of the store behind. Bound values are never
/// part of it: it may be logged.
public struct RepositoryError: Error, Sendable {
  /// What went wrong.
  public let code: Code
  /// What happened, in one sentence.
  public let summary: String
  /// Why, where there is more to say.
  public let reason: String?
  /// What to do about it, where that is known.
  public let suggestion: String?
  /// The SQL that failed, without its values.
  public let sql: String?
  /// The store's own number for the error, such as SQLite's extended result code.
  public let storeCode: Int?
  /// The error that led to this one.
  public let underlying: (any Error)?

  /// Makes an error, for repositories of your own.
  ///
  /// Where neither a reason nor a suggestion is given, the error has those that are true of every error of its code.
  public init(
    _ code: Code, _ summary: String, reason: String? = nil, suggestion: String? = nil, sql: String? = nil,
    storeCode: Int? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.summary = summary
    // What is true of every error of the code would only be in the way of what is known of this one.
    let advice = reason == nil && suggestion == nil ? code.advice : nil
    self.reason = reason ?? advice?.reason
    self.suggestion = suggestion ?? advice?.suggestion
    self.sql = sql
    self.storeCode = storeCode
    self.underlying = underlying
  }
}

extension RepositoryError: CustomStringConvertible {
  /// The summary, the reason and the suggestion in one line.
  public var description: String { [summary, reason, suggestion].compactMap(\.self).joined(separator: "; ") }
}
