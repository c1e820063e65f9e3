/// Samples that can't show all that a repository has to keep.
///
/// It is thrown before anything is checked: a suite that passes because it had nothing to ask would reassure for nothing.
public struct SampleError: Error, Hashable, Sendable {
  /// The model's name.
  public let model: String
  /// What the samples can't show, and what to add, one sentence each; at least one.
  public let gaps: [String]
}

extension SampleError: CustomStringConvertible {
  /// The gaps, and how to go on without mending them.
  public var description: String {
    (["the samples of \(model) can't show everything"] + gaps.map { "  \($0)" }
      + ["add such samples, or pass `allowingGaps: true` to have this in the report's notes instead"])
      .joined(separator: "\n")
  }
}
