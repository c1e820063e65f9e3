extension UInt8 {
  static let quote = UInt8(ascii: "\"")
  static let carriageReturn = UInt8(ascii: "\r")
  static let lineFeed = UInt8(ascii: "\n")
  static let space = UInt8(ascii: " ")
  static let tab = UInt8(ascii: "\t")
  static let backslash = UInt8(ascii: "\\")

  /// Whether this byte continues a character that an earlier byte began (`10xxxxxx`, RFC 3629 section 3).
  var isUTF8Continuation: Bool {
    self & 0b1100_0000 == 0b1000_0000
  }
}
