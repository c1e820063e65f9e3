/// The kind of number that a text is, if it can be read and written again without loss.
package enum NumberSyntax: Equatable {
  /// A whole number exactly as `Int64` writes it.
  case integer(Int64)
  /// A number that a `Double` holds, see ``ColumnTypeDetector``.
  case real
  case none

  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    // Most texts of a column of texts are recognised by their first letter.
    guard let first = bytes.first,
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= first || first == UInt8(ascii: "-") || first == UInt8(ascii: "."),
      let shape = Shape(bytes)
    else {
      self = .none
      return
    }
    switch shape.kind {
    case .whole:
      self = Self.integer(bytes).map(Self.integer) ?? .none
    case .negativeZero:
      self = .real
    case .fractional where shape.significantDigits <= RealDigits.alwaysKept || RealDigits.areKept(bytes):
      // Without an exponent, a number of so few bytes can neither overflow nor underflow.
      if !shape.hasExponent, bytes.count <= Self.plainLength {
        self = .real
        return
      }
      // A number that is too small silently becomes zero.
      let value = Double(String(decoding: bytes, as: UTF8.self)) ?? .nan
      self = value.isFinite && (value != 0 || shape.significantDigits == 0) ? .real : .none
    case .fractional:
      self = .none
    }
  }

  /// The maximum number of digits with which a number without an exponent is certainly less than the largest `Double`, and a
  /// fraction certainly more than the smallest one, about 1e-307.
  private static let plainLength = 300

  /// Returns the integer that is written as `Int64` writes it; `nil` if there is none.
  package static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    var index = 0
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative { index = 1 }
    let digits = bytes.count - index
    guard digits > 0, digits <= 19 else { return nil }
    if bytes[index] == UInt8(ascii: "0"), digits > 1 || isNegative { return nil }
    var magnitude: UInt64 = 0
    while index < bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      // 19 digits are less than 2^64.
      magnitude = magnitude &* 10 &+ UInt64(digit)
      index += 1
    }
    if isNegative { return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil }
    return Int64(exactly: magnitude)
  }

  /// Returns the number that is written in at most 15 digits and without an exponent: a quotient of two numbers that a
  /// `Double` holds exactly, which is rounded once and thus correctly. `nil` for all others. Source: W. D. Clinger, "How to
  /// Read Floating Point Numbers Accurately", 1990.
  package static func shortReal(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    var index = 0
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative { index = 1 }
    guard index < bytes.count, bytes.count - index <= 16 else { return nil }
    var magnitude: UInt64 = 0
    var point: Int?
    let start = index
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "."), point == nil, index > start {
        point = index
      } else {
        let digit = byte &- UInt8(ascii: "0")
        guard digit <= 9 else { return nil }
        magnitude = magnitude &* 10 &+ UInt64(digit)
      }
      index += 1
    }
    guard magnitude < 1_000_000_000_000_000 else { return nil }
    let fraction = point.map { bytes.count - 1 - $0 } ?? 0
    if point != nil, fraction == 0 { return nil }
    let value = Double(magnitude) / powersOfTen[fraction]
    return isNegative ? -value : value
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]
}

/// The notation of a number: `-?(0|[1-9][0-9]*)?(\.[0-9]+)?([eE][+-]?[0-9]+)?`, with a digit before or after the point.
private struct Shape {
  enum Kind {
    case whole
    /// A whole number that is not an integer: negative zero.
    case negativeZero
    case fractional
  }

  private(set) var kind = Kind.whole
  private(set) var hasExponent = false
  /// The number of digits from the first to the last that is not zero, without the exponent.
  private(set) var significantDigits = 0
  private var zerosSinceSignificant = 0
  private var index = 0

  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    let isNegative = skip("-", in: bytes)
    let startsWithZero = index < bytes.count && bytes[index] == UInt8(ascii: "0")
    let wholeDigits = readDigits(in: bytes, areSignificant: true)
    let startsWithPoint = wholeDigits == 0 && index < bytes.count && bytes[index] == UInt8(ascii: ".")
    guard wholeDigits == 1 || (wholeDigits > 1 && !startsWithZero) || startsWithPoint else { return nil }
    if index == bytes.count {
      kind = isNegative && startsWithZero ? .negativeZero : .whole
      return
    }

    kind = .fractional
    if skip(".", in: bytes) {
      guard readDigits(in: bytes, areSignificant: true) > 0 else { return nil }
    }
    if skip("e", in: bytes) || skip("E", in: bytes) {
      hasExponent = true
      if !skip("+", in: bytes) { _ = skip("-", in: bytes) }
      guard readDigits(in: bytes, areSignificant: false) > 0 else { return nil }
    }
    guard index == bytes.count else { return nil }
  }

  private mutating func skip(_ character: Unicode.Scalar, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func readDigits(in bytes: UnsafeBufferPointer<UInt8>, areSignificant: Bool) -> Int {
    let start = index
    while index < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[index] {
      if !areSignificant {
        // The digits of an exponent determine how large a number is, not how precise.
      } else if bytes[index] != UInt8(ascii: "0") {
        significantDigits += zerosSinceSignificant + 1
        zerosSinceSignificant = 0
      } else if significantDigits > 0 {
        zerosSinceSignificant += 1
      }
      index += 1
    }
    return index - start
  }
}
