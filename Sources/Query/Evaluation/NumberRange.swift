/// The numbers for which a comparison with another number holds: an interval of the integers, and one of the reals.
///
/// A comparison is prepared once and then costs two machine comparisons per row, whatever the operator is and whether
/// integers are compared with reals.
struct NumberRange: Sendable {
  private var leastInteger = Int64.min
  private var greatestInteger = Int64.max
  private var leastReal = -Double.infinity
  private var greatestReal = Double.infinity
  /// Whether texts and blobs, which sort after all numbers, are in the range.
  private var holdsOtherKinds = false

  /// Makes the range of the values for which a comparison with a bound holds.
  ///
  /// - Returns: `nil` if the bound is not a number, and for ``ComparisonOperator/notEqual``, which is not one range.
  init?(_ comparisonOperator: ComparisonOperator, _ bound: Value) {
    guard bound.kind == .number, !bound.isNaN else { return nil }
    switch comparisonOperator {
    case .notEqual:
      return nil
    case .equal:
      begin(at: bound, included: true)
      end(at: bound, included: true)
    case .greaterThan, .greaterThanOrEqual:
      begin(at: bound, included: comparisonOperator == .greaterThanOrEqual)
      holdsOtherKinds = true
    case .lessThan, .lessThanOrEqual:
      end(at: bound, included: comparisonOperator == .lessThanOrEqual)
    }
  }

  /// Returns the values that both ranges hold.
  func intersection(_ other: NumberRange) -> NumberRange {
    var both = self
    both.leastInteger = max(leastInteger, other.leastInteger)
    both.greatestInteger = min(greatestInteger, other.greatestInteger)
    both.leastReal = max(leastReal, other.leastReal)
    both.greatestReal = min(greatestReal, other.greatestReal)
    both.holdsOtherKinds = holdsOtherKinds && other.holdsOtherKinds
    return both
  }

  /// Whether a value is in the range.
  @inline(__always)
  func holds(_ value: Value) -> Bool {
    switch value {
    case .integer(let integer): leastInteger <= integer && integer <= greatestInteger
    case .real(let real): leastReal <= real && real <= greatestReal
    case .null: false
    case .text, .blob: holdsOtherKinds
    }
  }

  private mutating func begin(at bound: Value, included: Bool) {
    switch bound {
    case .integer(let integer):
      let (least, isTooGreat) = integer.addingReportingOverflow(included ? 0 : 1)
      leastInteger = least
      if isTooGreat { holdNoInteger() }
      // The real nearest to the bound is the smallest one that may be in the range.
      let real = Double(integer)
      leastReal = Self.isAfter(real, bound, included) ? real : real.nextUp
    case .real(let real):
      leastReal = included ? real : real.nextUp
      if !included, real == .infinity { holdNoReal() }
      if real >= 0x1p63 {
        holdNoInteger()
      } else if real >= -0x1p63 {
        // The 1 is added to an integer: beyond 2^53, every real is whole, and its sum with 1 may not be a real.
        let whole = real.rounded(.up)
        // `whole` is an `Int64`: the largest real below 2^63 is whole, so that none is rounded up to 2^63.
        let (least, isTooGreat) = Int64(whole).addingReportingOverflow(!included && whole == real ? 1 : 0)
        leastInteger = least
        if isTooGreat { holdNoInteger() }
      }
    case .null, .text, .blob:
      break
    }
  }

  private mutating func end(at bound: Value, included: Bool) {
    switch bound {
    case .integer(let integer):
      let (greatest, isTooSmall) = integer.subtractingReportingOverflow(included ? 0 : 1)
      greatestInteger = greatest
      if isTooSmall { holdNoInteger() }
      let real = Double(integer)
      greatestReal = Self.isBefore(real, bound, included) ? real : real.nextDown
    case .real(let real):
      greatestReal = included ? real : real.nextDown
      if !included, real == -.infinity { holdNoReal() }
      if real < -0x1p63 {
        holdNoInteger()
      } else if real < 0x1p63 {
        // The 1 is subtracted from an integer: beyond 2^53, every real is whole, and its difference with 1 may not be a real.
        let whole = real.rounded(.down)
        let (greatest, isTooSmall) = Int64(whole).subtractingReportingOverflow(!included && whole == real ? 1 : 0)
        greatestInteger = greatest
        if isTooSmall { holdNoInteger() }
      }
    case .null, .text, .blob:
      break
    }
  }

  private static func isAfter(_ real: Double, _ bound: Value, _ included: Bool) -> Bool {
    let order = Value.compare(.real(real), bound)
    return included ? order >= 0 : order > 0
  }

  private static func isBefore(_ real: Double, _ bound: Value, _ included: Bool) -> Bool {
    let order = Value.compare(.real(real), bound)
    return included ? order <= 0 : order < 0
  }

  private mutating func holdNoInteger() { (leastInteger, greatestInteger) = (.max, .min) }

  private mutating func holdNoReal() { (leastReal, greatestReal) = (.infinity, -.infinity) }
}
