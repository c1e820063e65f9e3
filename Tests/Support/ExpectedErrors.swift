package import ErrorDetails
package import Query
package import Repository
package import Testing

/// An error with a code and texts.
package protocol CodedError: FriendlyError {
  associatedtype Code: Equatable & Sendable
  var code: Code { get }
}

extension QueryError: CodedError {}
extension RepositoryError: CodedError {}

/// Checks that a call throws an error with a code and with some texts; a failure says how the error differs.
///
/// - Parameters:
///   - words: a part of the error's description.
///   - summary: the whole summary, as `reason` and `suggestion` are whole texts.
///   - comment: the name of the case, for a call in a loop.
///
/// An `#expect` for the error and others for its properties cost the compiler several times as much.
package func expectError<Failure: CodedError, Result>(
  _ code: Failure.Code? = nil, _ words: String = "", of type: Failure.Type = RepositoryError.self,
  summary: String? = nil,
  reason: String? = nil, suggestion: String? = nil, comment: String? = nil,
  isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  from call: () async throws -> Result
) async {
  let expected = ExpectedError<Failure>(code, words, [summary, reason, suggestion], comment, sourceLocation)
  do { expected.record("no error, but \(try await call())") } catch { expected.check(error) }
}

/// Checks the error of a call that does not wait.
package func expectError<Failure: CodedError, Result>(
  _ code: Failure.Code? = nil, _ words: String = "", of type: Failure.Type = RepositoryError.self,
  summary: String? = nil,
  reason: String? = nil, suggestion: String? = nil, comment: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, from call: () throws -> Result
) {
  let expected = ExpectedError<Failure>(code, words, [summary, reason, suggestion], comment, sourceLocation)
  do { expected.record("no error, but \(try call())") } catch { expected.check(error) }
}

/// An error as a test expects it; `nil` for a code or a text that the test leaves open.
private struct ExpectedError<Failure: CodedError> {
  let code: Failure.Code?
  let words: String
  let texts: [String?]
  let comment: String?
  let sourceLocation: SourceLocation

  init(
    _ code: Failure.Code?, _ words: String, _ texts: [String?], _ comment: String?, _ sourceLocation: SourceLocation
  ) {
    (self.code, self.words, self.texts) = (code, words, texts)
    (self.comment, self.sourceLocation) = (comment, sourceLocation)
  }

  func check(_ error: any Error) {
    guard let failure = error as? Failure else { return record("\(type(of: error)) \(error)") }
    let found = [failure.summary, failure.reason, failure.suggestion]
    let isExpected = zip(texts, found).allSatisfy { $0 == nil || $0 == $1 }
    if let code, failure.code != code { record("the code \(failure.code) of \(failure)") }
    if !isExpected { record("the texts \(found.compactMap(\.self))") }
    if !words.isEmpty, !"\(failure)".contains(words) { record("no '\(words)' in \(failure)") }
  }

  func record(_ found: String) {
    let expected = "\(Failure.self) \(code.map { "\($0)" } ?? "of any code") with the texts \(texts.compactMap(\.self))"
    Issue.record(
      "\(comment.map { "\($0): " } ?? "")expected \(expected), found \(found)", sourceLocation: sourceLocation)
  }
}
