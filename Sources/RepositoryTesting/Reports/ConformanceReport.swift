/// What was checked, what was found broken, and what was left out.
public struct ConformanceReport: Hashable, Sendable {
  /// The rule that is broken where something that is declared as unsupported is answered wrongly.
  public static let declarationRule = "what is declared as unsupported is refused, not answered wrongly"

  /// What was checked, such as "a repository of Specimen".
  public let subject: String
  /// How many rules there are, those that were left out included.
  public internal(set) var ruleCount = 0
  /// The rules that are broken.
  public internal(set) var brokenRules: [BrokenRule] = []
  /// The rules that were not checked, or not in full.
  public internal(set) var leftOutRules: [LeftOutRule] = []
  /// What else whoever runs the suite should know, such as what the samples can't show.
  public internal(set) var notes: [String] = []

  init(subject: String) {
    self.subject = subject
  }
}

extension ConformanceReport: CustomStringConvertible {
  /// Each broken rule in plain words with the questions that show it, what was expected and what was found; then what was
  /// left out and why, and the notes.
  public var description: String {
    let rules = "\(ruleCount) rule\(ruleCount == 1 ? "" : "s")"
    let heading =
      brokenRules.isEmpty
      ? "\(subject) breaks none of \(rules)" : "\(subject) breaks \(brokenRules.count) of \(rules)"
    var parts = [heading] + brokenRules.map(\.description)
    if !leftOutRules.isEmpty {
      parts.append((["left out:"] + leftOutRules.map { "  \($0)" }).joined(separator: "\n"))
    }
    if !notes.isEmpty { parts.append((["notes:"] + notes.map { "  \($0)" }).joined(separator: "\n")) }
    return parts.joined(separator: "\n\n")
  }
}
