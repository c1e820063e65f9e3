@testable import Query
import TestSupport
import Testing

@Suite("A sum of reals is exact until it is rounded once")
struct ExactSumTests {
  struct Case: CustomTestStringConvertible {
    let numbers: [Double]
    let divisor: UInt64
    let expected: Double
    var testDescription: String { "\(numbers) / \(divisor)" }

    init(_ numbers: [Double], dividedBy divisor: UInt64 = 1, _ expected: Double) {
      self.numbers = numbers
      self.divisor = divisor
      self.expected = expected
    }
  }

  private static let least = Double.leastNonzeroMagnitude
  private static let greatest = Double.greatestFiniteMagnitude

  // What has no comment was worked out with exact fractions in Python.
  static let cases: [Case] = [
    Case([], 0), Case([-0.0], 0), Case([1.5], 1.5), Case([-1.5], -1.5), Case([least], least), Case([-least], -least),
    Case([greatest], greatest), Case([-greatest], -greatest),
    // Rounded after each addition, these would be 2^-54 and 0.
    Case([0.1, 0.2, -0.3], 0x1p-55), Case([1, 1e100, 1, -1e100], 2),
    // A sum on the way may be beyond the doubles; the whole is what counts.
    Case([greatest, greatest, -greatest], greatest), Case([greatest, greatest], .infinity),
    Case([-greatest, -greatest], -.infinity), Case([greatest, 0x1p969], greatest),
    Case([greatest, 0x1p970], .infinity),
    // Half-way cases go to the even neighbour, and anything beside them decides.
    Case([0x1p53, 1], 0x1p53), Case([0x1p53, 1, 2], 0x1p53 + 4), Case([0x1p53, 1, least], 0x1p53 + 2),
    Case([-0x1p53, -1, -least], -0x1p53 - 2), Case([0x1p53, 1, -least], 0x1p53),
    // Below the normal doubles there are fewer bits.
    Case([.leastNormalMagnitude, -least], .leastNormalMagnitude - least), Case([least, least], 2 * least),
    Case([least], dividedBy: 2, 0), Case([3 * least], dividedBy: 2, 2 * least),
    Case([least, least, least], dividedBy: 4, least),
    Case([-least], dividedBy: 2, 0), Case([-least], dividedBy: 3, 0),
    Case([1, 1, 2], dividedBy: 3, 1.3333333333333333), Case([-1, -1], dividedBy: 3, -0.6666666666666666),
    Case([0.1, 0.1, 0.1], dividedBy: 3, 0.1), Case([greatest, greatest, greatest], dividedBy: 3, greatest),
    Case([10], dividedBy: .max, 0x1.4p-61),
  ]

  @Test("in each of the cases at which plain sums go wrong", arguments: cases)
  func sums(_ expected: Case) {
    for numbers in [expected.numbers, expected.numbers.reversed()] {
      var sum = ExactSum()
      for number in numbers { sum.add(number) }
      let rounded = sum.rounded(dividedBy: expected.divisor)
      #expect(rounded == expected.expected)
      #expect(rounded != 0 || rounded.sign == .plus)
    }
  }

  @Test("and so is one of integers and reals")
  func mixed() {
    var sum = ExactSum()
    sum.add(Int128(Int64.max) * 4)
    sum.add(0.5)
    sum.add(-Int128(Int64.max) * 4 + 1)
    #expect(sum.rounded() == 1.5)
    sum.add(Int128.min)
    #expect(sum.rounded() == -0x1p127)
  }

  @Test("Whatever the order, and as integers of 128 bits have it")
  func random() {
    let seed = SplitMix64.newSeed()
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      // Multiples of 2^-30 of all sizes, so that the sum in those units is an integer.
      let numbers = (0..<Int.random(in: 1...40, using: &random)).map { _ in
        Int64.random(in: -(1 << 53)...(1 << 53), using: &random) >> Int64.random(in: 0...53, using: &random)
      }
      let divisor = UInt64.random(in: 1...9, using: &random)
      var sum = ExactSum()
      for number in numbers.shuffled(using: &random) { sum.add(Double(number) * 0x1p-30) }
      let total = numbers.reduce(Int128(0)) { $0 + Int128($1) }
      // Rounded by the conversion of an integer, of which 63 bits more tell whatever a quotient leaves.
      let (quotient, rest) = (total.magnitude << 63).quotientAndRemainder(dividingBy: UInt128(divisor))
      let expected = Double(rest == 0 ? quotient : quotient | 1) * 0x1p-93
      #expect(sum.rounded(dividedBy: divisor) == (total < 0 ? -expected : expected), "REPOKIT_SEED=\(seed)")
    }
  }
}

@Suite("A total")
struct NumberTotalTests {
  @Test(
    "of a number that many rows have is that of all of them, one after another",
    arguments: [
      (.integer(3), 1), (.integer(.max), 3), (.integer(.min), 1_000), (.real(0.1), 7), (.real(-0.1), 1_023),
      (.real(.greatestFiniteMagnitude), 5), (.real(.leastNonzeroMagnitude), 12), (.real(0x1p959), 4_095),
      (.real(.infinity), 3), (.real(-.infinity), 2), (.text("x"), 5), (.null, 2), (.real(1.5), 0), (.integer(7), 0),
    ] as [(Value, Int)])
  func times(value: Value, count: Int) {
    var (once, each) = (SumAccumulator(), SumAccumulator())
    // Something that rounding would lose.
    for value in [Value.integer(1), .real(0x1p-60)] {
      once.add(value)
      each.add(value)
    }
    once.add(value, times: count)
    for _ in 0..<count { each.add(value) }
    #expect(once.sum == each.sum)
    #expect(once.average == each.average)
  }
}
