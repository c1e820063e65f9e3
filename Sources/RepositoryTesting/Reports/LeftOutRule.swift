/// A rule that was not checked, or not in full, and why.
public struct LeftOutRule: Hashable, Sendable {
  /// The rule in plain words.
  public let name: String
  /// What the rule needs and the repository declares that it does not support; empty where the samples give nothing to
  /// ask.
  public let features: [RepositoryFeature]
  /// Whether some of the rule's questions were asked and answered all the same.
  public let isPartial: Bool
}

extension LeftOutRule: CustomStringConvertible {
  /// The rule and the reason, in one line.
  public var description: String {
    if features.isEmpty { return "\(name): the samples give nothing to ask" }
    return "\(name)\(isPartial ? ", in part" : ""): needs \(features.map(\.name).joined(separator: ", "))"
  }
}
