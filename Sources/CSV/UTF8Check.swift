/// Whether bytes are UTF-8, by the table of well-formed sequences in RFC 3629, section 4.
package enum UTF8Check {
  package static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    firstInvalid(in: bytes) == nil
  }

  /// The position of the first byte that begins no character.
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
