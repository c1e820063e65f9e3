import Query
import Testing
import TestSupport

@Suite("Integers and reals compare by mathematical value, exactly")
struct NumberOrderTests {
  /// What the order of an integer and a finite real is, found without rounding: the real is a 53-bit whole number times
  /// a power of two, so both sides are scaled to whole numbers of 128 bits.
  static func order(_ integer: Int64, _ real: Double) -> Int {
    if real == 0 { return Int(integer.signum()) }
    // |real| = bits * 2^shift
    let bits = Int128(real.significandBitPattern | (real.isNormal ? 1 << 52 : 0))
    let shift = (real.isNormal ? Int(real.exponent) : -1022) - 52
    let sign: Int128 = real < 0 ? -1 : 1
    if shift > 11 { return real < 0 ? 1 : -1 }  // |real| >= 2^64
    if shift < -60 {  // |real| < 2^-7
      return integer == 0 ? -Int(sign) : Int(integer.signum())
    }
    let (lhs, rhs) =
      shift >= 0
      ? (Int128(integer), sign * (bits << Int128(shift)))
      : (Int128(integer) << Int128(-shift), sign * bits)
    return lhs < rhs ? -1 : lhs > rhs ? 1 : 0
  }

  @Test("The reference itself is right where doubles round")
  func reference() {
    #expect(Self.order(9_007_199_254_740_993, 0x1p53) == 1)
    #expect(Self.order(9_007_199_254_740_992, 0x1p53) == 0)
    #expect(Self.order(9_007_199_254_740_991, 0x1p53) == -1)
    #expect(Self.order(.max, 0x1p63) == -1)
    #expect(Self.order(.min, -0x1p63) == 0)
    #expect(Self.order(.min, (-0x1p63).nextDown) == 1)
    #expect(Self.order(0, .leastNonzeroMagnitude) == -1)
    #expect(Self.order(0, -.leastNonzeroMagnitude) == 1)
    #expect(Self.order(-1, -1.5) == 1)
  }

  @Test("Random integers against random reals, many of them neighbours", arguments: SplitMix64.seeds)
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<50_000 {
      let integer = Self.integer(using: &random)
      let real = Self.real(near: integer, using: &random)
      let order = Self.order(integer, real)
      let (lhs, rhs) = (Value.integer(integer), Value.real(real))
      guard Value.compare(lhs, rhs).signum() == order, Value.compare(rhs, lhs).signum() == -order,
        (lhs == rhs) == (order == 0), (lhs < rhs) == (order < 0), (rhs < lhs) == (order > 0),
        order != 0 || lhs.hashValue == rhs.hashValue
      else {
        Issue.record("\(lhs.spelling) against \(rhs.spelling)")
        return
      }
    }
  }

  /// Integers of every size, most of them near a power of two.
  private static func integer(using random: inout SplitMix64) -> Int64 {
    let power = Int64.min >> Int64.random(in: 0...63, using: &random)
    let near = power &+ Int64.random(in: -2...2, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return near
    case 1: return 0 &- near
    case 2: return Int64.random(in: -3...3, using: &random)
    default: return Int64.random(in: .min ... .max, using: &random)
    }
  }

  /// Reals beside an integer, with a small fraction, or of any finite bit pattern.
  private static func real(near integer: Int64, using random: inout SplitMix64) -> Double {
    let rounded = Double(integer)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return rounded
    case 1: return rounded.nextUp
    case 2: return rounded.nextDown
    case 3: return rounded + Double.random(in: -1...1, using: &random)
    case 4: return Double(Int64.random(in: -4...4, using: &random)) / 2
    default:
      let real = Double(bitPattern: random.next())
      return real.isFinite ? real : 0
    }
  }
}
