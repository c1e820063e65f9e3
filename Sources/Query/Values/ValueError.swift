/// A Swift value that no store can hold, or a stored value that does not fit a Swift type.
///
/// The value itself is never part of the error, so that it may be logged.
public struct ValueError: Error, Hashable, Sendable {
  /// What went wrong, in one sentence.
  public let summary: String
  /// What to do about it, where that is known.
  public let suggestion: String?

  /// Makes an error, for types of your own that conform to ``ValueConvertible``.
  public init(_ summary: String, suggestion: String? = nil) {
    self.summary = summary
    self.suggestion = suggestion
  }

  /// A stored value of one kind where a Swift type needs another.
  public static func mismatch(expected: String, found value: Value) -> ValueError {
    let found =
      switch value {
      case .null: "null"
      case .integer: "an integer"
      case .real: "a real"
      case .text: "a text"
      case .blob: "a blob"
      }
    return ValueError(
      "expected \(expected), found \(found)",
      suggestion: value.isNull ? "make the property optional if the value may be missing" : nil)
  }

  /// A real that is not a number.
  public static let notANumber = ValueError(
    "NaN is no value that can be stored or compared with", suggestion: "use nil for a number that is not known")
}

extension ValueError: CustomStringConvertible {
  /// The summary and the suggestion in one line.
  public var description: String { [summary, suggestion].compactMap(\.self).joined(separator: "; ") }
}
