/// A database's own type in which a column stores its values, if that is not one of the types of a ``ValueType``: tables of
/// other programs have such columns.
///
/// Each value of such a type corresponds to one ``Value``, in the same order, except as documented. So a comparison can be made
/// in the database's own type, and use its indexes.
package enum NativeColumnType: Hashable, Sendable {
  /// 0 and 1.
  case boolean
  /// Texts of UUIDs, in lowercase.
  case uuid
  /// Texts like `2026-11-20T23:11:00.000000000Z`, and the two infinities; of the fraction digits, at most six are stored.
  case timestamp(hasZone: Bool, digits: Int)
  /// Texts like `2026-11-20`, and the two infinities.
  case day
  /// Decimal numbers of up to 15 digits, some of them after the point, each of which is a distinct real; without digits after
  /// the point, integers of up to 18 digits.
  case decimal(precision: Int, scale: Int)
  /// Decimal numbers of more digits, or of any number of digits, as texts in the format ``ValueFormat/decimal``; with a precision,
  /// of up to as many digits, `scale` of them after the point.
  case numeric(precision: Int?, scale: Int)
  /// Texts without trailing blanks, in an order of the type's own.
  case padded
  /// Texts that the database compares by rules of the type, such as the names of an enumeration.
  case text
  /// Values of any other type, as the texts that the database writes: they are only shown, since the database compares them in ways
  /// of its own.
  case shown

  /// Whether the database orders the type's values as ``Value`` does, so that it can compare them in the type itself.
  package var isOrdered: Bool { self != .padded && self != .text && self != .shown }

  /// Whether the values are days or instants.
  package var isDate: Bool {
    switch self {
    case .timestamp, .day: true
    case .boolean, .uuid, .decimal, .numeric, .padded, .text, .shown: false
    }
  }
}

extension NativeColumnType {
  /// Makes the type for decimal numbers of a precision and a scale; `nil` for both if they are not restricted. A number that a
  /// real or an integer holds exactly is such a value.
  package init(precision: Int?, scale: Int) {
    if let precision, precision <= (scale == 0 ? 18 : 15), 0...precision ~= scale {
      self = .decimal(precision: precision, scale: scale)
    } else {
      self = .numeric(precision: precision, scale: scale)
    }
  }

  /// Returns the type as a column stores it whose values are in a format: decimals are read exactly, as a schema declares them.
  package func holding(_ format: ValueFormat?) -> NativeColumnType {
    if format == .decimal, case .decimal(let precision, let scale) = self {
      return .numeric(precision: precision, scale: scale)
    }
    return self
  }

  /// Whether the values are decimal numbers that are read as texts.
  package var isNumeric: Bool { if case .numeric = self { true } else { false } }
}

// MARK: - Keeping values

extension NativeColumnType {
  /// Returns a value in the form in which the column stores it; `nil` if the column can't hold the value.
  func stored(_ value: Value) -> Value? {
    switch (self, value) {
    case (.timestamp(_, let digits), .text(let text)):
      return TimestampText.microseconds(text, digits: digits).flatMap(TimestampText.text).map(Value.text)
    case (.padded, .text(let text)): return text.utf8.last == UInt8(ascii: " ") ? nil : value
    case (.text, _): return value
    case (.numeric(let precision, let scale), .text(let text)):
      guard let precision, text != "001 0" else { return value }
      // Digits in front of a negative scale are zeros: numeric(3,-2) has hundreds.
      guard let (whole, fraction) = DecimalText.digitCounts(text), whole <= precision - scale, fraction <= max(scale, 0)
      else { return nil }
      return scale >= 0 || text.hasSuffix(String(repeating: "0", count: -scale)) ? value : nil
    default: return least(notLessThan: value) == value ? value : nil
    }
  }

  /// The description of the values that the column can hold, for an error.
  var explanation: String {
    switch self {
    case .boolean: "the column is a boolean: write 0 or 1"
    case .uuid: "write a value such as \(ValueFormat.uuid.example)"
    case .timestamp: "write a value such as \(ValueFormat.date.example)"
    case .day: "write a date such as 2026-11-20"
    case .decimal(let precision, 0): "the column has up to \(precision) digits"
    case .numeric(nil, _): "write a number such as \(ValueFormat.decimal.spelling)"
    case .numeric(let precision?, 0): "the column has up to \(precision) digits"
    case .numeric(let precision?, let scale) where scale < 0:
      "the column has up to \(precision) digits before \(-scale) zeros: round the number"
    case .decimal(let precision, let scale), .numeric(let precision?, let scale):
      "the column has up to \(precision) digits, \(scale) of them after the point: round the number"
    case .padded: "remove the spaces at the end, which the column ignores"
    case .text, .shown: ""
    }
  }
}

