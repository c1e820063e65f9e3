/// Checks rules one by one and keeps what was found.
struct Checklist {
  private(set) var report: ConformanceReport
  private let unsupported: Set<RepositoryFeature>
  private var refused: Set<RepositoryFeature> = []
  private var brokenDeclarations: [Deviation] = []

  init(subject: String, unsupported: Set<RepositoryFeature>) {
    report = ConformanceReport(subject: subject)
    self.unsupported = unsupported
  }

  /// Adds something that whoever runs the suite should know.
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
        outcome.leftOut.formUnion(lacking)
        continue
      }
      let declaration = Declaration(unsupported)
      let found = await rule.outcome(of: try await makeSubject(declaration), declaration: declaration)
      refused.formUnion(declaration.refused)
      outcome.add(found)
      if !found.deviations.isEmpty || !found.broken.isEmpty { break }
    }
    brokenDeclarations += outcome.broken
    if !outcome.deviations.isEmpty {
      report.brokenRules.append(BrokenRule(name: name, deviations: outcome.deviations))
    } else if !outcome.leftOut.isEmpty || outcome.questionCount == 0 {
      report.leftOutRules.append(
        LeftOutRule(
          name: name, features: outcome.leftOut.sorted { $0.name < $1.name },
          isPartial: outcome.questionCount > outcome.leftOutCount))
    }
  }

  /// Finishes the report.
  ///
  /// - Throws: ``ConformanceError`` where a rule is broken.
  consuming func finish() throws(ConformanceError) -> ConformanceReport {
    if !unsupported.isEmpty {
      report.ruleCount += 1
      if !brokenDeclarations.isEmpty {
        report.brokenRules.append(
          BrokenRule(name: ConformanceReport.declarationRule, deviations: brokenDeclarations))
      }
      for feature in unsupported.sorted(by: { $0.name < $1.name })
      where feature.canBeRefused && !refused.contains(feature) && brokenDeclarations.isEmpty {
        report.notes.append("\(feature.name) is declared as unsupported, but no question that needs it was refused")
      }
    }
    if !report.brokenRules.isEmpty { throw ConformanceError(report: report) }
    return report
  }
}

extension RuleOutcome {
  fileprivate mutating func add(_ other: RuleOutcome) {
    deviations += other.deviations
    broken += other.broken
    leftOut.formUnion(other.leftOut)
    leftOutCount += other.leftOutCount
    questionCount += other.questionCount
  }
}
