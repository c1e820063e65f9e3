/// A hash that is the same in every run, unlike Swift's `Hasher`: FNV-1a with 64 bits.
///
/// It detects mistakes, and is no protection from an attacker. https://www.rfc-editor.org/rfc/rfc9923
package struct FNVHash {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  package mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

  package mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
  }
}
