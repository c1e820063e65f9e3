/// The canonical text of a decimal number, whose order by bytes is that of numbers.
///
/// It begins with the number of digits before the point, followed by a blank and the number in plain notation: `001 9.99` sorts
/// before `002 12.5`. A negative number with larger digits is smaller, so its digits and their count are subtracted from nine,
/// and `~`, which sorts after digits and the point, ends the digits: `-998 0.00~ -9.99` sorts before `-998 0.0~ -9.9`, and each
/// `-` before each digit. Whatever the sign, the text after the last blank is the number.
///
/// A database compares such texts, enforces their uniqueness and finds them by an index as plain texts.
package enum DecimalText {
  /// The maximum number of digits: as many as every `Decimal` can hold.
  static let maximumDigitCount = 38
  /// The exponents of ten that a `Decimal` can have.
  private static let exponents = -128...127

  /// Returns the text of a number that is written as `-12.50`, `7` or `1e-05`; `nil` if it is not a number, or one that a
  /// `Decimal` can't hold.
  package static func canonical(_ number: some StringProtocol) -> String? {
    ParsedDecimal(number).flatMap { $0.fitsDecimal ? $0.canonical : nil }
  }

  /// Returns the text of a number with more digits than a `Decimal` can hold, for a database whose own type has them; `nil` if it
  /// is not a number, or has more digits before the point than the prefix counts.
  package static func unlimited(_ number: some StringProtocol) -> String? {
    ParsedDecimal(number).flatMap { $0.point < 900 ? $0.canonical : nil }
  }

  /// Returns the number in plain notation, if the text is canonical, with any number of digits.
  package static func plain(_ text: String) -> String? {
    guard let number = number(text), unlimited(number) == text else { return nil }
    return String(number)
  }

  /// Returns the number in plain notation, with at least as many digits behind the point.
  package static func plain(_ text: String, scale: Int) -> String? {
    guard let number = plain(text) else { return nil }
    let digits = number.split(separator: ".").dropFirst().first?.utf8.count ?? 0
    if digits >= scale { return number }
    return number + (digits == 0 ? "." : "") + String(repeating: "0", count: scale - digits)
  }

  /// Returns the number of digits before the point of a canonical text, without leading zeros, and after the point. The first is
  /// negative for zeros between the point and the first digit.
  static func digitCounts(_ text: String) -> (whole: Int, fraction: Int)? {
    number(text).flatMap { ParsedDecimal($0) }.map { ($0.point, max($0.digits.count - $0.point, 0)) }
  }

  /// Returns the text of the decimal with the fewest digits that reads as a given real. `nil` for infinities, and for more than
  /// the 15 digits that every real preserves: the real may have been rounded from another decimal.
  package static func canonical(_ real: Double) -> String? {
    guard let number = ParsedDecimal(real.description), number.digits.count <= 15, number.fitsDecimal else {
      return nil
    }
    return number.canonical
  }

  /// Returns whether a text is the canonical text of a number.
  package static func isCanonical(_ text: String) -> Bool {
    guard let number = number(text) else { return false }
    return canonical(number) == text
  }

  /// Returns the text after the last blank: the number in plain notation, if the text is canonical.
  static func number(_ text: String) -> Substring? {
    text.utf8.lastIndex(of: UInt8(ascii: " ")).map { text[text.utf8.index(after: $0)...] }
  }

  /// The digits and the point of a number.
  private struct ParsedDecimal {
    let isNegative: Bool
    /// The digits without zeros at either end; empty for zero.
    let digits: [UInt8]
    /// The number of digits before the point; negative if zeros follow the point.
    let point: Int

    init?(_ number: some StringProtocol) {
      var rest = Array(number.utf8)[...]
      isNegative = rest.first == UInt8(ascii: "-")
      if isNegative { rest.removeFirst() }
      var digits = Self.digits(&rest)
      var point = digits.count
      if digits.isEmpty { return nil }
      if rest.first == UInt8(ascii: ".") {
        rest.removeFirst()
        let fraction = Self.digits(&rest)
        if fraction.isEmpty { return nil }
        digits += fraction
      }
      if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
        rest.removeFirst()
        let isSmall = rest.first == UInt8(ascii: "-")
        if isSmall || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        let exponent = Self.digits(&rest)
        guard (1...4).contains(exponent.count) else { return nil }
        let power = exponent.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        point += isSmall ? -power : power
      }
      guard rest.isEmpty else { return nil }
      let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
      digits.removeFirst(zeros)
      point -= zeros
      while digits.last == UInt8(ascii: "0") { digits.removeLast() }
      if digits.isEmpty { point = 0 }
      (self.digits, self.point) = (Array(digits), point)
    }

    /// Whether a `Decimal` can hold the number.
    var fitsDecimal: Bool { digits.count <= maximumDigitCount && exponents.contains(point - digits.count) }

    private static func digits(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest.dropFirst(digits.count)
      return digits
    }

    var canonical: String {
      func zeros(_ count: Int) -> [UInt8] { Array(repeating: UInt8(ascii: "0"), count: max(count, 0)) }
      let whole = point > 0 ? digits.prefix(point) + zeros(point - digits.count) : zeros(1)
      let fraction = point > 0 ? Array(digits.dropFirst(point)) : zeros(digits.isEmpty ? 0 : -point) + digits
      let number = whole + (fraction.isEmpty ? [] : [UInt8(ascii: ".")] + fraction)
      let isNegative = isNegative && !digits.isEmpty
      let size = isNegative ? 999 - whole.count : whole.count
      let prefix = "\(size / 100)\(size / 10 % 10)\(size % 10) "
      let plain = String(decoding: number, as: UTF8.self)
      if !isNegative { return prefix + plain }
      let opposite = number.map { $0 == UInt8(ascii: ".") ? $0 : UInt8(ascii: "9") - ($0 - UInt8(ascii: "0")) }
      return "-\(prefix)\(String(decoding: opposite, as: UTF8.self))~ -\(plain)"
    }
  }
}

extension Value {
  /// The text of the decimal that the value represents; `nil` if it represents none.
  package var decimalText: String? {
    switch self {
    case .integer(let integer): DecimalText.canonical("\(integer)")
    case .real(let real): DecimalText.canonical(real)
    case .text(let text): DecimalText.canonical(text)
    case .null, .blob: nil
    }
  }
}
