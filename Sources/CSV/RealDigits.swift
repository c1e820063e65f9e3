/// The decimal digits of a number that a `Double` keeps: the nearest `Double`, written with as many digits, is the same number.
///
/// `0.10000000000000001` is kept, as programs write it that print 17 digits; `99999999999999.99` is not, since the nearest
/// `Double` is 99999999999999.98 with as many digits.
package enum RealDigits {
  /// The number of significant digits that every `Double` keeps. Source: C, `DBL_DIG`.
  static let alwaysKept = 15

  /// Returns whether the digits of a decimal number are kept; true of a text that is no decimal number.
  ///
  /// - Parameter text: digits with a sign, a point and an exponent.
  package static func areKept(_ text: some Collection<UInt8>) -> Bool {
    let isNumber = text.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "+-.eE".utf8.contains($0) }
    guard isNumber, let real = Double(String(decoding: text, as: UTF8.self)), real.isNormal else { return true }
    let parts = text.split { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    let mantissa = Array(parts[0].drop { "+-".utf8.contains($0) })
    let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.count
    var digits = mantissa.filter { $0 != UInt8(ascii: ".") }
    var exponent = parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) ?? 0 : 0
    exponent -= digits.count - point
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
    if digits.count <= alwaysKept { return true }
    if digits.count > 38 { return false }
    let decimal = digits.reduce(UInt128(0)) { $0 * 10 + UInt128($1 - UInt8(ascii: "0")) }
    // 17 digits identify every `Double`. Where 128 bits are too few to compare them, the number has an exponent, and its digits are
    // those of a measurement.
    return isNearest(decimal, exponent, to: real) ?? (digits.count <= 17)
  }

  /// Returns whether `decimal` times ten to the power of `exponent` is nearer to a real than half a unit of its last digit.
  ///
  /// - Returns: `nil` where 128 bits are too few.
  private static func isNearest(_ decimal: UInt128, _ exponent: Int, to real: Double) -> Bool? {
    let significand = UInt128(real.significandBitPattern | 1 << 52)
    let binary = Int(real.exponentBitPattern) - 1_075
    // Both numbers, in units of powers of ten and of two of which both are multiples.
    guard let ten = power(of: 10, abs(exponent)), let two = power(of: 2, abs(binary)) else { return nil }
    let (lhs, rhs, unit): ((partialValue: UInt128, overflow: Bool), (partialValue: UInt128, overflow: Bool), UInt128)
    switch (exponent < 0, binary < 0) {
    case (true, true):
      (lhs, rhs, unit) = (
        decimal.multipliedReportingOverflow(by: two), significand.multipliedReportingOverflow(by: ten), two
      )
    case (true, false):
      let scaled = significand.multipliedReportingOverflow(by: two)
      let product = scaled.partialValue.multipliedReportingOverflow(by: ten)
      (lhs, rhs, unit) = ((decimal, false), (product.partialValue, scaled.overflow || product.overflow), 1)
    case (false, true):
      let scaled = decimal.multipliedReportingOverflow(by: ten)
      let product = scaled.partialValue.multipliedReportingOverflow(by: two)
      let (step, overflow) = ten.multipliedReportingOverflow(by: two)
      (lhs, rhs, unit) = (
        (product.partialValue, scaled.overflow || product.overflow || overflow), (significand, false), step
      )
    case (false, false):
      (lhs, rhs, unit) = (
        decimal.multipliedReportingOverflow(by: ten), significand.multipliedReportingOverflow(by: two), ten
      )
    }
    if lhs.overflow || rhs.overflow { return nil }
    let (a, b) = (lhs.partialValue, rhs.partialValue)
    let difference = a > b ? a - b : b - a
    return difference <= unit / 2
  }

  private static func power(of base: UInt128, _ exponent: Int) -> UInt128? {
    var result: UInt128 = 1
    for _ in 0..<min(exponent, 128) {
      let (product, overflow) = result.multipliedReportingOverflow(by: base)
      if overflow { return nil }
      result = product
    }
    return exponent < 128 ? result : nil
  }
}
