/// A report of a run: the checked rules, the failures, and the skipped rules.
public struct ConformanceReport: Hashable, Sendable {
  /// The name of the rule that is violated if a feature that is declared as unsupported is answered incorrectly.
  public static let declarationRule = "requests declared as unsupported are refused, not answered wrongly"

  /// The subject of the checks, such as "a repository of Specimen".
  public let subject: String
  /// The number of rules, including the skipped ones.
  public internal(set) var ruleCount = 0
  /// The violated rules.
  public internal(set) var failedRules: [FailedRule] = []
  /// The rules that were not checked, or only partly.
  public internal(set) var skippedRules: [SkippedRule] = []
  /// Further remarks on the run, such as the gaps of the samples.
  public internal(set) var notes: [String] = []

  init(subject: String) {
    self.subject = subject
  }
}

extension ConformanceReport: CustomStringConvertible {
  /// Each violated rule in plain words with the questions that show it, the expected and the actual result; then the skipped
  /// rules with the reasons, and the notes.
  public var description: String {
    let rules = "\(ruleCount) rule\(ruleCount == 1 ? "" : "s")"
    let heading =
      failedRules.isEmpty
      ? "\(subject) breaks none of \(rules)" : "\(subject) breaks \(failedRules.count) of \(rules)"
    var parts = [heading] + failedRules.map(\.description)
    if !skippedRules.isEmpty {
      parts.append((["skipped:"] + skippedRules.map { "  \($0)" }).joined(separator: "\n"))
    }
    if !notes.isEmpty { parts.append((["notes:"] + notes.map { "  \($0)" }).joined(separator: "\n")) }
    return parts.joined(separator: "\n\n")
  }
}

/// An error for a repository or a store that violates rules of the contract.
public struct ConformanceError: Error, Hashable, Sendable {
  /// The report; at least one rule is violated.
  public let report: ConformanceReport

  /// The subject of the checks, such as "a repository of Specimen".
  public var subject: String { report.subject }
  /// The number of rules that were checked.
  public var ruleCount: Int { report.ruleCount }
  /// The violated rules; at least one.
  public var failedRules: [FailedRule] { report.failedRules }
}

extension ConformanceError: CustomStringConvertible {
  /// Each violated rule in plain words with the questions that show it, the expected and the actual result.
  public var description: String { report.description }
}

/// A rule that a repository violates, with the failures.
public struct FailedRule: Hashable, Sendable {
  /// The rule in plain words.
  public let name: String
  /// The deviations from the rule; at least one.
  public let failures: [CheckFailure]
}

extension FailedRule: CustomStringConvertible {
  /// The rule, and below it the first failures, indented.
  public var description: String {
    let shown = 5
    var lines = [name] + failures.prefix(shown).map(\.description)
    if failures.count > shown { lines.append("  … and \(failures.count - shown) more") }
    return lines.joined(separator: "\n")
  }
}

/// A rule that was not checked, or only partly, with the reason.
public struct SkippedRule: Hashable, Sendable {
  /// The rule in plain words.
  public let name: String
  /// The features that the rule needs and the repository declares as unsupported; empty if the samples are not sufficient.
  public let features: [RepositoryFeature]
  /// Whether some of the rule's questions were asked and answered nevertheless.
  public let isPartial: Bool
}

extension SkippedRule: CustomStringConvertible {
  /// The rule and the reason, in one line.
  public var description: String {
    if features.isEmpty { return "\(name): the samples give nothing to ask" }
    return "\(name)\(isPartial ? ", in part" : ""): needs \(features.map(\.name).joined(separator: ", "))"
  }
}

/// A question to a repository with an unexpected answer.
public struct CheckFailure: Hashable, Sendable {
  /// The question or operation, such as "where age != 4", shortened.
  public let question: String
  /// The expected result, such as the keys of the elements "2, 3".
  public let expected: String
  /// The actual result.
  public let found: String
}

extension CheckFailure: CustomStringConvertible {
  /// The question, and below it the expected and the actual result, indented.
  public var description: String { "  \(question)\n    expected: \(expected)\n    found:    \(found)" }
}

/// The outcome of one rule.
struct RuleOutcome {
  /// The deviations from the rule.
  var failures: [CheckFailure] = []
  /// The incorrect answers that need a feature that is declared as unsupported.
  var broken: [CheckFailure] = []
  /// The declared features because of which questions were refused.
  var skipped: Set<RepositoryFeature> = []
  /// The number of refused questions.
  var skippedCount = 0
  /// The total number of questions.
  var questionCount = 0
}

/// A checklist that checks rules one by one and collects the outcomes.
struct Checklist {
  private(set) var report: ConformanceReport
  private let unsupported: Set<RepositoryFeature>
  private var refused: Set<RepositoryFeature> = []
  private var brokenDeclarations: [CheckFailure] = []

  init(subject: String, unsupported: Set<RepositoryFeature>) {
    report = ConformanceReport(subject: subject)
    self.unsupported = unsupported
  }

  /// Adds a remark on the run.
  mutating func note(_ text: String) {
    report.notes.append(text)
  }

  /// Checks a rule once, or over several sets of samples until it fails.
  ///
  /// - Parameters:
  ///   - rules: the rule, once for each set.
  ///   - makeSubject: makes the subject, fresh and empty, observed by a declaration.
  mutating func check<Subject>(
    _ rules: [ConformanceRule<Subject>], _ makeSubject: (Declaration) async throws -> Subject
  ) async rethrows {
    guard let name = rules.first?.name else { return }
    report.ruleCount += 1
    var outcome = RuleOutcome()
    for rule in rules {
      let lacking = rule.features.intersection(unsupported)
      if !lacking.isEmpty {
        outcome.skipped.formUnion(lacking)
        continue
      }
      let declaration = Declaration(unsupported)
      let found = await rule.outcome(of: try await makeSubject(declaration), declaration: declaration)
      refused.formUnion(declaration.refused)
      outcome.add(found)
      if !found.failures.isEmpty || !found.broken.isEmpty { break }
    }
    brokenDeclarations += outcome.broken
    if !outcome.failures.isEmpty {
      report.failedRules.append(FailedRule(name: name, failures: outcome.failures))
    } else if !outcome.skipped.isEmpty || outcome.questionCount == 0 {
      report.skippedRules.append(
        SkippedRule(
          name: name, features: outcome.skipped.sorted { $0.name < $1.name },
          isPartial: outcome.questionCount > outcome.skippedCount))
    }
  }

  /// Finishes the report.
  ///
  /// - Throws: ``ConformanceError`` if a rule is violated.
  consuming func finish() throws(ConformanceError) -> ConformanceReport {
    if !unsupported.isEmpty {
      report.ruleCount += 1
      if !brokenDeclarations.isEmpty {
        report.failedRules.append(
          FailedRule(name: ConformanceReport.declarationRule, failures: brokenDeclarations))
      }
      for feature in unsupported.sorted(by: { $0.name < $1.name })
      where feature.canBeRefused && !refused.contains(feature) && brokenDeclarations.isEmpty {
        report.notes.append(
          "\(feature.name) is declared as unsupported, but the repository refused no question that needs this feature")
      }
    }
    if !report.failedRules.isEmpty { throw ConformanceError(report: report) }
    return report
  }
}

extension RuleOutcome {
  mutating func add(_ other: RuleOutcome) {
    failures += other.failures
    broken += other.broken
    skipped.formUnion(other.skipped)
    skippedCount += other.skippedCount
    questionCount += other.questionCount
  }
}
