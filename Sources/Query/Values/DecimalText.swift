/// The one text of a decimal number, whose order by bytes is the order of numbers.
///
/// In front stands how many digits the number has before its point, and behind a blank the number as one writes it: `001 9.99`
/// stands before `002 12.5`. The less a negative number is, the greater are its digits, so all of these are taken from nine,
/// and `~`, which is greater than a digit and the point, ends them: `-998 0.00~ -9.99` stands before `-998 0.0~ -9.9`, and each
/// `-` before each digit. Whatever the sign, what follows the last blank is the number.
///
/// A database compares such texts, keeps them unique and finds them by an index without knowing what they are.
package enum DecimalText {
  /// How many digits a number may have, as many as each `Decimal` has.
  static let maximumDigitCount = 38
  /// The powers of ten between which a `Decimal` keeps its digits.
  private static let exponents = -128...127

  /// The text of a number that is written as `-12.50`, `7` or `1e-05`; `nil` for what is none, and for one of more digits.
  package static func canonical(_ number: some StringProtocol) -> String? { ParsedDecimal(number)?.canonical }

  /// The text of a real: that of the decimal number with the fewest digits that reads as it. `nil` where it has more digits than
  /// each real keeps, 15, so that another number may have been meant, and for infinities.
  package static func canonical(_ real: Double) -> String? {
    guard let number = ParsedDecimal(real.description), number.digits.count <= 15 else { return nil }
    return number.canonical
  }

  /// Whether a text is the one text of a number.
  package static func isCanonical(_ text: String) -> Bool {
    guard let number = number(text) else { return false }
    return canonical(number) == text
  }

  /// What stands behind the last blank of a text: the number, where the text is that of one.
  static func number(_ text: String) -> Substring? {
    text.utf8.lastIndex(of: UInt8(ascii: " ")).map { text[text.utf8.index(after: $0)...] }
  }

  /// A number by its digits.
  private struct ParsedDecimal {
    let isNegative: Bool
    /// Without zeros at either end; none for zero.
    let digits: [UInt8]
    /// How many of the digits stand before the point; less than none where zeros follow the point.
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
      guard digits.count <= maximumDigitCount, exponents.contains(point - digits.count) else { return nil }
      (self.digits, self.point) = (Array(digits), point)
    }

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
