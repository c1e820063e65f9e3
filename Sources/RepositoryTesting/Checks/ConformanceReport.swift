/// What was checked, what was found broken, and what was left out.
public struct ConformanceReport: Hashable, Sendable {
  /// The rule that is broken where something that is declared as unsupported is answered wrongly.
  public static let declarationRule = "what is declared as unsupported is refused, not answered wrongly"

  /// What was checked, such as "a repository of Specimen".
  public let subject: String
  /// The number of rules, those that were left out included.
  public internal(set) var ruleCount = 0
  /// The rules that are broken.
  public internal(set) var failedRules: [FailedRule] = []
  /// The rules that were not checked, or not in full.
  public internal(set) var skippedRules: [SkippedRule] = []
  /// Further remarks on the run, such as what the samples can't show.
  public internal(set) var notes: [String] = []

  init(subject: String) {
    self.subject = subject
  }
}

extension ConformanceReport: CustomStringConvertible {
  /// Each broken rule in plain words with the questions that show it, what was expected and what was found; then what
  /// was left out and why, and the notes.
  public var description: String {
    let rules = "\(ruleCount) rule\(ruleCount == 1 ? "" : "s")"
    let heading =
      failedRules.isEmpty
      ? "\(subject) breaks none of \(rules)" : "\(subject) breaks \(failedRules.count) of \(rules)"
    var parts = [heading] + failedRules.map(\.description)
    if !skippedRules.isEmpty {
      parts.append((["left out:"] + skippedRules.map { "  \($0)" }).joined(separator: "\n"))
    }
    if !notes.isEmpty { parts.append((["notes:"] + notes.map { "  \($0)" }).joined(separator: "\n")) }
    return parts.joined(separator: "\n\n")
  }
}

/// A repository or a store that breaks rules of the contract.
public struct ConformanceError: Error, Hashable, Sendable {
  /// All that was found; at least one rule is broken.
  public let report: ConformanceReport

  /// What was checked, such as "a repository of Specimen".
  public var subject: String { report.subject }
  /// The number of rules that were checked.
  public var ruleCount: Int { report.ruleCount }
  /// The rules that are broken; at least one.
  public var failedRules: [FailedRule] { report.failedRules }
}

extension ConformanceError: CustomStringConvertible {
  /// Each broken rule in plain words with the questions that show it, what was expected and what was found.
  public var description: String { report.description }
}

/// A rule that a repository does not keep, and what shows it.
public struct FailedRule: Hashable, Sendable {
  /// The rule in plain words.
  public let name: String
  /// What was found to be otherwise than it has to be; at least one.
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

/// A rule that was not checked, or not in full, and why.
public struct SkippedRule: Hashable, Sendable {
  /// The rule in plain words.
  public let name: String
  /// What the rule needs and the repository declares that it does not support; empty where the samples give nothing to
  /// ask.
  public let features: [RepositoryFeature]
  /// Whether some of the rule's questions were asked and answered all the same.
  public let isPartial: Bool
}

extension SkippedRule: CustomStringConvertible {
  /// The rule and the reason, in one line.
  public var description: String {
    if features.isEmpty { return "\(name): the samples give nothing to ask" }
    return "\(name)\(isPartial ? ", in part" : ""): needs \(features.map(\.name).joined(separator: ", "))"
  }
}

/// One question to a repository that it answered otherwise than it has to.
public struct CheckFailure: Hashable, Sendable {
  /// What was asked or done, such as "where age != 4", shortened.
  public let question: String
  /// What should have come of it, such as the keys of the elements "2, 3".
  public let expected: String
  /// What came of it.
  public let found: String
}

extension CheckFailure: CustomStringConvertible {
  /// The question, and below it what was expected and found, indented.
  public var description: String { "  \(question)\n    expected: \(expected)\n    found:    \(found)" }
}

/// What became of one rule.
struct RuleOutcome {
  /// What is otherwise than it has to be.
  var failures: [CheckFailure] = []
  /// What was answered wrongly although it is declared as unsupported.
  var broken: [CheckFailure] = []
  /// The declared features whose lack made questions be refused.
  var skipped: Set<RepositoryFeature> = []
  /// The number of questions that were refused so.
  var skippedCount = 0
  /// The number of questions in all.
  var questionCount = 0
}

/// Checks rules one by one and keeps what was found.
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

  /// Checks a rule once, or over several sets of samples until it is found broken.
  ///
  /// - Parameters:
  ///   - rules: the rule, once for each set.
  ///   - makeSubject: makes what is checked, fresh and empty, watched by a declaration.
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
  /// - Throws: ``ConformanceError`` where a rule is broken.
  consuming func finish() throws(ConformanceError) -> ConformanceReport {
    if !unsupported.isEmpty {
      report.ruleCount += 1
      if !brokenDeclarations.isEmpty {
        report.failedRules.append(
          FailedRule(name: ConformanceReport.declarationRule, failures: brokenDeclarations))
      }
      for feature in unsupported.sorted(by: { $0.name < $1.name })
      where feature.canBeRefused && !refused.contains(feature) && brokenDeclarations.isEmpty {
        report.notes.append("\(feature.name) is declared as unsupported, but no question that needs it was refused")
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
