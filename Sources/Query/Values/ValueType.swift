/// The type of a column: which values it may hold besides null.
public enum ValueType: String, Hashable, Sendable, CaseIterable {
  /// Whole numbers.
  case integer
  /// Floating-point numbers.
  case real
  /// Texts.
  case text
  /// Bytes.
  case blob
  /// Values of any kind.
  case any

  /// The kinds of values, besides null, that a column of this type may hold.
  public var kinds: Set<Value.Kind> {
    switch self {
    case .integer, .real: [.number]
    case .text: [.text]
    case .blob: [.blob]
    case .any: [.number, .text, .blob]
    }
  }
}
