import Repository

/// A color of sRGB with eight bits a channel. It is kept as its text: `#E60012`, or `#E6001280` where it is not opaque.
struct Color: Hashable, RawRepresentable, ValueConvertible, Encodable {
  let red, green, blue, alpha: UInt8

  init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// Reads three, four, six or eight hexadecimal digits, behind a `#` or without it, as CSS does.
  init?(rawValue: String) {
    var digits = rawValue.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == rawValue.utf8.count - (rawValue.hasPrefix("#") ? 1 : 0) else { return nil }
    if digits.count < 6 { digits = digits.flatMap { [$0, $0] } }
    guard [6, 8].contains(digits.count) else { return nil }
    let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    self.init(red: bytes[0], green: bytes[1], blue: bytes[2], alpha: bytes.count > 3 ? bytes[3] : 255)
  }

  var rawValue: String {
    let channels = [red, green, blue] + (alpha == 255 ? [] : [alpha])
    return "#" + channels.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }
}

/// A color of a list by its name there.
struct NamedColor: Hashable, Encodable {
  var name: String
  var color: Color
}

/// Colors with names, in order.
struct ColorList: Hashable, Encodable {
  var name: String
  var colors: [NamedColor]
}
