/// The functions of texts that return a part of a text, or another text. They count Unicode scalars, from 1.
enum TextFunctions {
  /// Returns a text without blanks, tabs and line ends at its beginning and its end.
  static func trim(_ text: String) -> String {
    let isBlank = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" }
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !isBlank($0) }),
      let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(scalars[first...last])
  }

  /// Returns a text with another in place of each occurrence of a part, from left to right.
  static func replace(_ text: String, _ part: String, _ replacement: String) -> String {
    let (bytes, part) = (Array(text.utf8), Array(part.utf8))
    var (result, position) = ([UInt8](), 0)
    while let found = firstPosition(of: part, in: bytes, from: position), !part.isEmpty {
      result += bytes[position..<found]
      result += replacement.utf8
      position = found + part.count
    }
    if position == 0 { return text }
    result += bytes[position...]
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the part of a text from a position on; null for a position before the first, and for a negative count.
  static func substring(_ text: String, _ start: Int64, _ count: Int64?) -> Value {
    guard start >= 1, count ?? 0 >= 0 else { return .null }
    let rest = text.unicodeScalars.dropFirst(Int(start - 1))
    return .text(String(count.map { rest.prefix(Int($0)) } ?? rest))
  }

  /// Returns the position of the first occurrence of a part; 0 without one.
  static func position(_ text: String, _ part: String) -> Int64 {
    let bytes = Array(text.utf8)
    guard let found = firstPosition(of: Array(part.utf8), in: bytes, from: 0) else { return 0 }
    return Int64(String(decoding: bytes[..<found], as: UTF8.self).unicodeScalars.count) + 1
  }

  /// Returns one of the parts between separators, from 1; null without such a part, and for an empty separator.
  static func part(_ text: String, _ separator: String, _ number: Int64) -> Value {
    let (bytes, separator) = (Array(text.utf8), Array(separator.utf8))
    guard number >= 1, !separator.isEmpty else { return .null }
    var (start, rest) = (0, number)
    while true {
      let end = firstPosition(of: separator, in: bytes, from: start)
      rest -= 1
      if rest == 0 { return .text(String(decoding: bytes[start..<(end ?? bytes.count)], as: UTF8.self)) }
      guard let end else { return .null }
      start = end + separator.count
    }
  }

  /// Returns the integer of digits, perhaps after a minus; `nil` for other texts, and beyond 64 bits.
  static func integer(_ text: String) -> Int64? {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    guard 1...19 ~= digits.count, digits.allSatisfy(isDigit) else { return nil }
    return Int64(text)
  }

  /// Returns the real of digits with a point or without, perhaps after a minus; `nil` for other texts.
  static func number(_ text: String) -> Double? {
    let spelled = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    let parts = spelled.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ 1...200 ~= $0.count && $0.allSatisfy(isDigit) }) else { return nil }
    return Double(text)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  /// The first occurrence of bytes; in UTF-8, it is one of characters, too.
  private static func firstPosition(of part: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    var position = start
    while position + part.count <= bytes.count {
      if bytes[position...].starts(with: part) { return position }
      position += 1
    }
    return nil
  }
}
