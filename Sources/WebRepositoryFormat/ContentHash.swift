/// A hash of the content of a body: the same for the same bytes, and in practice different for other bytes.
///
/// The hash distinguishes versions, and is no protection from deliberate collisions.
package struct ContentHash {
  private var (first, second): (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x9E37_79B9_7F4A_7C15)

  package init() {}

  package mutating func add(_ bytes: [UInt8]) {
    for byte in bytes {
      first = (first ^ UInt64(byte)) &* 0x100_0000_01B3
      second = (second &+ UInt64(byte) &+ 1) &* 0xD6E8_FEB8_6659_FD93
      second ^= second >> 32
    }
  }

  package var text: String { String(first, radix: 36) + String(second, radix: 36) }

  package static func text(of bytes: [UInt8]) -> String {
    var hash = ContentHash()
    hash.add(bytes)
    return hash.text
  }
}
