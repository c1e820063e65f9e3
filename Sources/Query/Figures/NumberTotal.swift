/// The sum and the average of the numbers among values, in any order.
package struct NumberTotal: Sendable {
  /// As many `Int64` as there may be rows fit, so that only the total decides whether it is too great.
  private var integers: Int128 = 0
  /// Made with the first real, since it is large.
  private var reals: ExactSum?
  private var hasInfinity = false
  private var hasNegativeInfinity = false
  private var count: UInt64 = 0

  /// Makes the total of nothing.
  package init() {}

  /// Adds a value; one that is no number adds nothing.
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

  /// Adds a real.
  package mutating func add(_ real: Double) {
    count += 1
    if reals == nil { reals = ExactSum() }
    if real.isFinite {
      reals?.add(real)
    } else {
      // NaN is no value; if there is one all the same, it is in no order with either infinity.
      hasInfinity = hasInfinity || !(real < 0)
      hasNegativeInfinity = hasNegativeInfinity || !(real > 0)
    }
  }

  /// Adds a value as often as it stands in rows, exactly as one after another.
  package mutating func add(_ value: Value, times: Int) {
    switch value {
    case .integer(let integer):
      integers += Int128(integer) * Int128(times)
      count += UInt64(times)
    case .real(let real) where real.isFinite && real.magnitude < 0x1p960:
      // A product of powers of two is exact.
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

  /// The sum: an integer where all numbers are, else the real that is nearest to the exact sum.
  package var sum: Value {
    guard reals != nil else { return Int64(exactly: integers).map(Value.integer) ?? FigureFault.overflow.value }
    return rounded(dividedBy: 1)
  }

  /// The sum as a real, whatever the numbers are.
  package var realSum: Value { rounded(dividedBy: 1) }

  /// The real that is nearest to the exact average; null where there is no number.
  package var average: Value { count == 0 ? .null : rounded(dividedBy: count) }

  private func rounded(dividedBy divisor: UInt64) -> Value {
    switch (hasInfinity, hasNegativeInfinity) {
    case (true, true): return FigureFault.notANumber.value
    case (true, false): return .real(.infinity)
    case (false, true): return .real(-.infinity)
    case (false, false):
      var total = reals ?? ExactSum()
      total.add(integers)
      return .real(total.rounded(dividedBy: divisor))
    }
  }
}
