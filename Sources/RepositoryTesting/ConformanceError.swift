/// A repository or a store that breaks rules of the contract.
public struct ConformanceError: Error, Hashable, Sendable {
  /// What was checked, such as "a repository of Specimen".
  public let subject: String
  /// How many rules were checked.
  public let ruleCount: Int
  /// The rules that are broken; at least one.
  public let brokenRules: [BrokenRule]
}

extension ConformanceError: CustomStringConvertible {
  /// Each broken rule in plain words with the questions that show it, what was expected and what was found.
  public var description: String {
    let heading = "\(subject) breaks \(brokenRules.count) of \(ruleCount) rules"
    return ([heading] + brokenRules.map(\.description)).joined(separator: "\n\n")
  }
}
