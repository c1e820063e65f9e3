/// A Swift type whose values can be columns, operands of queries and parts of a primary key.
///
/// An enum over a raw value conforms by name alone: `enum PokemonType: String, ValueConvertible { case fire, water }`.
/// For other types, say how a value is made and read back; both ways may refuse.
public protocol ValueConvertible: PrimaryKey {
  /// The type of a column that holds such values.
  static var valueType: ValueType { get }

  /// Whether such a column may hold null; true for optionals alone, unless a type says otherwise.
  static var isNullable: Bool { get }

  /// Makes the value that a store keeps.
  ///
  /// - Throws: ``ValueError`` where no store could hold it, such as a `UInt` above `Int64.max` or a NaN.
  func makeValue() throws(ValueError) -> Value

  /// Reads a stored value back.
  ///
  /// - Throws: ``ValueError`` where the value is not one that ``makeValue()`` could have made.
  init(value: Value) throws(ValueError)

  /// Reads a stored value where it stands in a row.
  ///
  /// Types that read one kind of value do so at once; for others, ``init(value:)`` is enough.
  ///
  /// - Throws: as ``init(value:)`` does.
  init(from row: any Row, at position: Int) throws(ValueError)
}

extension ValueConvertible {
  /// False: only optionals may be null.
  @inlinable
  public static var isNullable: Bool { false }

  /// Reads the value with ``init(value:)``.
  @inlinable
  public init(from row: any Row, at position: Int) throws(ValueError) {
    // Also for types over a raw value, whatever that is: they may have an `init(value:)` of their own.
    try self.init(value: try row.value(at: position))
  }

  /// The one value of a primary key that is a single column.
  public func keyValues() throws(ValueError) -> [Value] { [try makeValue()] }
}

extension ValueConvertible where Self: RawRepresentable, RawValue: ValueConvertible {
  /// The raw value's column type.
  @inlinable
  public static var valueType: ValueType { RawValue.valueType }

  /// Makes the raw value's value.
  @inlinable
  public func makeValue() throws(ValueError) -> Value { try rawValue.makeValue() }

  /// Reads a raw value and finds the case that has it.
  ///
  /// - Throws: ``ValueError`` where no case has that raw value.
  @inlinable
  public init(value: Value) throws(ValueError) {
    guard let known = Self(rawValue: try RawValue(value: value)) else {
      throw ValueError("the stored value is no \(Self.self)", suggestion: "add a case for it, or mend the row")
    }
    self = known
  }
}
