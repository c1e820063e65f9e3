/// A value as every store knows it: null, a number, a text or bytes.
///
/// `==`, `<` and `hash(into:)` follow the order that all stores share: null < numbers < text < blobs. Numbers are compared
/// by mathematical value, exactly, so `.integer(1) == .real(1.0)` and `.integer(9_007_199_254_740_993) !=
/// .real(9_007_199_254_740_992.0)`. Text is compared by its UTF-8 bytes, unlike `String`'s own `==`, which treats the
/// composed and the decomposed "é" as equal.
public enum Value: Sendable {
  /// The absence of a value.
  case null
  /// A whole number.
  case integer(Int64)
  /// A floating-point number. NaN can't be stored: writing it or comparing with it is an error.
  case real(Double)
  /// A text, stored in full, embedded NULs included.
  case text(String)
  /// Bytes.
  case blob([UInt8])
}

extension Value {
  /// The kind of a value: values of one kind are comparable with each other.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The kind of ``Value/null``.
    case null
    /// The kind of ``Value/integer(_:)`` and ``Value/real(_:)``: one kind, because they are comparable.
    case number
    /// The kind of ``Value/text(_:)``.
    case text
    /// The kind of ``Value/blob(_:)``.
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

// There is no literal `nil`: where a `Value?` is expected, a `nil` in a conditional expression would silently become null.
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

extension Value: Comparable {
  /// Returns whether two values are equal in the total order; null equals null.
  public static func == (lhs: Value, rhs: Value) -> Bool {
    switch (lhs, rhs) {
    case (.text(let lhs), .text(let rhs)): lhs.utf8.count == rhs.utf8.count && compareBytes(of: lhs, rhs) == 0
    case (.blob(let lhs), .blob(let rhs)): lhs == rhs
    case (.integer(let lhs), .integer(let rhs)): lhs == rhs
    case (.null, .null): true
    case (.text, _), (.blob, _), (.null, _): false
    default: compare(lhs, rhs) == 0
    }
  }

  /// Returns whether one value precedes another in the total order; null precedes all others.
  public static func < (lhs: Value, rhs: Value) -> Bool {
    compare(lhs, rhs) < 0
  }

  /// Returns whether both are the same value in the same case: a database may distinguish 1 from 1.0, and 0.0 from -0.0.
  package func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.real(let lhs), .real(let rhs)): lhs.bitPattern == rhs.bitPattern
    case (.integer, .real), (.real, .integer): false
    default: self == other
    }
  }

  /// Compares two values by the total order.
  ///
  /// - Returns: a negative number, zero or a positive number, if `lhs` precedes, equals or follows `rhs`.
  package static func compare(_ lhs: Value, _ rhs: Value) -> Int {
    switch (lhs, rhs) {
    case (.integer(let lhs), .integer(let rhs)): lhs < rhs ? -1 : lhs > rhs ? 1 : 0
    case (.real(let lhs), .real(let rhs)): compare(lhs, rhs)
    case (.integer(let lhs), .real(let rhs)): compare(lhs, rhs)
    case (.real(let lhs), .integer(let rhs)): -compare(rhs, lhs)
    case (.text(let lhs), .text(let rhs)): compareBytes(of: lhs, rhs)
    case (.blob(let lhs), .blob(let rhs)): compareBytes(lhs, rhs)
    default: lhs.rank - rhs.rank
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  /// NaN sorts after every other number here, so that the order stays total; no store ever holds a NaN.
  private static func compare(_ lhs: Double, _ rhs: Double) -> Int {
    if lhs < rhs { return -1 }
    if lhs > rhs { return 1 }
    return lhs == rhs ? 0 : (lhs.isNaN ? 1 : 0) - (rhs.isNaN ? 1 : 0)
  }

  /// Compares without converting the integer to a `Double`, which would round beyond 2^53.
  private static func compare(_ lhs: Int64, _ rhs: Double) -> Int {
    if rhs.isNaN || rhs >= 0x1p63 { return -1 }
    if rhs < -0x1p63 { return 1 }
    let whole = Int64(rhs)
    if lhs != whole { return lhs < whole ? -1 : 1 }
    let fraction = rhs - Double(whole)
    return fraction > 0 ? -1 : fraction < 0 ? 1 : 0
  }

  private static func compareBytes(of lhs: String, _ rhs: String) -> Int {
    let fast = lhs.utf8.withContiguousStorageIfAvailable { lhs in
      rhs.utf8.withContiguousStorageIfAvailable { rhs in compareBytes(lhs, rhs) }
    }
    if case .some(.some(let order)) = fast { return order }
    return compareBytes(Array(lhs.utf8), Array(rhs.utf8))
  }

  private static func compareBytes(_ lhs: [UInt8], _ rhs: [UInt8]) -> Int {
    lhs.withUnsafeBufferPointer { lhs in rhs.withUnsafeBufferPointer { rhs in compareBytes(lhs, rhs) } }
  }

  private static func compareBytes(_ lhs: UnsafeBufferPointer<UInt8>, _ rhs: UnsafeBufferPointer<UInt8>) -> Int {
    // Copies of a text share their bytes, such as the SQL of a statement that is looked up again.
    if lhs.baseAddress == rhs.baseAddress { return lhs.count - rhs.count }
    var index = 0
    let common = min(lhs.count, rhs.count)
    let (left, right) = (UnsafeRawBufferPointer(lhs), UnsafeRawBufferPointer(rhs))
    // Eight bytes are compared as one big-endian integer, in which the first byte that differs decides.
    while index + 8 <= common {
      let left = UInt64(bigEndian: left.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let right = UInt64(bigEndian: right.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      if left != right { return left < right ? -1 : 1 }
      index += 8
    }
    while index < common {
      let (left, right) = (lhs[index], rhs[index])
      if left != right { return left < right ? -1 : 1 }
      index += 1
    }
    return lhs.count - rhs.count
  }
}

extension Value: Hashable {
  /// Hashes the components that `==` compares: an integer and a real of the same value have the same hash.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null:
      hasher.combine(0)
    case .integer(let integer):
      hasher.combine(1)
      hasher.combine(integer)
    case .real(let real):
      hasher.combine(1)
      if let integer = Int64(exactly: real) {
        hasher.combine(integer)
      } else {
        // NaNs are equal here, whatever their bits.
        hasher.combine(real.isNaN ? .nan : real)
      }
    case .text(let text):
      hasher.combine(2)
      hasher.combine(text.utf8.count)
      let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
        hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
      }
      if isDone == nil { Array(text.utf8).withUnsafeBytes { hasher.combine(bytes: $0) } }
    case .blob(let bytes):
      hasher.combine(3)
      hasher.combine(bytes)
    }
  }
}

