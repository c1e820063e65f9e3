import Query
import TestSupport
import Testing

@Suite("Values have one total order")
struct ValueOrderTests {
  /// From the least to the greatest; the values of one step are equal.
  static let ladder: [[Value]] = [
    [.null],
    [.real(-.infinity)],
    [.real(-.greatestFiniteMagnitude)],
    [.real((-0x1p63).nextDown)],
    [.integer(.min), .real(-0x1p63)],
    [.integer(.min + 1)],
    [.integer(.min + 1024), .real((-0x1p63).nextUp)],
    [-9_007_199_254_740_993],
    [-9_007_199_254_740_992, .real(-0x1p53)],
    [-9_007_199_254_740_991, -9_007_199_254_740_991.0],
    [-1.5],
    [-1, -1.0],
    [-0.5],
    [.real(-.leastNonzeroMagnitude)],
    [0, 0.0, -0.0],
    [.real(.leastNonzeroMagnitude)],
    [.real(.leastNormalMagnitude)],
    [0.5],
    [.real((1.0).nextDown)],
    [1, 1.0, true],
    [.real((1.0).nextUp)],
    [2, 2.0],
    [9_007_199_254_740_991, 9_007_199_254_740_991.0],
    [9_007_199_254_740_992, .real(0x1p53)],
    [9_007_199_254_740_993],
    [9_007_199_254_740_994, 9_007_199_254_740_994.0],
    [.integer(.max - 1023), .real((0x1p63).nextDown)],
    [.integer(.max - 1)],
    [.integer(.max)],
    [.real(0x1p63)],
    [.real((0x1p63).nextUp)],
    [.real(.greatestFiniteMagnitude)],
    [.real(.infinity)],
    [""],
    ["\0"],
    ["\0\0"],
    ["\0a"],
    ["1"],
    ["A"],
    ["Z"],
    ["a"],
    ["a\0"],
    ["a\0b"],
    ["aa"],
    ["b"],
    ["e"],
    ["e\u{301}"],  // decomposed é, 65 CC 81
    ["f"],
    ["\u{7F}"],
    ["\u{80}"],
    ["\u{E9}"],  // composed é, C3 A9
    ["\u{7FF}"],
    ["\u{800}"],
    ["\u{D7FF}"],
    ["\u{E000}"],  // private use
    ["\u{F8FF}"],
    ["\u{FFFD}"],
    ["\u{FFFF}"],  // UTF-16 would place what follows, whose surrogates begin with D8, before U+E000
    ["\u{10000}"],
    ["\u{1F525}"],
    ["\u{1F525}\u{FE0F}"],
    ["\u{10FFFF}"],
    [.blob([])],
    [.blob([0])],
    [.blob([0, 0])],
    [.blob([0, 255])],
    [.blob([1])],
    [.blob([0x61])],
    [.blob([127])],
    [.blob([128])],
    [.blob([255])],
    [.blob([255, 0])],
  ]

  static let steps: [(step: Int, value: Value)] = ladder.enumerated().flatMap { step, values in
    values.map { (step, $0) }
  }

  @Test("Of each two values of the ladder, the one on the lower step is less, and those on one step are equal")
  func pairs() {
    for (lhsStep, lhs) in Self.steps {
      for (rhsStep, rhs) in Self.steps {
        let pair = Comment(rawValue: "\(lhs.spelling) against \(rhs.spelling)")
        #expect((lhs == rhs) == (lhsStep == rhsStep), pair)
        #expect((lhs < rhs) == (lhsStep < rhsStep), pair)
        #expect((lhs <= rhs) == (lhsStep <= rhsStep), pair)
        #expect((lhs > rhs) == (lhsStep > rhsStep), pair)
        #expect((lhs >= rhs) == (lhsStep >= rhsStep), pair)
        #expect(Value.compare(lhs, rhs).signum() == (lhsStep - rhsStep).signum(), pair)
      }
    }
  }

  @Test("Equal values hash alike, and a set holds one of each step")
  func hashing() {
    for values in Self.ladder {
      #expect(Set(values).count == 1, "\(values.map(\.spelling))")
      #expect(Set(values.map(\.hashValue)).count == 1, "\(values.map(\.spelling))")
    }
    #expect(Set(Self.steps.map(\.value)).count == Self.ladder.count)
    // A constant hash would be correct, and would make every lookup a walk through the list.
    #expect(Set(Self.steps.map(\.value.hashValue)).count > Self.ladder.count / 2)
  }

  @Test("Sorting brings a shuffled ladder back into order", arguments: SplitMix64.seeds)
  func sorting(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let sorted = Self.steps.shuffled(using: &random).sorted { $0.value < $1.value }
    #expect(sorted.map(\.step) == Self.steps.map(\.step))
  }

  @Test("A NaN, which no store ever holds, keeps the order total: one place, after every other number")
  func notANumber() {
    let nans: [Value] = [.real(.nan), .real(-.nan), .real(Double(nan: 7, signaling: false))]
    for nan in nans {
      for (_, value) in Self.steps {
        #expect(value != nan)
        let isAfter = value.kind == .text || value.kind == .blob
        #expect((nan < value) == isAfter, "\(value.spelling)")
        #expect((value < nan) == !isAfter, "\(value.spelling)")
      }
      for other in nans {
        #expect(nan == other)
        #expect(!(nan < other))
        #expect(nan.hashValue == other.hashValue)
      }
    }
  }

  @Test("Long texts and long blobs are compared to their last byte")
  func longValues() {
    let text = String(repeating: "é", count: 50_000)
    #expect(Value.text(text + "a") < .text(text + "b"))
    #expect(Value.text(text + "a") != .text(text + "b"))
    #expect(Value.text(text) < .text(text + "a"))
    #expect(Value.text(text + "a") == .text(text + "a"))
    let blob = [UInt8](repeating: 200, count: 100_000)
    #expect(Value.blob(blob + [1]) < .blob(blob + [2]))
    #expect(Value.blob(blob) < .blob(blob + [0]))
    #expect(Value.blob(blob + [1]) == .blob(blob + [1]))
  }

  @Test("Texts stand in the order of their UTF-8 bytes", arguments: SplitMix64.seeds)
  func textOrder(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    // Two of each length that UTF-8 has, and the composed and decomposed parts of one character.
    let scalars: [Unicode.Scalar] = [
      "\0", "a", "e", "\u{301}", "\u{E9}", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10000}",
    ]
    for _ in 0..<2_000 {
      var texts: [String] = []
      for _ in 0..<2 {
        var text = ""
        for _ in 0..<Int.random(in: 0...4, using: &random) { text.unicodeScalars.append(random.pick(scalars)) }
        texts.append(text)
      }
      let (lhs, rhs) = (texts[0], texts[1])
      let isLess = Array(lhs.utf8).lexicographicallyPrecedes(Array(rhs.utf8))
      let isEqual = Array(lhs.utf8) == Array(rhs.utf8)
      guard (Value.text(lhs) < .text(rhs)) == isLess, (Value.text(lhs) == .text(rhs)) == isEqual else {
        Issue.record("\(Value.text(lhs).spelling) against \(Value.text(rhs).spelling)")
        return
      }
    }
  }
}

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
