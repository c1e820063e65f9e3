/// Texts as JSON strings.
package enum JSONString {
  /// Writes a text in quotes; what has to be escaped is (RFC 8259, section 7), and nothing else.
  package static func append(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
      case 0x0A: output += "\\n".utf8
      case 0..<0x20:
        output += "\\u00".utf8
        Hexadecimal.append([byte], to: &output)
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}