extension ColumnSchema {
  /// Returns a value that a user compares with the column as the column stores it: a UUID in another form, and a real of four bytes
  /// by the digits that are shown.
  package func spelled(_ value: Value) -> Value {
    switch value {
    case .text(let text) where nativeType == .uuid: UUIDText.canonical(text).map(Value.text) ?? value
    case .real(let real) where holdsSingles && real.isFinite:
      Double(Float(real).description) == real ? .real(Double(Float(real))) : value
    default: value
    }
  }
}

// MARK: - Comparing values

extension NativeColumnType {
  /// Returns the smallest value that the column can hold and that is not less than another; `nil` if there is none.
  ///
  /// - Parameter value: a value of the column's type.
  package func least(notLessThan value: Value) -> Value? {
    switch (self, value) {
    case (.boolean, .integer(let number)): return number > 1 ? nil : .integer(max(number, 0))
    case (.decimal(let precision, 0), .integer(let number)):
      let greatest = Self.powerOfTen(precision) - 1
      return number > greatest ? nil : .integer(max(number, -greatest))
    case (.decimal(let precision, let scale), .real(let number)):
      let (greatest, divisor) = (Self.powerOfTen(precision) - 1, Double(Self.powerOfTen(scale)))
      // Dividend and divisor are integers that a real represents exactly, so that the quotient is the real that is nearest to
      // the decimal number.
      return Self.first(in: -greatest...greatest) { Double($0) / divisor >= number }.map { .real(Double($0) / divisor) }
    case (.uuid, .text(let text)):
      if ValueFormat.uuid.isCanonical(text) { return value }
      return Self.first(in: UInt128.min...(.max)) { UUIDText.text($0) >= bytes(text) }.map {
        .text(UUIDText.string($0))
      }
    case (.timestamp(_, let digits), .text(let text)):
      let step = Self.powerOfTen(6 - digits)
      return instant(text, in: TimestampText.range.lowerBound / step...TimestampText.range.upperBound / step) {
        TimestampText.text(microseconds: $0 * step)
      }
    case (.day, .text(let text)):
      return instant(text, in: DayText.range) { DayText.text(day: $0) }
    default: return value
    }
  }