extension Value: CustomStringConvertible {
  /// The literal of this value in the text form of a query: `12`, `-1500.0`, `'it''s'`, `x'00ff'`, `null`.
  ///
  /// ```swift
  /// Value.text("it's").description  // 'it''s'
  /// Value.real(.infinity).description  // 9e999
  /// ```
  ///
  /// A real always has a point or an exponent, so that it is read back as a real, and as the same one. A NaN, which no store
  /// holds, is written as `<NaN>` and can't be read back.
  public var description: String {
    switch self {
    case .null: "null"
    case .integer(let integer): integer.description
    case .real(let real) where real.isNaN: "<NaN>"
    // The largest finite number is about 1.8e308; SQLite reads and writes infinity like this, too.
    case .real(let real) where real.isInfinite: real > 0 ? "9e999" : "-9e999"
    case .real(let real): real.description
    case .text(let text): Quoting.quote(text, with: "'")
    case .blob(let bytes): Self.literal(bytes)
    }
  }

  private static func literal(_ bytes: [UInt8]) -> String {
    var literal = Array("x'".utf8)
    Hexadecimal.append(bytes, to: &literal)
    literal.append(UInt8(ascii: "'"))
    return String(decoding: literal, as: UTF8.self)
  }
}

extension Value {
  /// The value as a column of another type holds it; `nil` where the value could not be told from that one: a real that is no
  /// whole number as an integer, the text `007` as a number, an integer that a real would round.
  package func converted(to type: ValueType) -> Value? {
    switch (type, self) {
    case (.any, _), (_, .null), (.integer, .integer), (.real, .real), (.text, .text), (.blob, .blob): return self
    case (.text, .integer), (.text, .real): return .text(description)
    case (.real, .integer(let integer)): return Double(exactly: integer).map(Value.real)
    case (.integer, .real(let real)):
      return real == 0 && real.sign == .minus ? nil : Int64(exactly: real).map(Value.integer)
    case (.integer, .text(let text)):
      guard let integer = Int64(text), integer.description == text else { return nil }
      return .integer(integer)
    case (.real, .text(let text)):
      if let integer = Int64(text), integer.description == text {
        return Double(exactly: integer).map(Value.real)
      }
      guard let real = Double(text), real.description == text, real.isFinite else { return nil }
      return .real(real)
    case (.blob, _), (_, .blob): return nil
    }
  }
}
