/// A number that differs where answers do, in any value or in their order: FNV-1a, https://www.rfc-editor.org/rfc/rfc9923
///
/// It is made outside the time that is measured.
package struct Digest: Hashable, Sendable {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  package mutating func feed(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) { feed(byte: UInt8(truncatingIfNeeded: number >> shift)) }
  }

  package mutating func feed(_ number: Int) { feed(UInt64(bitPattern: Int64(number))) }

  package mutating func feed(_ number: Double) { feed(number.bitPattern) }

  package mutating func feed(_ text: String?) {
    guard let text else { return feed(byte: 0xFE) }
    for byte in text.utf8 { feed(byte: byte) }
    // No byte of a text.
    feed(byte: 0xFF)
  }

  package mutating func feed(_ pokemon: Pokemon) {
    feed(pokemon.id)
    feed(pokemon.name)
    feed(pokemon.type.rawValue)
    feed(pokemon.secondType?.rawValue)
    feed(pokemon.weight)
    feed(pokemon.height)
    feed(pokemon.generation)
    feed(pokemon.isLegendary ? 1 : 0)
    feed(pokemon.habitat)
    feed(pokemon.text)
  }

  private mutating func feed(byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
