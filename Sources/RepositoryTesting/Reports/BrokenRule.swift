/// A rule that a repository does not keep, and what shows it.
public struct BrokenRule: Hashable, Sendable {
  /// The rule in plain words.
  public let name: String
  /// What was found to be otherwise than it has to be; at least one.
  public let deviations: [Deviation]
}

extension BrokenRule: CustomStringConvertible {
  /// The rule, and below it the first deviations, indented.
  public var description: String {
    let shown = 5
    var lines = [name] + deviations.prefix(shown).map(\.description)
    if deviations.count > shown { lines.append("  … and \(deviations.count - shown) more") }
    return lines.joined(separator: "\n")
  }
}
