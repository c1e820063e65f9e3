extension Value: ValueConvertible {
  /// Values of any kind.
  public static var valueType: ValueType { .any }

  /// True: null is a value.
  public static var isNullable: Bool { true }

  /// The value itself.
  ///
  /// - Throws: ``ValueError`` for a NaN.
  public func makeValue() throws(ValueError) -> Value {
    if isNaN { throw .notANumber }
    return self
  }

  /// The value itself.
  public init(value: Value) { self = value }
}

extension Optional: PrimaryKey where Wrapped: ValueConvertible {}

extension Optional: ValueConvertible where Wrapped: ValueConvertible {
  /// The wrapped type's column type.
  public static var valueType: ValueType { Wrapped.valueType }

  /// True: `nil` is null.
  public static var isNullable: Bool { true }

  /// Null for `nil`, else what the wrapped value makes.
  public func makeValue() throws(ValueError) -> Value {
    guard let wrapped = self else { return .null }
    return try wrapped.makeValue()
  }

  /// `nil` for null, else what the wrapped type reads.
  public init(value: Value) throws(ValueError) {
    self = value.isNull ? nil : try Wrapped(value: value)
  }
}

extension ValueConvertible where Self: FixedWidthInteger {
  /// Whole numbers.
  public static var valueType: ValueType { .integer }

  /// Makes an integer.
  ///
  /// - Throws: ``ValueError`` for an unsigned number above `Int64.max`: it would not fit, and is never wrapped.
  public func makeValue() throws(ValueError) -> Value {
    guard let integer = Int64(exactly: self) else {
      throw ValueError(
        "an unsigned integer above \(Int64.max) does not fit a stored integer", suggestion: "store it as a text")
    }
    return .integer(integer)
  }

  /// Reads an integer, or a real that is whole.
  ///
  /// - Throws: ``ValueError`` where the number is out of the type's range, has a fraction, or is no number.
  public init(value: Value) throws(ValueError) {
    let exact: Self? =
      switch value {
      case .integer(let integer): Self(exactly: integer)
      case .real(let real): Self(exactly: real)
      case .null, .text, .blob: throw .mismatch(expected: "an integer", found: value)
      }
    guard let exact else { throw ValueError("the stored number does not fit \(Self.self)") }
    self = exact
  }
}

extension Int: ValueConvertible {}
extension Int8: ValueConvertible {}
extension Int16: ValueConvertible {}
extension Int32: ValueConvertible {}
extension Int64: ValueConvertible {}
extension UInt: ValueConvertible {}
extension UInt8: ValueConvertible {}
extension UInt16: ValueConvertible {}
extension UInt32: ValueConvertible {}
extension UInt64: ValueConvertible {}

extension Bool: ValueConvertible {
  /// Whole numbers: 1 for true, 0 for false.
  public static var valueType: ValueType { .integer }

  /// Makes 1 for true and 0 for false.
  public func makeValue() -> Value { .integer(self ? 1 : 0) }

  /// Reads 1 as true and 0 as false.
  ///
  /// - Throws: ``ValueError`` for every other value.
  public init(value: Value) throws(ValueError) {
    switch try Int64(value: value) {
    case 0: self = false
    case 1: self = true
    default: throw ValueError("expected 0 or 1 for a Bool, found another number")
    }
  }
}

extension ValueConvertible where Self: BinaryFloatingPoint {
  /// Floating-point numbers.
  public static var valueType: ValueType { .real }

  /// Makes a real; infinities are kept.
  ///
  /// - Throws: ``ValueError`` for NaN.
  public func makeValue() throws(ValueError) -> Value {
    if isNaN { throw .notANumber }
    return .real(Double(self))
  }

  /// Reads a real, rounded to the type's precision, or an integer that the type holds exactly.
  ///
  /// - Throws: ``ValueError`` where the number is out of the type's range, or is no number.
  public init(value: Value) throws(ValueError) {
    switch value {
    case .real(let real):
      let rounded = Self(real)
      if rounded.isInfinite, real.isFinite { throw ValueError("the stored number does not fit \(Self.self)") }
      self = rounded
    case .integer(let integer):
      guard let exact = Self(exactly: integer) else {
        throw ValueError("the stored integer does not fit \(Self.self) without rounding")
      }
      self = exact
    case .null, .text, .blob:
      throw .mismatch(expected: "a number", found: value)
    }
  }
}

extension Double: ValueConvertible {}
extension Float: ValueConvertible {}

extension ValueConvertible where Self: StringProtocol {
  /// Texts.
  public static var valueType: ValueType { .text }

  /// Makes a text.
  public func makeValue() -> Value { .text(String(self)) }
}

extension String: ValueConvertible {
  /// Reads a text.
  ///
  /// - Throws: ``ValueError`` for a value of another kind.
  public init(value: Value) throws(ValueError) {
    guard case .text(let text) = value else { throw .mismatch(expected: "a text", found: value) }
    self = text
  }
}

extension Substring: ValueConvertible {
  /// Reads a text.
  ///
  /// - Throws: ``ValueError`` for a value of another kind.
  public init(value: Value) throws(ValueError) {
    self = Substring(try String(value: value))
  }
}

extension Character: ValueConvertible {
  /// Texts.
  public static var valueType: ValueType { .text }

  /// Makes a text of one character.
  public func makeValue() -> Value { .text(String(self)) }

  /// Reads a text of exactly one character.
  ///
  /// - Throws: ``ValueError`` for another text and for a value of another kind.
  public init(value: Value) throws(ValueError) {
    let text = try String(value: value)
    guard let character = text.first, text.count == 1 else {
      throw ValueError("expected a text of one character, found another text")
    }
    self = character
  }
}

extension Array: PrimaryKey where Element == UInt8 {}

extension Array: ValueConvertible where Element == UInt8 {
  /// Bytes.
  public static var valueType: ValueType { .blob }

  /// Makes a blob.
  public func makeValue() -> Value { .blob(self) }

  /// Reads a blob.
  ///
  /// - Throws: ``ValueError`` for a value of another kind.
  public init(value: Value) throws(ValueError) {
    guard case .blob(let bytes) = value else { throw .mismatch(expected: "a blob", found: value) }
    self = bytes
  }
}
