/// A running sum and average of the numbers among values, in any order.
package struct SumAccumulator: Sendable {
  /// Wide enough for as many `Int64` as there may be rows, so that only the total decides whether the sum overflows.
  private var integers: Int128 = 0
  /// The sum of the reals, made with the first of them, because it takes half a kilobyte.
  private var reals: ExactSum?
  private var hasInfinity = false
  private var hasNegativeInfinity = false
  private var count: UInt64 = 0

  /// Makes a sum of no values.
  package init() {}

  /// Adds a value; a value that is not a number is ignored.
  package mutating func add(_ value: Value) {
    switch value {
    case .integer(let integer): add(integer)
    case .real(let real): add(real)
    case .null, .text, .blob: break
    }
  }

  /// Adds an integer.
  package mutating func add(_ integer: Int64) {
    integers += Int128(integer)
    count += 1
  }

  /// Adds the sum of several integers.
  package mutating func add(_ sum: Int128, count: UInt64) {
    integers += sum
    self.count += count
  }

  /// Adds a real.
  package mutating func add(_ real: Double) {
    count += 1
    if reals == nil { reals = ExactSum() }
    if real.isFinite {
      reals?.add(real)
    } else {
      // NaN is not a value; a NaN that occurs nevertheless counts as both infinities.
      hasInfinity = hasInfinity || !(real < 0)
      hasNegativeInfinity = hasNegativeInfinity || !(real > 0)
    }
  }

  /// Adds a value a number of times, exactly as repeated additions would.
  package mutating func add(_ value: Value, times: Int) {
    switch value {
    case .integer(let integer):
      integers += Int128(integer) * Int128(times)
      count += UInt64(times)
    case .real(let real) where real.isFinite && real.magnitude < 0x1p960:
      // The product of a real and a power of two is exact.
      var rest = UInt64(times)
      while rest > 0 {
        let power = rest & ~(rest - 1)
        add(real * Double(power))
        rest -= power
      }
      count += UInt64(times) - UInt64(times.nonzeroBitCount)
    case .real(let real): for _ in 0..<times { add(real) }
    case .null, .text, .blob: break
    }
  }

  /// The sum: an integer if all numbers are integers, otherwise the real that is nearest to the exact sum.
  package var sum: Value {
    guard reals != nil else { return Int64(exactly: integers).map(Value.integer) ?? AggregateFault.overflow.value }
    return rounded(dividedBy: 1)
  }

  /// The sum as a real, even if all numbers are integers.
  package var realSum: Value { rounded(dividedBy: 1) }

  /// The real that is nearest to the exact average; null without numbers.
  package var average: Value { count == 0 ? .null : rounded(dividedBy: count) }

  private func rounded(dividedBy divisor: UInt64) -> Value {
    switch (hasInfinity, hasNegativeInfinity) {
    case (true, true): return AggregateFault.notANumber.value
    case (true, false): return .real(.infinity)
    case (false, true): return .real(-.infinity)
    case (false, false):
      var total = reals ?? ExactSum()
      total.add(integers)
      return .real(total.rounded(dividedBy: divisor))
    }
  }
}

