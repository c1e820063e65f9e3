/// The arithmetic of expressions, which is the same in every store.
///
/// Two integers yield an integer, exactly; a result that can't be stored is null. If one operand is a real, both are
/// converted, and the rules of IEEE 754 hold, except for results that are not values: NaN, and an infinity that is computed
/// from finite numbers, are null. So no row makes a query fail. A remainder is defined for integers only.
package enum Arithmetic {
  /// Applies an operation to two values; null if one of them is not a number.
  package static func apply(_ function: ExpressionFunction, _ lhs: Value, _ rhs: Value) -> Value {
    switch (lhs, rhs) {
    case (.integer(let lhs), .integer(let rhs)): apply(function, lhs, rhs)
    case (.real(let lhs), .real(let rhs)): apply(function, lhs, rhs)
    case (.integer(let lhs), .real(let rhs)): apply(function, Double(lhs), rhs)
    case (.real(let lhs), .integer(let rhs)): apply(function, lhs, Double(rhs))
    default: .null
    }
  }

  private static func apply(_ function: ExpressionFunction, _ lhs: Int64, _ rhs: Int64) -> Value {
    let (result, isOverflow): (Int64, Bool)
    switch function {
    case .add: (result, isOverflow) = lhs.addingReportingOverflow(rhs)
    case .subtract: (result, isOverflow) = lhs.subtractingReportingOverflow(rhs)
    case .multiply: (result, isOverflow) = lhs.multipliedReportingOverflow(by: rhs)
    case .divide: (result, isOverflow) = rhs == 0 ? (0, true) : lhs.dividedReportingOverflow(by: rhs)
    // The remainder by -1 is 0, although the quotient of the smallest integer overflows.
    case .remainder: (result, isOverflow) = rhs == 0 ? (0, true) : (rhs == -1 ? 0 : lhs % rhs, false)
    case .least: (result, isOverflow) = (min(lhs, rhs), false)
    case .greatest: (result, isOverflow) = (max(lhs, rhs), false)
    default: return .null
    }
    return isOverflow ? .null : .integer(result)
  }

  private static func apply(_ function: ExpressionFunction, _ lhs: Double, _ rhs: Double) -> Value {
    let result: Double
    switch function {
    case .add: result = lhs + rhs
    case .subtract: result = lhs - rhs
    case .multiply: result = lhs * rhs
    case .divide:
      if rhs == 0 { return .null }
      result = lhs / rhs
    case .least: return .real(lhs <= rhs ? lhs : rhs)
    case .greatest: return .real(lhs >= rhs ? lhs : rhs)
    default: return .null
    }
    return finite(result, of: lhs, rhs)
  }

  /// Returns a result as a value: null if it is not a number, or infinite although its operands are finite.
  private static func finite(_ result: Double, of lhs: Double, _ rhs: Double) -> Value {
    if result.isNaN || result.isInfinite && lhs.isFinite && rhs.isFinite { return .null }
    return .real(result)
  }

  /// Rounds a number to a number of digits after the point, from 0 to 15; null for other numbers of digits.
  package static func round(_ value: Value, _ digits: Value) -> Value {
    guard case .integer(let digits) = digits, 0...15 ~= digits else { return .null }
    switch value {
    case .integer: return value
    case .real(let real): return .real(rounded(real, Int(digits)))
    default: return .null
    }
  }

  /// Rounds the shortest decimal number that reads back as a real, as people see it: ties away from zero, so that 2.675 becomes
  /// 2.68, although the real is a little less.
  private static func rounded(_ real: Double, _ digits: Int) -> Double {
    // All greater reals are whole numbers.
    guard real.isFinite, Swift.abs(real) < 0x1p53 else { return real }
    var text = Swift.abs(real).description
    var exponent = 0
    if let mark = text.firstIndex(of: "e") {
      exponent = Int(text[text.index(after: mark)...]) ?? 0
      text = String(text[..<mark])
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    // The digits, of which the first `point` are before the point.
    var decimal = parts.joined().utf8.map { Int($0) - 0x30 }
    let kept = parts[0].utf8.count + exponent + digits
    if kept >= decimal.count { return real }
    if kept < 0 { return real.sign == .minus ? -0.0 : 0 }
    let isUp = decimal[kept] >= 5
    decimal.removeLast(decimal.count - kept)
    if isUp {
      var position = kept - 1
      while position >= 0, decimal[position] == 9 {
        decimal[position] = 0
        position -= 1
      }
      if position >= 0 { decimal[position] += 1 } else { decimal.insert(1, at: 0) }
    }
    let rounded = Double("\(decimal.isEmpty ? "0" : decimal.map(String.init).joined())e-\(digits)") ?? 0
    return real.sign == .minus ? -rounded : rounded
  }

  /// Applies a function of one number; null if the argument is not a number.
  package static func apply(_ function: ExpressionFunction, _ value: Value) -> Value {
    switch (function, value) {
    case (.negate, .integer(let integer)): apply(.subtract, 0, integer)
    case (.negate, .real(let real)): .real(-real)
    case (.abs, .integer(let integer)): integer < 0 ? apply(.subtract, 0, integer) : value
    case (.abs, .real(let real)): .real(Swift.abs(real))
    case (.floor, .integer), (.ceiling, .integer): value
    case (.floor, .real(let real)): .real(real.rounded(.down))
    case (.ceiling, .real(let real)): .real(real.rounded(.up))
    case (.round, .integer): value
    case (.round, .real(let real)): .real(rounded(real, 0))
    case (.sign, .integer(let integer)): .integer(integer.signum())
    case (.sign, .real(let real)): .integer(real > 0 ? 1 : real < 0 ? -1 : 0)
    case (.squareRoot, .integer(let integer)): apply(.squareRoot, .real(Double(integer)))
    case (.squareRoot, .real(let real)): real >= 0 ? .real(real.squareRoot()) : .null
    default: .null
    }
  }
}
