public import ErrorDetails

/// A Swift type whose values can be columns, operands of queries and parts of a primary key.
///
/// An enum with a raw value conforms by declaration: `enum PokemonType: String, ValueConvertible { case fire, water }`.
/// Other types implement how a value is made and read back; both may throw.
public protocol ValueConvertible: PrimaryKey {
  /// The type of a column that holds such values.
  static var valueType: ValueType { get }

  /// Whether such a column may hold null; by default true only for optionals.
  static var isNullable: Bool { get }

  /// The format of the stored texts, if each value has exactly one text and a column of the type may hold no other text; by
  /// default `nil` for every type but `UUID`, `Date`, `Decimal` and types with one of these as raw or wrapped value.
  static var valueFormat: ValueFormat? { get }

  /// Returns the value to store.
  ///
  /// - Throws: ``ValueError`` if no store could hold it, such as a `UInt` above `Int64.max` or a NaN.
  func makeValue() throws(ValueError) -> Value

  /// Reads a stored value back.
  ///
  /// - Throws: ``ValueError`` if the value is not one that ``makeValue()`` could have made.
  init(value: Value) throws(ValueError)

  /// Reads a stored value directly from a row.
  ///
  /// Types that read one kind of value implement it directly; for others, ``init(value:)`` is enough.
  ///
  /// - Throws: as ``init(value:)`` does.
  init(from row: any Row, at position: Int) throws(ValueError)
}

extension ValueConvertible {
  /// False: only optionals may be null.
  @inlinable
  public static var isNullable: Bool { false }

  /// The default: no format.
  @inlinable
  public static var valueFormat: ValueFormat? { nil }

  /// Reads the value with ``init(value:)``.
  @inlinable
  public init(from row: any Row, at position: Int) throws(ValueError) {
    // A type over a raw value is not read as its raw value here, since it may have an `init(value:)` of its own.
    try self.init(value: try row.value(at: position))
  }

  /// Returns the one value of a primary key that is a single column.
  public func keyValues() throws(ValueError) -> [Value] { [try makeValue()] }
}

extension ValueConvertible where Self: RawRepresentable, RawValue: ValueConvertible {
  /// The raw value's column type.
  @inlinable
  public static var valueType: ValueType { RawValue.valueType }

  /// The raw value's format.
  @inlinable
  public static var valueFormat: ValueFormat? { RawValue.valueFormat }

  /// Returns the raw value's value.
  @inlinable
  public func makeValue() throws(ValueError) -> Value { try rawValue.makeValue() }

  /// Reads a raw value and makes the case that has it.
  ///
  /// - Throws: ``ValueError`` if no case has that raw value.
  @inlinable
  public init(value: Value) throws(ValueError) {
    guard let known = Self(rawValue: try RawValue(value: value)) else {
      throw ValueError(
        "the stored value does not fit \(Self.self)", suggestion: "add a case for the value, or correct the row")
    }
    self = known
  }
}

/// The identity of a row: the values of one or several columns.
///
/// Every ``ValueConvertible`` type is a key of one column. A key of several columns is a struct of its own:
///
/// ```swift
/// struct Membership: PrimaryKey {
///   let team: UUID
///   let pokemon: Int
///   func keyValues() throws(ValueError) -> [Value] { [try team.makeValue(), try pokemon.makeValue()] }
/// }
/// ```
public protocol PrimaryKey: Hashable, Sendable {
  /// The type of the key without optionals, by which the compiler checks that a foreign key has the type of the key.
  associatedtype Unwrapped: PrimaryKey = Self

  /// Returns the values of the key's columns, in the order of the schema's primary key.
  ///
  /// - Throws: ``ValueError`` if a part of the key can't be stored.
  func keyValues() throws(ValueError) -> [Value]
}

/// The type of a column: the values that it may hold besides null.
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

/// An error for a Swift value that no store can hold, or a stored value that does not fit a Swift type.
///
/// It never contains the value itself, so that it may be logged.
public struct ValueError: FriendlyError, Hashable, Sendable {
  /// The description of what went wrong, in one sentence.
  public let summary: String
  /// The advice what to do about it, if there is any.
  public let suggestion: String?
  /// The form in which another program stored the value, if that is the reason of the error.
  package let form: NonCanonicalForm?

  /// Makes an error, for types of your own that conform to ``ValueConvertible``.
  public init(_ summary: String, suggestion: String? = nil) {
    self.init(summary, suggestion: suggestion, form: nil)
  }

  init(_ summary: String, suggestion: String?, form: NonCanonicalForm?) {
    self.summary = summary
    self.suggestion = suggestion
    self.form = form
  }

  /// Returns the error for a stored value of another kind than a Swift type expects.
  public static func mismatch(expected: String, found value: Value) -> ValueError {
    let found =
      switch value {
      case .null: "null"
      case .integer: "an integer"
      case .real: "a real"
      case .text: "text"
      case .blob: "a blob"
      }
    return ValueError(
      "expected \(expected), found \(found)",
      suggestion: value.isNull ? "make the property optional if the value may be missing" : nil)
  }

  /// The error for a real that is not a number.
  public static let notANumber = ValueError(
    "can't store or compare NaN", suggestion: "use nil for an unknown number")
}

extension ValueError: CustomStringConvertible {
  /// The summary and the suggestion in one line.
  public var description: String { [summary, suggestion].compactMap(\.self).joined(separator: "; ") }
}