/// The sum of any reals and integers without rounding, so that their order makes no difference.
///
/// It is a fixed-point number as wide as the range of doubles, in pieces whose carries are propagated now and then: the
/// small superaccumulator of Radford M. Neal, "Fast Exact Summation Using Small and Large Superaccumulators", 2015,
/// https://arxiv.org/abs/1505.05571. A plain sum of doubles depends on the order of the rows, which no store promises.
package struct ExactSum: Sendable {
  /// The exponent of the smallest positive double, as a power of 2.
  private static let leastExponent = -1074
  /// 2,098 bits for the doubles, 63 for their possible number, and the sign.
  private static let pieceCount = 68
  /// The number of additions of 32 bits for which a piece has room.
  private static let additionLimit = 1 << 30

  /// The pieces of the number, the least significant first; piece n counts in 2^(32 n) times the smallest positive double. Each
  /// but the last normally holds 32 bits, but may hold more, or be negative, until ``carry()``.
  private var pieces = [Int64](repeating: 0, count: Self.pieceCount)
  private var additions = 0

  /// Makes a sum of no numbers.
  package init() {}

  /// Adds a finite real.
  package mutating func add(_ real: Double) {
    let isNormal = real.exponentBitPattern > 0
    add(
      real.significandBitPattern | (isNormal ? 1 << 52 : 0), shiftedBy: isNormal ? Int(real.exponentBitPattern) - 1 : 0,
      isNegative: real < 0)
  }

  /// Adds an integer.
  package mutating func add(_ integer: Int128) {
    let (magnitude, shift) = (integer.magnitude, -Self.leastExponent)
    add(UInt64(truncatingIfNeeded: magnitude), shiftedBy: shift, isNegative: integer < 0)
    add(UInt64(truncatingIfNeeded: magnitude >> 64), shiftedBy: shift + 64, isNegative: integer < 0)
  }

  /// Returns the sum, divided by a positive number, as the nearest double; on a tie, the even one. A sum beyond the largest
  /// double is infinite.
  package func rounded(dividedBy divisor: UInt64 = 1) -> Double {
    var sum = self
    sum.carry()
    let isNegative = sum.pieces[Self.pieceCount - 1] < 0
    if isNegative {
      for index in sum.pieces.indices { sum.pieces[index].negate() }
      sum.carry()
    }
    // The quotient in units of 2^-64 times the smallest positive double, so that bits below that double are kept for rounding.
    var quotient = [UInt64](repeating: 0, count: Self.pieceCount / 2 + 1)
    var remainder: UInt64 = 0
    for index in quotient.indices.reversed() {
      let part = index == 0 ? 0 : sum.pieces[2 * index - 2] | sum.pieces[2 * index - 1] << 32
      (quotient[index], remainder) = divisor.dividingFullWidth((remainder, UInt64(bitPattern: part)))
    }
    let magnitude = Self.round(quotient, isExact: remainder == 0)
    return isNegative && magnitude != 0 ? -magnitude : magnitude
  }

  private mutating func add(_ significand: UInt64, shiftedBy shift: Int, isNegative: Bool) {
    let (index, offset) = (shift >> 5, UInt64(shift & 31))
    let low = significand &<< offset
    let parts = (low & 0xFFFF_FFFF, low >> 32, offset == 0 ? 0 : significand >> (64 - offset))
    let sign: Int64 = isNegative ? -1 : 1
    pieces[index] += sign * Int64(parts.0)
    pieces[index + 1] += sign * Int64(parts.1)
    pieces[index + 2] += sign * Int64(parts.2)
    additions += 1
    if additions == Self.additionLimit { carry() }
  }

  /// Propagates the carries: leaves 32 bits in each piece and the sign in the last one.
  private mutating func carry() {
    let last = Self.pieceCount - 1
    for index in 0..<last {
      pieces[index + 1] += pieces[index] >> 32
      pieces[index] &= 0xFFFF_FFFF
    }
    additions = 0
  }

  /// Rounds a number in units of 2^-64 times the least double.
  ///
  /// - Parameter isExact: whether the number has no remainder below these units.
  private static func round(_ number: [UInt64], isExact: Bool) -> Double {
    guard let top = number.lastIndex(where: { $0 != 0 }) else { return 0 }
    let bitCount = 64 * (top + 1) - number[top].leadingZeroBitCount
    // A double has 53 bits, and none below the smallest positive double.
    let dropped = max(bitCount - 53, 64)
    let (index, offset) = (dropped / 64, UInt64(dropped % 64))
    let above = offset == 0 || index + 1 == number.count ? 0 : number[index + 1] << (64 - offset)
    var kept = number[index] >> offset | above
    let (halfIndex, halfBit) = ((dropped - 1) / 64, UInt64(1) << UInt64((dropped - 1) % 64))
    if number[halfIndex] & halfBit != 0 {
      let isHalf = isExact && number[halfIndex] & (halfBit - 1) == 0 && number[..<halfIndex].allSatisfy { $0 == 0 }
      if !isHalf || kept & 1 == 1 { kept += 1 }
    }
    // The conversion is exact, since the kept bits fit the significand.
    return Double(sign: .plus, exponent: dropped - 64 + leastExponent, significand: Double(kept))
  }
}
