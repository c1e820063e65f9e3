import Query
import Repository

/// A refused request: the error for the client, and its status.
struct Refusal: Error {
  var error: RepositoryError
  var status: Int
  var headers: WebHeaders

  init(_ error: RepositoryError, status: Int? = nil, headers: WebHeaders = [:]) {
    self.error = error
    self.status = status ?? ProblemDetails.status(of: error.code)
    self.headers = headers
  }

  init(
    _ status: Int, _ code: RepositoryError.Code, _ summary: String, reason: String? = nil, suggestion: String? = nil,
    headers: WebHeaders = [:]
  ) {
    self.init(
      RepositoryError(code, summary, reason: reason, suggestion: suggestion), status: status, headers: headers)
  }

  /// Makes the refusal of a request with invalid JSON.
  ///
  /// The place of the error is shortened: within nested arrays it is as long as the request.
  init(_ error: JSONCodingError) {
    let reason = error.reason.map { $0.utf8.count > 400 ? String($0.prefix(200)) + "…" : $0 }
    self.init(
      RepositoryError(
        QueryError(
          .invalidValue, error.summary, reason: reason ?? "can't read the request",
          suggestion: error.suggestion ?? "correct the request at this place")), status: 400)
  }

  /// The answer that tells the client, with problem details.
  var response: WebResponse {
    var response = WebResponse(status, headers: headers)
    response.headers["Content-Type"] = MediaType.problem
    response.body = WebBody(ProblemDetails.json(error, status: status))
    return response
  }

  static func tooLarge(_ limit: Int) -> Refusal {
    Refusal(
      413, .tooBig, "the body is too large", reason: "the body can have \(limit) bytes",
      suggestion: "send smaller parts")
  }
}

extension RouteHandler {
  /// Returns the refusal for an error of the repository: with details that the client can act on, and no name that it does
  /// not see.
  func refusal(_ failure: RepositoryError) -> Refusal {
    let error = shown(failure)
    switch error.code {
    case .invalidQuery:
      let known: [QueryError.Code] = [
        .kindMismatch, .invalidValue, .tooComplex, .unsupported, .negativeRange, .invalidAggregate, .invalidProjection,
        .invalidCursor, .invalidAssignment, .invalidConflictRule,
      ]
      // The request was already resolved against the visible table, so other errors concern something that is not visible.
      guard let cause = error.underlying as? QueryError, known.contains(cause.code), !mentionsHidden(error) else {
        return Refusal(RepositoryError(.invalidQuery, "the query is not allowed here"))
      }
      return Refusal(RepositoryError(cause))
    case .foreignKeyViolation where mentionsHidden(error) || isOfHiddenReference(error):
      return Refusal(
        RepositoryError(.foreignKeyViolation, "an element of \(name) refers to an element that does not exist"))
    case .invalidValue, .conflict, .constraint, .foreignKeyViolation, .overflow, .notANumber, .tooBig, .unsupported,
      .notFound, .forbidden, .changedMeanwhile:
      if mentionsHidden(error) {
        return Refusal(RepositoryError(error.code, "a rule of the server does not allow the change"))
      }
      return Refusal(
        RepositoryError(error.code, error.summary, reason: error.reason, suggestion: error.suggestion))
    case .restrictViolation:
      // The message names the referring table, which may not be visible.
      let isShown = related.values.contains { other in
        other.references.contains { RepositoryError.restrictViolation(by: $0, in: other.name).summary == error.summary }
      }
      if isShown { return Refusal(RepositoryError(.restrictViolation, error.summary, suggestion: error.suggestion)) }
      return Refusal(
        RepositoryError(
          .restrictViolation, "can't delete an element of \(name), because other elements refer to the element"))
    case .readOnly: return Refusal(RepositoryError(.readOnly, "can't write \(name) at the moment"))
    case .unreadableRow:
      return Refusal(
        RepositoryError(
          .unreadableRow, "can't read an element of \(name)", reason: "the stored values do not fit"))
    case .timeout:
      return Refusal(
        RepositoryError(
          .timeout, "the server did not finish in time", reason: "it is unknown whether the change happened",
          suggestion: "check the data before you repeat the change"))
    case .busy, .unreachable, .cancelled:
      let code: RepositoryError.Code = error.code == .cancelled ? .unreachable : error.code
      return Refusal(
        RepositoryError(code, "the server is busy", suggestion: "try again in a moment"),
        headers: ["Retry-After": "1"])
    default:
      return Refusal(
        RepositoryError(
          .storeFailure, "the server failed", reason: "the server has an internal problem",
          suggestion: "try again later, or contact the operator"))
    }
  }

  /// Returns an error of the repository with the names of routes instead of tables, as for clients.
  private func shown(_ error: RepositoryError) -> RepositoryError {
    var cause = error.underlying
    if let query = cause as? QueryError {
      cause = QueryError(
        query.code, names.shown(query.summary), reason: query.reason.map(names.shown),
        suggestion: query.suggestion.map(names.shown))
    }
    return RepositoryError(
      error.code, names.shown(error.summary), reason: error.reason.map(names.shown),
      suggestion: error.suggestion.map(names.shown), underlying: cause)
  }

  /// Returns whether an error is about a deferred reference that no route shows, such as a hidden column of another table.
  private func isOfHiddenReference(_ error: RepositoryError) -> Bool {
    guard error.reason == RepositoryError.deferredReferenceReason else { return false }
    return !([visible] + related.values).contains { table in
      table.references.contains {
        RepositoryError.foreignKeyViolationAtEnd($0, in: table.name).summary == error.summary
      }
    }
  }

  /// Returns whether an error names a hidden column, or a table.
  private func mentionsHidden(_ error: RepositoryError) -> Bool {
    let text = [error.summary, error.reason, error.suggestion].compactMap(\.self).joined(separator: " ").lowercased()
    return hiddenColumns.contains(where: text.contains) || names.isHiddenNamed(in: text)
  }
}
