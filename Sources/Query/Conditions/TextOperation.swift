/// The ways in which a text can match another.
public enum TextOperation: String, Hashable, Sendable, CaseIterable {
  /// The other text occurs somewhere.
  case contains = "contains"
  /// The text starts with the other.
  case hasPrefix = "starts with"
  /// The text ends with the other.
  case hasSuffix = "ends with"
  /// The whole text matches the other, in which `%` is any run, `_` one Unicode scalar, and `\` escapes.
  case like = "like"
}
