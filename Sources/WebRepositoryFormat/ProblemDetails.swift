#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Query
public import Repository

/// The encoding of errors: problem details (RFC 9457) with the members `code`, `reason` and `suggestion`.
///
/// A service writes an error with the status of the error's code, and a client reads it again; from a proxy, which writes no
/// such details, the status alone tells the code.
package enum ProblemDetails {
  /// Returns the status of an error code.
  package static func status(of code: RepositoryError.Code) -> Int {
    switch code {
    case .invalidQuery: 400
    case .unauthenticated: 401
    case .forbidden, .readOnly: 403
    case .notFound: 404
    case .conflict, .restrictViolation: 409
    case .changedMeanwhile: 412
    case .tooBig: 413
    case .invalidValue, .constraint, .foreignKeyViolation, .overflow, .notANumber, .unsupported: 422
    case .busy, .unreachable, .timeout, .cancelled: 503
    default: 500
    }
  }

  /// Returns the code of a status without problem details, as from a proxy.
  package static func code(of status: Int) -> RepositoryError.Code {
    switch status {
    case 400, 414, 431: .invalidQuery
    case 401, 407: .unauthenticated
    case 403: .forbidden
    case 404, 410: .missingTable
    case 405, 406, 411, 415, 501, 505: .unsupported
    case 408, 504: .timeout
    case 409: .conflict
    case 412, 428: .changedMeanwhile
    case 413: .tooBig
    case 422: .invalidValue
    case 429: .busy
    case 502, 503: .unreachable
    default: .storeFailure
    }
  }

  /// Writes an error.
  package static func json(_ error: RepositoryError, status: Int) -> [UInt8] {
    var fields: [String: JSONValue] = [
      "type": "about:blank", "title": JSONValue(.text(title(of: status))), "status": JSONValue(.integer(Int64(status))),
      "detail": JSONValue(.text(error.summary)), "code": JSONValue(.text(error.code.rawValue)),
    ]
    if let reason = error.reason { fields["reason"] = JSONValue(.text(reason)) }
    if let suggestion = error.suggestion { fields["suggestion"] = JSONValue(.text(suggestion)) }
    if let query = error.underlying as? QueryError { fields["cause"] = JSONValue(.text(query.code.rawValue)) }
    return Array(JSONValue(.object(fields)).description.utf8)
  }

  /// Reads the error of an unsuccessful response.
  ///
  /// - Parameters:
  ///   - body: the body, or its beginning.
  ///   - isProblem: whether the body's media type is that of problem details.
  package static func error(status: Int, body: [UInt8], isProblem: Bool) -> RepositoryError {
    let fields: [String: JSONValue]
    if isProblem, let text = String(validating: body, as: UTF8.self), let value = try? JSONValue(parsing: text),
      case .object(let found) = value.form
    {
      fields = found
    } else {
      fields = [:]
    }
    func text(_ name: String) -> String? { if case .text(let text)? = fields[name]?.form { text } else { nil } }
    guard let detail = text("detail"), let code = text("code").map(RepositoryError.Code.init(rawValue:)) else {
      let title = text("title") ?? Self.title(of: status)
      return RepositoryError(
        Self.code(of: status), "the server answered with the status \(status) (\(title))",
        reason: "the answer comes from a proxy or another server, not from a repository service",
        suggestion: "check the URL, and the proxies before the service", storeCode: status)
    }
    let (reason, suggestion) = (text("reason"), text("suggestion"))
    let cause = text("cause").map {
      QueryError(QueryError.Code(rawValue: $0), detail, reason: reason, suggestion: suggestion)
    }
    return RepositoryError(
      code, detail, reason: reason, suggestion: suggestion, storeCode: status, underlying: cause)
  }

  private static func title(of status: Int) -> String {
    let titles = [
      400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
      406: "Not Acceptable", 409: "Conflict", 412: "Precondition Failed", 413: "Content Too Large",
      414: "URI Too Long",
      415: "Unsupported Media Type", 422: "Unprocessable Content", 500: "Internal Server Error",
      502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
    ]
    return titles[status] ?? "HTTP \(status)"
  }
}

// Codes that only occur over HTTP.
extension RepositoryError.Code {
  /// The code of the error for a request of a client that is not authenticated.
  public static let unauthenticated = RepositoryError.Code(rawValue: "unauthenticated")
  /// The code of the error for a request for which the client has no permission.
  public static let forbidden = RepositoryError.Code(rawValue: "forbidden")
  /// The code of the error for a change of an element that no longer has the expected version.
  public static let changedMeanwhile = RepositoryError.Code(rawValue: "changedMeanwhile")
}
