import Query
public import Repository

/// A model of the suite, with the rules that every repository of it has to obey.
public protocol ConformanceModel: Entity {
  /// The rules, each of which needs an empty repository.
  static var rules: [ConformanceRule<AnyRepository<Self>>] { get }
}

/// A rule of the contract, which a repository or a store either obeys or violates.
public struct ConformanceRule<Subject: Sendable>: Sendable {
  /// The rule in plain words: "`!=` holds for rows whose value is null".
  public let name: String
  /// The features that the rule needs beyond those of its requests.
  let features: Set<RepositoryFeature>
  private let check: @Sendable (CheckContext<Subject>) async throws -> Void

  init(
    _ name: String, needs features: Set<RepositoryFeature> = [],
    check: @escaping @Sendable (CheckContext<Subject>) async throws -> Void
  ) {
    self.name = name
    self.features = features
    self.check = check
  }

  /// Makes a rule that is checked among elements, which are saved first.
  init<Model: ConformanceModel>(
    _ name: String, among elements: [Model], needs features: Set<RepositoryFeature> = [],
    check: @escaping @Sendable (CheckContext<AnyRepository<Model>>) async throws -> Void
  ) where Subject == AnyRepository<Model> {
    self.init(name, needs: features) { context in
      try await context.prepare(elements)
      try await check(context)
    }
  }

  /// Returns the rule with further needed features.
  func needing(_ more: Set<RepositoryFeature>) -> ConformanceRule {
    ConformanceRule(name, needs: features.union(more), check: check)
  }

  /// Checks the rule.
  ///
  /// - Returns: the deviations, and what was skipped.
  func outcome(of subject: Subject, declaration: Declaration) async -> RuleOutcome {
    let context = CheckContext(subject, declaration: declaration)
    do {
      try await check(context)
    } catch {
      context.record("to try the rule", expected: "no error", error: error)
    }
    var outcome = context.outcome
    outcome.broken += declaration.failures
    return outcome
  }
}

/// The context of a rule's check: the repository or store in question, and the failures so far.
final class CheckContext<Subject: Sendable> {
  let subject: Subject
  let declaration: Declaration
  private(set) var outcome = RuleOutcome()

  init(_ subject: Subject, declaration: Declaration) {
    self.subject = subject
    self.declaration = declaration
  }

  /// Checks a repository of the subject; the failures of the repository count for the rule.
  func check<Element: Storable>(
    _ repository: AnyRepository<Element>, _ body: (CheckContext<AnyRepository<Element>>) async throws -> Void
  ) async rethrows {
    let context = CheckContext<AnyRepository<Element>>(repository, declaration: declaration)
    defer { outcome.add(context.outcome) }
    try await body(context)
  }

  /// Begins a question.
  func begin() {
    declaration.begin()
    outcome.questionCount += 1
  }

  /// Records a deviation.
  func record(_ question: String, expected: String, found: String) {
    let features = declaration.answered.sorted { $0.name < $1.name }
    let question = Self.shorten(question)
    let found = Self.shorten(found)
    if features.isEmpty {
      outcome.failures.append(CheckFailure(question: question, expected: Self.shorten(expected), found: found))
    } else {
      let names = features.map(\.name).joined(separator: ", ")
      outcome.broken.append(
        CheckFailure(
          question: "\(question) (needs: \(names))",
          expected: Self.shorten("the error unsupported, or \(expected)"), found: found))
    }
  }

  /// Records an error instead of an answer, or of another error; a refusal of a feature that is declared as unsupported is
  /// not a deviation.
  func record(_ question: String, expected: String, error: any Error) {
    if let skipped = SkippedCheck(error) {
      outcome.skipped.formUnion(skipped.features)
      outcome.skippedCount += 1
    } else {
      record(question, expected: expected, found: Self.describe(error))
    }
  }

  /// Expects a value.
  ///
  /// - Parameters:
  ///   - question: the question or operation, for the report of a violated rule.
  ///   - expected: the expected result.
  ///   - found: runs the operation and returns the actual result.
  func expect<Answer: Equatable>(
    _ question: String, _ expected: Answer, _ found: () async throws -> Answer
  ) async {
    begin()
    do {
      let found = try await found()
      if found != expected { record(question, expected: "\(expected)", found: "\(found)") }
    } catch {
      record(question, expected: "\(expected)", error: error)
    }
  }

  /// Expects an error with a code.
  ///
  /// - Parameters:
  ///   - name: a text that the error's summary has to contain, if any.
  ///   - suggestion: a text that the error's suggestion has to contain, if any.
  ///   - secret: a bound value that the error must not contain, if any.
  func expect(
    _ question: String, throws code: RepositoryError.Code, naming name: String? = nil,
    suggesting suggestion: String? = nil, withoutRevealing secret: String? = nil, _ body: () async throws -> some Any
  ) async {
    begin()
    let expected = "the error \(code.rawValue)" + (suggestion.map { ", which suggests \($0)" } ?? "")
    do {
      let answer = try await body()
      record(question, expected: expected, found: answer is Void ? "no error" : "\(answer)")
    } catch let error as RepositoryError {
      if SkippedCheck(error) != nil {
        record(question, expected: expected, error: error)
      } else if error.code != code {
        record(question, expected: expected, found: Self.describe(error))
      } else if let name, !error.summary.contains(name) {
        record(question, expected: "an error that names \(name)", found: Self.describe(error))
      } else if let suggestion, error.suggestion?.contains(suggestion) != true {
        record(question, expected: expected, found: "the suggestion \(error.suggestion ?? "is missing")")
      } else if let secret, "\(error) \(error.sql ?? "")".contains(secret) {
        record(question, expected: "an error without the values", found: Self.describe(error))
      }
    } catch {
      record(question, expected: expected, error: error)
    }
  }

  /// Expects the aggregates of a repository, each group formatted as its keys and its aggregates: `'plant' 2 0.5`.
  ///
  /// The results are compared as texts: the values 1 and 1.0 are equal, but only one of them is the right key of a group.
  func expect<Element: Storable>(
    _ request: AggregateRequest, of repository: AnyRepository<Element>, _ rows: [String]
  ) async {
    await expect(request.question, rows) { try await repository.aggregate(request).map(\.written) }
  }

  /// Returns an error with its code, in one line.
  static func describe(_ error: any Error) -> String {
    guard let error = error as? RepositoryError else { return "the error \(type(of: error)): \(error)" }
    return "the error \(error.code.rawValue): \(error)"
  }

  /// Shortens a text, such as a query with a hundred thousand values, so that a report remains readable.
  private static func shorten(_ text: String) -> String {
    let longest = 200
    return text.count > longest ? "\(text.prefix(longest))… (\(text.utf8.count) bytes)" : text
  }
}
