/// A repository or a store that breaks rules of the contract.
public struct ConformanceError: Error, Hashable, Sendable {
  /// All that was found; at least one rule is broken.
  public let report: ConformanceReport

  /// What was checked, such as "a repository of Specimen".
  public var subject: String { report.subject }
  /// How many rules were checked.
  public var ruleCount: Int { report.ruleCount }
  /// The rules that are broken; at least one.
  public var brokenRules: [BrokenRule] { report.brokenRules }
}

extension ConformanceError: CustomStringConvertible {
  /// Each broken rule in plain words with the questions that show it, what was expected and what was found.
  public var description: String { report.description }
}
