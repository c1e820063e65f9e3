/// A figure that can't be given, because it is no value.
public struct FigureError: Error, Hashable, Sendable {
  /// What is wrong with the figure.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String

    /// Makes a code; later versions may add some.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A sum of integers is greater or less than every integer that can be stored.
    public static let overflow = Code(rawValue: "overflow")
    /// A sum or an average is not a number, because both infinities are added.
    public static let notANumber = Code(rawValue: "notANumber")
  }

  /// What is wrong with the figure.
  public let code: Code
  /// What happened, in one sentence.
  public let summary: String
  /// Why, where there is more to say.
  public let reason: String?
  /// What to do about it, where that is known.
  public let suggestion: String?

  init(_ fault: FigureFault, _ figure: AnyFigure) {
    switch fault {
    case .overflow:
      code = .overflow
      summary = "\(figure) overflows"
      reason = "a sum of integers has to be from \(Int64.min) to \(Int64.max)"
      suggestion = "ask for the average, or for the sums of smaller groups"
    case .notANumber:
      code = .notANumber
      summary = "\(figure) is not a number"
      reason = "infinity and -infinity are both among the values"
      suggestion = "leave the infinities out by the query"
    }
  }
}

extension FigureError: CustomStringConvertible {
  /// The summary, the reason and the suggestion in one line.
  public var description: String { [summary, reason, suggestion].compactMap(\.self).joined(separator: "; ") }
}
