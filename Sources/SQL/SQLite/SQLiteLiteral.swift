import Query

/// Values as SQLite's own literals.
///
/// Source: SQLite, "SQL Language Expressions", section 3, "Literal Values".
enum SQLiteLiteral {
  static func of(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    // The smallest integer has no literal: its digits without the sign would be a real.
    case .integer(.min): "(-9223372036854775807 - 1)"
    case .integer(let integer): "\(integer)"
    case .real(let real): literal(real)
    case .text(let text): literal(text)
    case .blob(let bytes): "x'\(Hexadecimal.digits(of: bytes))'"
    }
  }

  /// Returns a value where no expression is allowed: numbers in the usual notation, which SQLite may read with an error in
  /// the last bit.
  static func plainLiteral(_ value: Value) -> String {
    switch value {
    case .null, .blob: of(value)
    case .integer(let integer): "\(integer)"
    // A number that is too large for a double is read as infinite.
    case .real(let real) where real.isInfinite: real < 0 ? "-9e999" : "9e999"
    case .real(let real): "\(real)"
    case .text(let text): text.utf8.contains(0) ? "(\(of(value)))" : of(value)
    }
  }

  /// SQL text ends at a NUL, so a text that contains one is written as its bytes.
  private static func literal(_ text: String) -> String {
    if text.utf8.contains(0) { return "CAST(x'\(Hexadecimal.digits(of: Array(text.utf8)))' AS TEXT)" }
    var literal = "'"
    for scalar in text.unicodeScalars {
      if scalar == "'" { literal.unicodeScalars.append(scalar) }
      literal.unicodeScalars.append(scalar)
    }
    return literal + "'"
  }

  /// SQLite sometimes reads decimal fractions with an error in the last bit, so a number that is not read by one exact step
  /// is written as a whole number multiplied or divided by powers of two, each of which is exact.
  private static func literal(_ real: Double) -> String {
    if real.isInfinite { return real < 0 ? "-9e999" : "9e999" }
    if real == 0 { return "0.0" }
    let sign = real < 0 ? "-" : ""
    let magnitude = real.magnitude
    // If the number times a small power of ten is whole, SQLite reads it as the exact quotient of two whole numbers.
    if magnitude < 0x1p53 {
      for (digits, power) in [1.0, 10, 100, 1_000, 10_000].enumerated() {
        let scaled = magnitude * power
        guard scaled < 0x1p53, scaled == scaled.rounded(), fraction(of: magnitude, isWithin: digits) else { continue }
        return sign + decimal(Int64(scaled), digits: digits)
      }
    }
    // magnitude = whole * 2^exponent
    var exponent = Int(magnitude.exponent) - 52
    if magnitude.isSubnormal { exponent = -1074 }
    var whole = Int64(magnitude.significandBitPattern) | (magnitude.isSubnormal ? 0 : 1 << 52)
    while whole % 2 == 0 {
      whole /= 2
      exponent += 1
    }
    var literal = "\(whole).0"
    while exponent != 0 {
      let step = min(62, abs(exponent))
      literal += exponent > 0 ? " * \(1 << step).0" : " / \(1 << step).0"
      exponent += exponent > 0 ? -step : step
    }
    return "(\(sign)\(literal))"
  }

  /// Returns whether a number has no more bits after the point than digits: it then has no more decimal digits either.
  private static func fraction(of magnitude: Double, isWithin digits: Int) -> Bool {
    let scaled = magnitude * Double(1 << digits)
    return scaled == scaled.rounded()
  }

  /// Returns a whole number of tenths, hundredths and so on with its point.
  private static func decimal(_ scaled: Int64, digits: Int) -> String {
    if digits == 0 { return "\(scaled).0" }
    let text = String(scaled)
    let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
    return "\(padded.dropLast(digits)).\(padded.suffix(digits))"
  }
}
