/// Base64, the encoding of bytes as text of 64 characters (RFC 4648).
package enum Base64 {
  private static let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
  private static let letters = Array((common + "+/").utf8)
  private static let lettersForURLs = Array((common + "-_").utf8)

  /// Returns the standard base64 text of bytes (section 4), with `+`, `/` and padding.
  package static func text(_ bytes: [UInt8]) -> String {
    let digits = digits(of: bytes, letters)
    return String(decoding: digits, as: UTF8.self) + String(repeating: "=", count: (4 - digits.count % 4) % 4)
  }

  /// Returns the base64url text of bytes (section 5), which needs no escapes in a URL: with `-` and `_`, without padding.
  static func textForURLs(_ bytes: [UInt8]) -> String {
    String(decoding: digits(of: bytes, lettersForURLs), as: UTF8.self)
  }

  private static func digits(of bytes: [UInt8], _ letters: [UInt8]) -> [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity((bytes.count * 4 + 2) / 3)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = (0..<3).reduce(UInt32(0)) { $0 << 8 | ($1 < group.count ? UInt32(group[start + $1]) : 0) }
      for index in 0...group.count { digits.append(letters[Int(bits >> UInt32(18 - 6 * index) & 0x3F)]) }
    }
    return digits
  }

  /// Returns the bytes of a standard base64 text, padding included.
  ///
  /// - Returns: `nil` if the text is not exactly what ``text(_:)`` writes.
  package static func bytes(forText text: String) -> [UInt8]? {
    guard text.utf8.count.isMultiple(of: 4) else { return nil }
    let digits = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed()
    guard text.utf8.count - digits.count <= 2, digits.allSatisfy({ $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") })
    else { return nil }
    let forURLs = digits.map { digit in
      switch digit {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: digit
      }
    }
    return bytes(forURLText: String(decoding: forURLs, as: UTF8.self))
  }

  /// Returns the bytes of a base64url text.
  ///
  /// - Returns: `nil` if the text has other characters, or a length or last bits that no encoding has.
  static func bytes(forURLText text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for letter in text.utf8 {
      guard let sextet = sextet(letter) else { return nil }
      bits = bits << 6 | sextet
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        bits &= (1 << count) - 1
      }
    }
    return count < 6 && bits == 0 ? bytes : nil
  }

  private static func sextet(_ letter: UInt8) -> UInt32? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter) + 4
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}

/// Bytes and numbers as hexadecimal digits, in lowercase by default.
package enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  /// Appends the two digits of a byte.
  package static func append(_ byte: UInt8, to text: inout [UInt8]) {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 0xF)])
  }

  /// Appends the digits of bytes, two each.
  package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
    text.reserveCapacity(text.count + bytes.count * 2)
    for byte in bytes { append(byte, to: &text) }
  }

  /// Returns the digits of a number, with leading zeros up to a minimum count.
  package static func digits(
    of number: some BinaryInteger, atLeast count: Int, inUppercase isUppercase: Bool = false
  ) -> String {
    let digits = String(number, radix: 16, uppercase: isUppercase)
    return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
  }

  /// Returns the digits of bytes.
  package static func digits(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    append(bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit; `nil` for any other byte.
  package var hexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
