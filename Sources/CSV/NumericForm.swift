/// What number a text is, if it is one that can be read and written again without loss.
enum NumericForm: Equatable {
  /// A whole number exactly as `Int64` writes it.
  case integer(Int64)
  /// A number that a `Double` holds, see ``ColumnTypeDetector``.
  case real
  case none

  /// The decimal digits that identify any `Double`: 17, from `ceil(1 + 53 * log10(2))`.
  private static let maximumSignificantDigits = 17

  init(_ text: String) {
    var copy = text
    guard let shape = copy.withUTF8({ Shape($0) }) else {
      self = .none
      return
    }
    switch shape.kind {
    case .whole:
      self = Int64(text).map(Self.integer) ?? .none
    case .negativeZero:
      self = .real
    case .fractional where shape.significantDigits <= Self.maximumSignificantDigits:
      // A number that is too small becomes zero without a word.
      let value = Double(text) ?? .nan
      self = value.isFinite && (value != 0 || shape.significantDigits == 0) ? .real : .none
    case .fractional:
      self = .none
    }
  }
}

/// How a number is written: `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`.
private struct Shape {
  enum Kind {
    case whole
    /// A whole number that no integer is.
    case negativeZero
    case fractional
  }

  private(set) var kind = Kind.whole
  /// The digits from the first to the last that is not zero, without the exponent.
  private(set) var significantDigits = 0
  private var zerosSinceSignificant = 0
  private var index = 0

  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    let isNegative = skip("-", in: bytes)
    let startsWithZero = index < bytes.count && bytes[index] == UInt8(ascii: "0")
    let wholeDigits = readDigits(in: bytes, areSignificant: true)
    guard wholeDigits == 1 || (wholeDigits > 1 && !startsWithZero) else { return nil }
    if index == bytes.count {
      kind = isNegative && startsWithZero ? .negativeZero : .whole
      return
    }

    kind = .fractional
    if skip(".", in: bytes) {
      guard readDigits(in: bytes, areSignificant: true) > 0 else { return nil }
    }
    if skip("e", in: bytes) || skip("E", in: bytes) {
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
        // The digits of an exponent say how large a number is, not how precise.
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
