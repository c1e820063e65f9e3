extension Value: ValueConvertible {
  /// The column type: values of any kind.
  @inlinable
  public static var valueType: ValueType { .any }

  /// True: null is a value.
  @inlinable
  public static var isNullable: Bool { true }

  /// Returns the value itself.
  ///
  /// - Throws: ``ValueError`` for a NaN.
  @inlinable
  public func makeValue() throws(ValueError) -> Value {
    if isNaN { throw .notANumber }
    return self
  }

  /// Makes the value from itself.
  @inlinable
  public init(value: Value) { self = value }
}

extension Optional: PrimaryKey where Wrapped: ValueConvertible {}

extension Optional: ValueConvertible where Wrapped: ValueConvertible {
  /// The wrapped type of the key.
  public typealias Unwrapped = Wrapped.Unwrapped

  /// The wrapped type's column type.
  @inlinable
  public static var valueType: ValueType { Wrapped.valueType }

  /// The wrapped type's format.
  @inlinable
  public static var valueFormat: ValueFormat? { Wrapped.valueFormat }

  /// True: `nil` is null.
  @inlinable
  public static var isNullable: Bool { true }

  /// Returns null for `nil`, otherwise the value of the wrapped type.
  @inlinable
  public func makeValue() throws(ValueError) -> Value {
    guard let wrapped = self else { return .null }
    return try wrapped.makeValue()
  }

  /// Makes `nil` from null, otherwise a value of the wrapped type.
  @inlinable
  public init(value: Value) throws(ValueError) {
    self = value.isNull ? nil : try Wrapped(value: value)
  }

  /// Reads `nil` from null, otherwise a value of the wrapped type.
  @inlinable
  public init(from row: any Row, at position: Int) throws(ValueError) {
    self = row.isNull(at: position) ? nil : try Wrapped(from: row, at: position)
  }
}

extension ValueConvertible where Self: FixedWidthInteger {
  /// The column type: whole numbers.
  @inlinable
  public static var valueType: ValueType { .integer }

  /// Makes an integer.
  ///
  /// - Throws: ``ValueError`` for an unsigned number above `Int64.max`: it would not fit, and is never wrapped.
  @inlinable
  public func makeValue() throws(ValueError) -> Value {
    guard let integer = Int64(exactly: self) else {
      throw ValueError(
        "can't store an unsigned integer above \(Int64.max)", suggestion: "store the number as text")
    }
    return .integer(integer)
  }

  /// Reads an integer, or a real that is whole.
  ///
  /// - Throws: ``ValueError`` if the number is out of the type's range, has a fraction, or is not a number.
  @inlinable
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

  /// Reads an integer directly from a row.
  ///
  /// - Throws: as ``init(value:)`` does.
  @inlinable
  public init(from row: any Row, at position: Int) throws(ValueError) {
    guard let integer = row.integer(at: position), let exact = Self(exactly: integer) else {
      try self.init(value: try row.value(at: position))
      return
    }
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
  /// The column type: whole numbers, 1 for true, 0 for false.
  @inlinable
  public static var valueType: ValueType { .integer }

  /// Makes 1 for true and 0 for false.
  @inlinable
  public func makeValue() -> Value { .integer(self ? 1 : 0) }

  /// Reads 1 as true and 0 as false.
  ///
  /// - Throws: ``ValueError`` for every other value.
  @inlinable
  public init(value: Value) throws(ValueError) {
    switch try Int64(value: value) {
    case 0: self = false
    case 1: self = true
    default: throw ValueError("expected 0 or 1 for a Bool, found another number")
    }
  }

  /// Reads 1 as true and 0 as false, directly from a row.
  ///
  /// - Throws: as ``init(value:)`` does.
  @inlinable
  public init(from row: any Row, at position: Int) throws(ValueError) {
    switch row.integer(at: position) {
    case 0: self = false
    case 1: self = true
    default: try self.init(value: try row.value(at: position))
    }
  }
}

extension ValueConvertible where Self: BinaryFloatingPoint {
  /// The column type: floating-point numbers.
  @inlinable
  public static var valueType: ValueType { .real }

  /// Makes a real; infinities are kept.
  ///
  /// - Throws: ``ValueError`` for NaN.
  @inlinable
  public func makeValue() throws(ValueError) -> Value {
    if isNaN { throw .notANumber }
    return .real(Double(self))
  }

  /// Reads a real, rounded to the type's precision, or an integer that the type holds exactly.
  ///
  /// - Throws: ``ValueError`` if the number is out of the type's range, or is not a number.
  @inlinable
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

  /// Reads a real directly from a row.
  ///
  /// - Throws: as ``init(value:)`` does.
  @inlinable
  public init(from row: any Row, at position: Int) throws(ValueError) {
    guard let real = row.real(at: position) else {
      try self.init(value: try row.value(at: position))
      return
    }
    let rounded = Self(real)
    // `init(value:)` refuses a finite number that becomes infinite by rounding.
    if rounded.isInfinite { try self.init(value: .real(real)) } else { self = rounded }
  }
}

extension Double: ValueConvertible {}
extension Float: ValueConvertible {}

extension ValueConvertible where Self: StringProtocol {
  /// The column type: texts.
  @inlinable
  public static var valueType: ValueType { .text }

  /// Makes a text.
  @inlinable
  public func makeValue() -> Value { .text(String(self)) }
}

extension String: ValueConvertible {
  /// Reads a text.
  ///
  /// - Throws: ``ValueError`` for a value of another kind.
  @inlinable
  public init(value: Value) throws(ValueError) {
    guard case .text(let text) = value else { throw .mismatch(expected: "text", found: value) }
    self = text
  }

  /// Reads a text directly from a row.
  ///
  /// - Throws: as ``init(value:)`` does.
  @inlinable
  public init(from row: any Row, at position: Int) throws(ValueError) {
    guard let text = row.text(at: position) else {
      try self.init(value: try row.value(at: position))
      return
    }
    self = text
  }
}

extension Substring: ValueConvertible {
  /// Reads a text.
  ///
  /// - Throws: ``ValueError`` for a value of another kind.
  @inlinable
  public init(value: Value) throws(ValueError) {
    self = Substring(try String(value: value))
  }
}

extension Character: ValueConvertible {
  /// The column type: texts.
  @inlinable
  public static var valueType: ValueType { .text }

  /// Makes a text of one character.
  @inlinable
  public func makeValue() -> Value { .text(String(self)) }

  /// Reads a text of exactly one character.
  ///
  /// - Throws: ``ValueError`` for another text and for a value of another kind.
  @inlinable
  public init(value: Value) throws(ValueError) {
    let text = try String(value: value)
    guard let character = text.first, text.count == 1 else {
      throw ValueError("expected text of one character, found other text")
    }
    self = character
  }
}

extension Array: PrimaryKey where Element == UInt8 {}

// The compiler shows the next line if an array of another type is used as the property of a column.
extension Array: ValueConvertible where Element == UInt8 {  // any other array as JSON: Column("tags", json: \.tags)
  /// The column type: bytes.
  @inlinable
  public static var valueType: ValueType { .blob }

  /// Makes a blob.
  @inlinable
  public func makeValue() -> Value { .blob(self) }

  /// Reads a blob.
  ///
  /// - Throws: ``ValueError`` for a value of another kind.
  @inlinable
  public init(value: Value) throws(ValueError) {
    guard case .blob(let bytes) = value else { throw .mismatch(expected: "a blob", found: value) }
    self = bytes
  }
}
