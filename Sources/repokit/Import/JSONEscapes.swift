import CSV

/// The escapes in the strings of JSON (RFC 8259, section 7).
enum JSONEscapes {
  /// Undoes the escapes of a string.
  ///
  /// - Parameters:
  ///   - bytes: what stands between the quotes.
  ///   - start: where that is, for mistakes.
  ///   - scratch: where the text goes.
  static func undo(
    _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, in scratch: inout ScratchBytes
  ) throws(JSONCursor.Stop) -> UnsafeBufferPointer<UInt8> {
    var failure: JSONCursor.Stop?
    let text = scratch.keep(atMost: bytes.count) { room in
      do throws(JSONCursor.Stop) {
        return try undo(bytes, at: start, into: room)
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    return text
  }

  private static func undo(
    _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, into room: UnsafeMutableBufferPointer<UInt8>
  ) throws(JSONCursor.Stop) -> Int {
    var index = 0
    var written = 0
    while index < bytes.count {
      if bytes[index] != UInt8(ascii: "\\") {
        room[written] = bytes[index]
        (index, written) = (index + 1, written + 1)
        continue
      }
      let escape = index
      index += 2
      if let byte = meaning(of: bytes[escape + 1]) {
        room[written] = byte
        written += 1
        continue
      }
      guard bytes[escape + 1] == UInt8(ascii: "u") else {
        throw .mistake("this is no escape", at: start + escape, suggestion: "a backslash is written \\\\")
      }
      var scalar = try codeUnit(bytes, &index, of: start + escape)
      if 0xD800...0xDFFF ~= scalar {
        // Beyond U+FFFF, a scalar is written as a pair.
        guard scalar < 0xDC00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
          bytes[index + 1] == UInt8(ascii: "u")
        else { throw half(at: start + escape) }
        index += 2
        let trail = try codeUnit(bytes, &index, of: start + escape)
        guard 0xDC00...0xDFFF ~= trail else { throw half(at: start + escape) }
        scalar = 0x10000 + (scalar - 0xD800) << 10 + (trail - 0xDC00)
      }
      // An escape is longer than its character.
      for byte in UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter {
        room[written] = byte
        written += 1
      }
    }
    return written
  }

  private static func half(at position: Int) -> JSONCursor.Stop {
    .mistake("half of a pair of escapes is no character", at: position, suggestion: nil)
  }

  /// Reads four hexadecimal digits.
  private static func codeUnit(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, of escape: Int
  ) throws(JSONCursor.Stop) -> UInt32 {
    var unit: UInt32 = 0
    for position in index..<index + 4 {
      guard position < bytes.count, let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue,
        bytes[position] < 0x80
      else { throw .mistake("\\u takes four hexadecimal digits", at: escape, suggestion: nil) }
      unit = unit << 4 | UInt32(digit)
    }
    index += 4
    return unit
  }

  private static func meaning(of letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }
}
