/// The validation of UTF-8, by the table of well-formed sequences in RFC 3629, section 4.
package enum UTF8Check {
  package static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    firstInvalid(in: bytes) == nil
  }

  /// Returns the position of the first byte that begins no character.
  package static func firstInvalid(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var index = 0
    while index < bytes.count {
      let first = bytes[index]
      if first < 0x80 {
        index += 1
        continue
      }
      let length: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch first {
      case 0xC2...0xDF: length = 2
      case 0xE0: (length, second) = (3, 0xA0...0xBF)
      case 0xED: (length, second) = (3, 0x80...0x9F)
      case 0xE1...0xEF: length = 3
      case 0xF0: (length, second) = (4, 0x90...0xBF)
      case 0xF1...0xF3: length = 4
      case 0xF4: (length, second) = (4, 0x80...0x8F)
      default: return index
      }
      guard index + length <= bytes.count, second ~= bytes[index + 1] else { return index }
      for next in index + 2..<max(index + 2, index + length) where !bytes[next].isUTF8Continuation { return index }
      index += length
    }
    return nil
  }
}

// The bytes with a meaning in delimited text.
extension UInt8 {
  static let quote = UInt8(ascii: "\"")
  static let carriageReturn = UInt8(ascii: "\r")
  static let lineFeed = UInt8(ascii: "\n")
  static let space = UInt8(ascii: " ")
  static let tab = UInt8(ascii: "\t")
  static let backslash = UInt8(ascii: "\\")

  /// The byte that this letter denotes after a backslash in tab-separated values; `nil` if there is no such escape.
  var escapedByte: UInt8? {
    switch self {
    case UInt8(ascii: "t"): .tab
    case UInt8(ascii: "n"): .lineFeed
    case UInt8(ascii: "r"): .carriageReturn
    case .backslash: .backslash
    default: nil
    }
  }

  /// Whether this byte continues a character that an earlier byte began (`10xxxxxx`, RFC 3629 section 3).
  var isUTF8Continuation: Bool {
    self & 0b1100_0000 == 0b1000_0000
  }
}
