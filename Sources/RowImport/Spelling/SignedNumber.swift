import CSV

/// A number with what people write around it: a currency or a percent sign, parentheses or a minus behind it for a negative one,
/// and a dash beside a currency for zero, as spreadsheets show it.
struct SignedNumber {
  /// The currency or the percent sign; empty where there is none.
  let unit: String
  /// The number without all of that, with a minus in front if it is negative.
  private let number: String
  /// Whether a dash replaced the decimals, as in `5.-` and `5,-`.
  private let isWhole: Bool

  /// Whether no digit of the number is other than 0.
  var isZero: Bool { !number.utf8.contains { UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0 } }

  /// Whether the text is the number alone.
  let isPlain: Bool

  /// Longer texts are no numbers.
  static let maximumByteCount = 60

  private static let currencies: Set<String> = Set(
    """
    AED AUD BGN BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS INR ISK JPY KRW MXN NOK NZD PLN RON RUB SAR SEK SGD THB TRY UAH \
    USD ZAR Fr. kr kr. zł Kč Ft lei R$
    """.split(separator: " ").map(String.init))

  /// Reads a text; `nil` if it is no such number.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    // The first byte of the dashes beyond ASCII is 0xE2.
    let isPossible = bytes.contains { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") || $0 == 0xE2 }
    guard bytes.count <= Self.maximumByteCount, isPossible else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    var reading = Reading(text.unicodeScalars[...])
    guard let number = reading.number() else { return nil }
    isPlain = number == text
    (unit, self.number, isWhole) = (reading.unit, number, reading.isWhole)
  }

  /// Returns the number in the plain notation; `nil` if it is none in a style.
  func number(in style: NumberStyle) -> String? {
    var number = number
    return number.withUTF8 { bytes in
      var field = ImportField(kind: .untyped, bytes: bytes)
      field.numberStyle = style
      if field.isAddress { return nil }
      var plain = field.respelledNumber ?? field.text
      if plain.withUTF8({ NumberSyntax($0) }) == .none { return nil }
      // `1.50.-` would have decimals twice.
      return isWhole && plain.contains(".") ? nil : plain
    }
  }

  private struct Reading {
    private var rest: Substring.UnicodeScalarView
    private(set) var unit = ""
    private(set) var isWhole = false
    /// Whether there was a sign, or parentheses.
    private var hasSign = false
    private var isNegative = false

    init(_ text: Substring.UnicodeScalarView) { rest = text }

    mutating func number() -> String? {
      rest.trimBlanksOfNumbers()
      if acceptZero() { return "0" }
      // `(5) €` and `$(5)` have the unit outside of the parentheses.
      let (isOpened, isClosed) = (rest.first == "(", rest.last == ")")
      if isOpened != isClosed { acceptUnit(atEnd: isOpened) }
      if rest.first == "(", rest.last == ")" {
        rest = rest.dropFirst().dropLast()
        (hasSign, isNegative) = (true, true)
        rest.trimBlanksOfNumbers()
      }
      guard acceptSign(atEnd: false) else { return nil }
      if unit.isEmpty { acceptUnit(atEnd: false) }
      guard acceptSign(atEnd: false), acceptEnd() else { return nil }
      if unit.isEmpty {
        acceptUnit(atEnd: true)
        if !unit.isEmpty, !acceptEnd() { return nil }
      }
      guard let first = rest.first, first == "." || first == "," || Self.isDigit(first) else { return nil }
      // `1.` is 1.
      if rest.last == ".", rest.dropLast().allSatisfy(Self.isDigit) { rest.removeLast() }
      return (isNegative ? "-" : "") + String(rest)
    }

    /// Accepts a dash beside a unit, as in `-   €`, which is how spreadsheets show zero.
    private mutating func acceptZero() -> Bool {
      var zero = self
      zero.acceptUnit(atEnd: false)
      if zero.unit.isEmpty { zero.acceptUnit(atEnd: true) }
      guard !zero.unit.isEmpty, zero.rest.count == 1, let dash = zero.rest.first, Self.dashes.contains(dash) else {
        return false
      }
      self = zero
      return true
    }

    private static let dashes: [Unicode.Scalar] = ["-", "\u{2212}", "\u{2013}", "\u{2014}"]

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    /// Accepts a dash for the decimals, as in `5.-`, or a sign.
    ///
    /// - Returns: `false` for a second sign.
    private mutating func acceptEnd() -> Bool {
      let end = Array(rest.suffix(3))
      guard end.count == 3, Self.isDigit(end[0]), end[1] == "." || end[1] == ",",
        Self.dashes.contains(end[2])
      else { return acceptSign(atEnd: true) }
      isWhole = true
      rest = rest.dropLast(2)
      return true
    }

    /// - Returns: `false` for a second sign.
    private mutating func acceptSign(atEnd: Bool) -> Bool {
      guard let sign = atEnd ? rest.last : rest.first, sign == "-" || sign == "\u{2212}" || sign == "+" && !atEnd else {
        return true
      }
      if hasSign { return false }
      (hasSign, isNegative) = (true, sign != "+")
      if atEnd { rest.removeLast() } else { rest.removeFirst() }
      rest.trimBlanksOfNumbers()
      return true
    }

    private mutating func acceptUnit(atEnd: Bool) {
      let isPart = { (scalar: Unicode.Scalar) in
        !Self.isDigit(scalar) && !" \u{A0}\u{202F}-\u{2212}\u{2013}\u{2014}+,'()".unicodeScalars.contains(scalar)
      }
      var part =
        atEnd
        ? String(String.UnicodeScalarView(rest.reversed().prefix(while: isPart).reversed()))
        : String(rest.prefix(while: isPart))
      // The point of a number, and not that of an abbreviation.
      if !SignedNumber.currencies.contains(part) {
        if atEnd, part.hasPrefix(".") { part.removeFirst() }
        if !atEnd, part.hasSuffix("."), part != "Fr.", part != "kr." { part.removeLast() }
      }
      let scalars = part.unicodeScalars
      let isSymbol = scalars.count == 1 && scalars.first?.properties.generalCategory == .currencySymbol
      guard isSymbol || SignedNumber.currencies.contains(part) || atEnd && part == "%" else { return }
      unit = part
      rest = atEnd ? rest.dropLast(scalars.count) : rest.dropFirst(scalars.count)
      rest.trimBlanksOfNumbers()
    }
  }
}
