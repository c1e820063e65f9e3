import TestSupport
import Testing

@testable import CSV

@Suite("Numbers and texts as bytes")
struct NumericFormTests {
  @Test(
    "An integer is what Swift reads and writes alike",
    arguments: [
      "0", "1", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "-9223372036854775809",
      "18446744073709551616", "99999999999999999999", "", "-", "-0", "00", "01", "+1", "1 ", "1.0", "1e3", "١",
    ])
  func integer(text: String) {
    let expected = Int64(text).flatMap { $0.description == text ? $0 : nil }
    #expect(Array(text.utf8).withUnsafeBufferPointer(NumericForm.integer) == expected)
  }

  @Test("A short real is read as Swift reads it", arguments: SplitMix64.seeds)
  func real(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<20_000 {
      let digits = (0..<1 + random.below(16)).map { _ in String(random.below(10)) }
      var text = random.chance(0.3) ? "-" : ""
      let point = random.below(digits.count + 1)
      text += digits[..<point].joined() + (random.chance(0.8) ? "." : "") + digits[point...].joined()
      guard let real = Array(text.utf8).withUnsafeBufferPointer(NumericForm.shortReal) else { continue }
      #expect(real.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
  }

  @Test(
    "What is no short real is left to others",
    arguments: [
      "", "-", ".", "1.", ".5", "1e3", "1.2.3", "0x1", "nan", "1234567890123456", "1,5", "12345678901.234567",
    ])
  func noReal(text: String) {
    #expect(Array(text.utf8).withUnsafeBufferPointer(NumericForm.shortReal) == nil)
  }

  @Test("Bytes are UTF-8 if Swift takes them for it", arguments: SplitMix64.seeds)
  func encoding(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let edges: [UInt8] = [
      0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
      0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    for _ in 0..<50_000 {
      let bytes = (0..<random.below(6)).map { _ in random.pick(edges) }
      let isValid = bytes.withUnsafeBufferPointer(UTF8Check.isValid)
      #expect(isValid == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
    }
    for character in ["é", "\u{800}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}", "👍🏽"] {
      #expect(Array(character.utf8).withUnsafeBufferPointer(UTF8Check.isValid))
    }
  }
}
