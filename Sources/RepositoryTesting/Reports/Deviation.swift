/// One question to a repository that it answered otherwise than it has to.
public struct Deviation: Hashable, Sendable {
  /// What was asked or done, such as "where age != 4", shortened.
  public let question: String
  /// What should have come of it, such as the keys of the elements "2, 3".
  public let expected: String
  /// What came of it.
  public let found: String
}

extension Deviation: CustomStringConvertible {
  /// The question, and below it what was expected and found, indented.
  public var description: String { "  \(question)\n    expected: \(expected)\n    found:    \(found)" }
}
