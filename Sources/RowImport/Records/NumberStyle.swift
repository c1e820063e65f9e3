/// The style in which a file writes numbers.
package enum NumberStyle: Hashable, Sendable {
  /// `1234.5`.
  case plain
  /// `1234,5`, and `1.234,5` with points, blanks or apostrophes between thousands.
  case decimalComma
  /// `1,234.5`, with commas, blanks or apostrophes between thousands.
  case thousandsComma
}

extension ImportField {
  /// The text in the plain notation of numbers: without blanks around it, without a plus sign, without separators of thousands,
  /// and with a decimal point; `nil` if the text has nothing to change.
  var respelledNumber: String? {
    guard kind == .untyped, let first = bytes.first else { return nil }
    let isSpaced = Self.blanks.contains { blank in
      bytes.starts(with: blank) || bytes.count >= blank.count && bytes.suffix(blank.count).elementsEqual(blank)
    }
    let isSigned = first == UInt8(ascii: "+") || isSpaced && bytes.contains(UInt8(ascii: "+"))
    let isGrouped = numberStyle != .plain && bytes.contains { ",.' ".utf8.contains($0) || $0 >= 0x80 }
    if !isSpaced, !isSigned, !isGrouped { return nil }
    var number = text
    if isSpaced { number = Self.trimmed(number) }
    if isSigned { number = Self.withoutPlus(number, numberStyle) }
    return isGrouped && number.first != "+" ? Self.ungrouped(number, numberStyle) : number
  }

  /// A space and the two no-break spaces, U+00A0 and U+202F, which spreadsheets write.
  private static let blanks: [[UInt8]] = [[0x20], [0xC2, 0xA0], [0xE2, 0x80, 0xAF]]

  private static func trimmed(_ text: String) -> String {
    var scalars = text.unicodeScalars[...]
    scalars.trimBlanksOfNumbers()
    return String(scalars)
  }

  /// Whether the text begins as a telephone number with the code of a country: `+49 170 123456`.
  var isTelephoneNumber: Bool {
    bytes.first == UInt8(ascii: "+") && bytes.count { 0x30...0x39 ~= $0 } > 6
      && bytes.allSatisfy { 0x30...0x39 ~= $0 || "+ ./()-".utf8.contains($0) }
  }

  /// Returns `+5` as `5`. A plus before seven digits or more begins a telephone number, which stays a text, as does one with
  /// blanks or points between the digits.
  private static func withoutPlus(_ text: String, _ style: NumberStyle) -> String {
    guard text.hasPrefix("+") else { return text }
    let number = text.dropFirst()
    let point = UInt8(ascii: style == .decimalComma ? "," : ".")
    let digits = number.utf8.prefix { $0 != point }.count { 0x30...0x39 ~= $0 }
    // A text with two signs is no number.
    return digits > 6 || number.hasPrefix("-") ? text : String(number)
  }

  /// Returns `1.234,5` or `1,234.5` as `1234.5`; the empty text, which is no number, unless three digits follow each separator of
  /// thousands. Blanks, as in France, and apostrophes, as in Switzerland, may separate thousands, too.
  private static func ungrouped(_ text: String, _ style: NumberStyle) -> String {
    let (group, point): (Character, Character) = style == .decimalComma ? (".", ",") : (",", ".")
    var text = text
    for separator: Character in [" ", "\u{A0}", "\u{202F}", "'", "’"] where text.contains(separator) {
      if text.contains(group) { return "" }
      text = String(text.map { $0 == separator ? group : $0 })
    }
    let parts = text.split(separator: point, omittingEmptySubsequences: false)
    let groups = parts[0].split(separator: group, omittingEmptySubsequences: false)
    let isGrouped =
      groups.count == 1
      || (groups.dropFirst().allSatisfy { $0.utf8.count == 3 } && !groups[0].isEmpty
        && groups[0].drop { $0 == "-" }.utf8.count <= 3)
    if parts.count > 2 || !isGrouped { return "" }
    return groups.joined() + (parts.count == 2 ? "." + parts[1] : "")
  }

  /// Whether the text is more likely an IP address, such as 192.168.100.200, than a number with points between thousands.
  var isAddress: Bool {
    guard numberStyle == .decimalComma, bytes.count <= 15, bytes.contains(UInt8(ascii: ".")) else { return false }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { part in UInt8(part).map { $0.description == part } ?? false }
  }
}

extension Substring.UnicodeScalarView {
  /// Removes the blanks around a number: a space and the two no-break spaces.
  mutating func trimBlanksOfNumbers() {
    let blanks: [Unicode.Scalar] = [" ", "\u{A0}", "\u{202F}"]
    while let first, blanks.contains(first) { removeFirst() }
    while let last, blanks.contains(last) { removeLast() }
  }
}