  /// Returns the smallest of the texts of instants, between the two infinities, that is not less than a text.
  private func instant(_ text: String, in range: ClosedRange<Int64>, _ write: (Int64) -> String?) -> Value? {
    let sought = bytes(text)
    func isNoLess(_ text: String) -> Bool { !bytes(text).lexicographicallyPrecedes(sought) }
    if isNoLess(TimestampText.pastInfinity) { return .text(TimestampText.pastInfinity) }
    let found = Self.first(in: range) { write($0).map(isNoLess) ?? false }
    if let found = found.flatMap(write) { return .text(found) }
    return isNoLess(TimestampText.infinity) ? .text(TimestampText.infinity) : nil
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// Returns the first number of a range for which a monotonic condition holds.
  private static func first<Number: FixedWidthInteger>(
    in range: ClosedRange<Number>, where condition: (Number) -> Bool
  ) -> Number? {
    guard condition(range.upperBound) else { return nil }
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      // The midpoint, without a sum that could overflow.
      let middle = (low & high) + ((low ^ high) >> 1)
      if condition(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private static func powerOfTen(_ exponent: Int) -> Int64 { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}

private func >= (lhs: [UInt8], rhs: [UInt8]) -> Bool { !lhs.lexicographicallyPrecedes(rhs) }

// MARK: - Texts

/// UUIDs as the texts of their 16 bytes.
package enum UUIDText {
  static func text(_ number: UInt128) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { text(of: $0) }
  }

  static func string(_ number: UInt128) -> String { String(decoding: text(number), as: UTF8.self) }

  /// Returns the text of a UUID's bytes, in UTF-8.
  package static func text(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (position, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(position) { text.append(UInt8(ascii: "-")) }
      Hexadecimal.append(byte, to: &text)
    }
    return text
  }

  /// Returns the canonical text of a UUID, also of one in capitals, in braces, as a URN, or without hyphens.
  package static func canonical(_ text: String) -> String? {
    var digits = text.lowercased()
    if digits.hasPrefix("urn:uuid:") { digits.removeFirst(9) }
    if digits.hasPrefix("{"), digits.hasSuffix("}") { digits = String(digits.dropFirst().dropLast()) }
    if digits.utf8.count == 32, digits.utf8.allSatisfy({ $0 < 0x80 }) {
      for position in [20, 16, 12, 8] { digits.insert("-", at: digits.index(digits.startIndex, offsetBy: position)) }
    }
    return ValueFormat.uuid.isCanonical(digits) ? digits : nil
  }

  /// Returns the bytes of a UUID in lowercase; `nil` for another text.
  package static func bytes(_ text: String) -> [UInt8]? {
    guard ValueFormat.uuid.isCanonical(text) else { return nil }
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }.map { $0 >= UInt8(ascii: "a") ? $0 - 87 : $0 & 0xF }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}

/// Instants as a database counts them, in microseconds since the year 2000, and their texts. The smallest and the largest
/// number are the two infinities.
package enum TimestampText {
  package static let infinity = "infinity"
  package static let pastInfinity = "-infinity"
  /// The years 1 to 9999: texts of other years do not sort by time.
  static let range = -63_082_281_600_000_000...252_455_615_999_999_999 as ClosedRange<Int64>

  /// Returns the text of an instant; `nil` for one outside of the years 1 to 9999.
  package static func text(microseconds: Int64) -> String? {
    if microseconds == .max { return infinity }
    if microseconds == .min { return pastInfinity }
    guard range.contains(microseconds) else { return nil }
    return DateText.text(microsecondsSince2000: microseconds)
  }

  /// Returns the text of an instant as PostgreSQL writes it, `2005-05-24 22:53:30`, with `+00` if its type has a time zone; `nil` for
  /// any other text.
  package static func shown(_ text: String, hasZone: Bool) -> String? {
    guard ValueFormat.dateTemplate.matches(text) else { return nil }
    var fraction = text.dropFirst(20).dropLast()
    while fraction.last == "0" { fraction.removeLast() }
    let time = "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))"
    return "\(time)\(fraction.isEmpty ? "" : ".")\(fraction)\(hasZone ? "+00" : "")"
  }

  /// Returns the instant of a text, rounded to a number of fractional digits; `nil` if it is not an instant.
  package static func microseconds(_ text: String, digits: Int = 6) -> Int64? {
    if text == infinity { return .max }
    if text == pastInfinity { return .min }
    guard let instant = DateText.instant(text) else { return nil }
    // An instant counts from 2001, and the leap year 2000 has 366 days.
    let (seconds, step) = (
      (instant.second + 366 * DateText.secondsPerDay), (0..<(9 - digits)).reduce(Int64(1)) { step, _ in step * 10 }
    )
    let fraction = (instant.nanoseconds + step / 2) / step * step / 1_000
    let microseconds = seconds * 1_000_000 + fraction
    return range.contains(microseconds) ? microseconds : nil
  }
}

/// Days as a database counts them, since the year 2000, and their texts.
package enum DayText {
  static let range = -730_119...2_921_939 as ClosedRange<Int64>
  private static let microsecondsPerDay: Int64 = 86_400_000_000

  /// Returns the text of a day; `nil` for one outside of the years 1 to 9999. The smallest and the largest `Int32` are
  /// infinities.
  package static func text(day: Int64) -> String? {
    if day == Int32.max { return TimestampText.infinity }
    if day == Int32.min { return TimestampText.pastInfinity }
    guard range.contains(day) else { return nil }
    return TimestampText.text(microseconds: day * microsecondsPerDay).map { String($0.prefix(10)) }
  }

  /// Returns the day of a text; `nil` if it is not a day.
  package static func day(_ text: String) -> Int32? {
    if text == TimestampText.infinity { return .max }
    if text == TimestampText.pastInfinity { return .min }
    guard text.utf8.count == 10 else { return nil }
    return TimestampText.microseconds(text + "T00:00:00.000000000Z").map { Int32($0 / microsecondsPerDay) }
  }
}
