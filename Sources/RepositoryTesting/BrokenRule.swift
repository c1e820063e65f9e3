/// A rule that a repository does not keep, and what shows it.
public struct BrokenRule: Hashable, Sendable {
  /// The rule in plain words.
  public let name: String
  /// What was found to be otherwise than it has to be; at least one.
  public let deviations: [Deviation]
}

extension BrokenRule: CustomStringConvertible {
  /// The rule, and below it each deviation, indented.
  public var description: String { ([name] + deviations.map(\.description)).joined(separator: "\n") }
}
