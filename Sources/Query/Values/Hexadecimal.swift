/// Bytes as text, two small digits each.
package enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  /// Writes the digits of bytes.
  package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
    text.reserveCapacity(text.count + bytes.count * 2)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 0xF)])
    }
  }
}
