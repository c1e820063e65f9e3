package import Query

/// Names and values in files of statements, which SQLite's shell reads back exactly; statements that are run have placeholders,
/// and definitions of tables have the literals of ``SQLiteLiteral``.
package enum SQLiteScript {
  /// Returns a table's or a column's name.
  package static func name(_ name: String) -> String { SQLiteDialect().quoted(name) }

  /// Returns a value that SQLite reads back exactly, bit by bit for a real.
  ///
  /// - Parameter isSpelled: whether a scalar of a text is written as a number, rather than literally. A NUL always is, since
  ///   SQL ends at a NUL, and so is a carriage return, which SQLite's shell removes before a line feed.
  package static func literal(_ value: Value, spelling isSpelled: (Unicode.Scalar) -> Bool = { _ in false }) -> String {
    switch value {
    case .text(let text): literal(text, spelling: isSpelled)
    case .blob: value.description
    // A script keeps the sign of a zero, which no definition of a table needs.
    case .real(let real) where real == 0 && real.sign == .minus: "-0.0"
    case .real(let real): literal(real)
    case .null, .integer: SQLiteLiteral.of(value)
    }
  }

  /// Returns the fewest digits that read back as a real exactly, where SQLite reads them without an error in the last bit.
  /// SQLite computes with at least 64 bits, so a quotient of a whole number and 1,000 is never rounded twice to a different
  /// result; with more decimals, the literal is a division of two whole numbers, as in IEEE 754.
  private static func literal(_ real: Double) -> String {
    let exact = SQLiteLiteral.of(.real(real))
    let parts = real.magnitude.description.split(separator: "e")
    let digits = (parts.first ?? "").split(separator: ".")
    guard real.isFinite, digits.count == 2, let exponent = parts.count == 1 ? 0 : Int(parts[1]) else { return exact }
    let fraction = digits[1] == "0" ? "" : digits[1]
    let decimals = fraction.utf8.count - exponent
    guard let whole = Int64(digits[0] + fraction), whole < 1 << 53, (1...22).contains(decimals) else { return exact }
    if decimals <= 3, exponent == 0 { return real.description }
    return "(\(real < 0 ? "-" : "")\(whole).0 / 1\(String(repeating: "0", count: decimals)).0)"
  }

  /// The parts of a text that have to be spelled are values of a function, which works in databases of any encoding:
  /// https://www.sqlite.org/lang_corefunc.html#char
  private static func literal(_ text: String, spelling isSpelled: (Unicode.Scalar) -> Bool) -> String {
    guard text.unicodeScalars.contains(where: { $0 == "\0" || $0 == "\r" || isSpelled($0) }) else {
      return Quoting.quote(text, with: "'")
    }
    var parts: [String] = []
    var plain = String.UnicodeScalarView()
    var spelled: [String] = []
    func endPart() {
      if !plain.isEmpty { parts.append(Quoting.quote(String(plain), with: "'")) }
      // A function takes at most 100 arguments in older versions: https://www.sqlite.org/limits.html
      for start in stride(from: 0, to: spelled.count, by: 100) {
        parts.append("char(\(spelled[start..<min(start + 100, spelled.count)].joined(separator: ", ")))")
      }
      plain = String.UnicodeScalarView()
      spelled = []
    }
    for scalar in text.unicodeScalars {
      if scalar == "\0" || scalar == "\r" || isSpelled(scalar) {
        if !plain.isEmpty { endPart() }
        spelled.append("\(scalar.value)")
      } else {
        if !spelled.isEmpty { endPart() }
        plain.append(scalar)
      }
    }
    endPart()
    return parts.joined(separator: " || ")
  }
}
