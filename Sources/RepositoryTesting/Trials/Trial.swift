import Query
import Repository

/// A rule while it is checked: the repository or store in question, and what was found wrong with it so far.
final class Trial<Subject: Sendable> {
  let subject: Subject
  private(set) var deviations: [Deviation] = []

  init(_ subject: Subject) {
    self.subject = subject
  }

  /// Notes something that is otherwise than it has to be.
  func record(_ question: String, expected: String, found: String) {
    deviations.append(
      Deviation(question: Self.shorten(question), expected: Self.shorten(expected), found: Self.shorten(found)))
  }

  /// Expects a value.
  ///
  /// - Parameters:
  ///   - question: what is asked or done, for whoever reads that the rule is broken.
  ///   - expected: what has to come of it.
  ///   - found: asks or does it.
  func expect<Answer: Equatable>(
    _ question: String, _ expected: Answer, _ found: () async throws -> Answer
  ) async {
    do {
      let found = try await found()
      if found != expected { record(question, expected: "\(expected)", found: "\(found)") }
    } catch {
      record(question, expected: "\(expected)", found: Self.describe(error))
    }
  }

  /// Expects an error with a code.
  ///
  /// - Parameters:
  ///   - name: what the error's summary has to mention, if anything.
  ///   - suggestion: what the error's suggestion has to mention, if anything.
  ///   - secret: what the error must not mention anywhere, if anything: bound values have no place in it.
  func expect(
    _ question: String, throws code: RepositoryError.Code, naming name: String? = nil,
    suggesting suggestion: String? = nil, withoutTelling secret: String? = nil, _ body: () async throws -> some Any
  ) async {
    let expected = "the error \(code.rawValue)" + (suggestion.map { ", which suggests \($0)" } ?? "")
    do {
      let answer = try await body()
      record(question, expected: expected, found: answer is Void ? "no error" : "\(answer)")
    } catch let error as RepositoryError {
      if error.code != code {
        record(question, expected: expected, found: Self.describe(error))
      } else if let name, !error.summary.contains(name) {
        record(question, expected: "an error that names \(name)", found: Self.describe(error))
      } else if let suggestion, error.suggestion?.contains(suggestion) != true {
        record(question, expected: expected, found: "the suggestion \(error.suggestion ?? "is missing")")
      } else if let secret, "\(error) \(error.sql ?? "")".contains(secret) {
        record(question, expected: "an error without the values", found: Self.describe(error))
      }
    } catch {
      record(question, expected: expected, found: Self.describe(error))
    }
  }

  /// An error with its code, in one line.
  static func describe(_ error: any Error) -> String {
    guard let error = error as? RepositoryError else { return "the error \(type(of: error)): \(error)" }
    return "the error \(error.code.rawValue): \(error)"
  }

  /// Keeps a report readable that tells of a query with a hundred thousand values.
  private static func shorten(_ text: String) -> String {
    let longest = 200
    return text.count > longest ? "\(text.prefix(longest))… (\(text.utf8.count) bytes)" : text
  }
}
