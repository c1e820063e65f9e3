import Foundation
import Repository

/// The wait that a server asks for before a request is sent again: the field `Retry-After` (RFC 9110, section 10.2.3).
///
/// It is the underlying error of the error of an unsuccessful answer.
struct RetryAfter: LocalizedError, Equatable {
  let wait: Duration

  var errorDescription: String? { "the server asks for a wait of \(wait.components.seconds) seconds" }

  /// Reads the field; `nil` if it is absent, or neither a number of seconds nor a date.
  ///
  /// A date is compared with the `Date` of the answer, since the clocks of a server and a client differ.
  init?(_ headers: WebHeaders) {
    guard let text = headers["Retry-After"]?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      // A longer wait is one that no request is kept for, as this one is.
      wait = .seconds(Int32(text) ?? .max)
    } else {
      guard let date = Self.date(text) else { return nil }
      let now = headers["Date"].flatMap(Self.date) ?? Date()
      wait = .seconds(min(max(date.timeIntervalSince(now), 0), Double(Int32.max)))
    }
  }

  /// Reads a date in any of the formats that a recipient has to accept (RFC 9110, section 5.6.7).
  private static func date(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.isLenient = false
    for format in ["EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy"] {
      formatter.dateFormat = format
      if let date = formatter.date(from: text) { return date }
    }
    return nil
  }
}

extension RepositoryError {
  /// Returns the error of an unsuccessful answer with the wait that the server asks for.
  ///
  /// - Parameter timeout: the longest wait; the error tells a longer one.
  func asking(for retry: RetryAfter?, atMost timeout: Duration) -> RepositoryError {
    guard let retry, isPassing, underlying == nil else { return self }
    let isLonger = retry.wait > timeout
    return RepositoryError(
      code, details.summary,
      reason: isLonger ? "the server asks for a wait longer than the timeout" : details.reason,
      suggestion: isLonger ? "try again in \(retry.wait.components.seconds) seconds" : details.suggestion,
      storeCode: storeCode, underlying: retry)
  }

  /// Whether the same request may succeed later. 429 is Too Many Requests (RFC 6585), whatever the code of its problem details.
  private var isPassing: Bool { [.unreachable, .timeout, .busy].contains(code) || storeCode == 429 }

  /// Returns the wait before a request with this error is sent again; `nil` if that is of no use, or would take too long.
  func retryWait(backoff: Duration, atMost timeout: Duration) -> Duration? {
    guard isPassing else { return nil }
    guard let asked = (underlying as? RetryAfter)?.wait else { return backoff }
    // In addition, since clients that are refused together are asked for the same wait.
    return asked > timeout ? nil : asked + backoff
  }
}
