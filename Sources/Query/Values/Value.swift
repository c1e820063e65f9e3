/// One value as every store knows it: null, a number, a text or bytes.
///
/// `==`, `<` and `hash(into:)` follow the order that all stores share: null < numbers < text < blobs. Numbers are
/// compared by mathematical value, exactly, so `.integer(1) == .real(1.0)` and
/// `.integer(9_007_199_254_740_993) != .real(9_007_199_254_740_992.0)`. Text is compared by its UTF-8 bytes, unlike
/// `String`'s own `==`, which takes the composed and the decomposed "é" for the same.
public enum Value: Sendable {
  /// The absence of a value.
  case null
  /// A whole number.
  case integer(Int64)
  /// A floating-point number. NaN has no place in a store: writing it or comparing with it is an error.
  case real(Double)
  /// A text, kept whole, embedded NUL included.
  case text(String)
  /// Bytes.
  case blob([UInt8])
}

extension Value {
  /// What a value is, without the value itself.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// ``Value/null``.
    case null
    /// ``Value/integer(_:)`` and ``Value/real(_:)``: one kind, because they compare with each other.
    case number
    /// ``Value/text(_:)``.
    case text
    /// ``Value/blob(_:)``.
    case blob
  }

  /// The kind of this value.
  public var kind: Kind {
    switch self {
    case .null: .null
    case .integer, .real: .number
    case .text: .text
    case .blob: .blob
    }
  }

  /// Whether this is ``Value/null``.
  @inlinable
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// Whether this is a real that is not a number.
  @usableFromInline
  package var isNaN: Bool {
    if case .real(let real) = self { real.isNaN } else { false }
  }
}

// Not from `nil`: where a `Value?` is wanted, a `nil` in a conditional expression would silently become null.
extension Value: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral
{
  /// Makes the integer 1 from `true` and 0 from `false`.
  public init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }

  /// Makes an integer from an integer literal.
  public init(integerLiteral value: Int64) { self = .integer(value) }

  /// Makes a real from a literal with a fraction or an exponent.
  public init(floatLiteral value: Double) { self = .real(value) }

  /// Makes a text from a string literal.
  public init(stringLiteral value: String) { self = .text(value) }
}
