import Query

/// Values as PostgreSQL's own literals.
///
/// Source: PostgreSQL, "Lexical Structure", section "Constants".
enum PostgresLiteral {
  static func of(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    // The smallest integer is no exception: the sign is parsed as part of the constant.
    case .integer(let integer): "\(integer)"
    // The shortest digits that are read as the same number. Without the cast they would be a decimal number.
    case .real(let real): "'\(digits(of: real))'::double precision"
    case .text(let text): literal(text)
    case .blob(let bytes): "'\\x\(Hexadecimal.digits(of: bytes))'::bytea"
    }
  }

  private static func digits(of real: Double) -> String {
    real.isInfinite ? (real < 0 ? "-Infinity" : "Infinity") : "\(real)"
  }

  private static func literal(_ text: String) -> String {
    // A statement ends at a NUL, which no text can contain: the server refuses the text when it evaluates this expression.
    if text.utf8.contains(0) {
      return "convert_from('\\x\(Hexadecimal.digits(of: Array(text.utf8)))'::bytea, 'UTF8')"
    }
    // The interpretation of a backslash in plain quotes depends on a setting, standard_conforming_strings.
    let isEscaped = text.utf8.contains(UInt8(ascii: "\\"))
    var literal = isEscaped ? "E'" : "'"
    for scalar in text.unicodeScalars {
      if scalar == "'" || scalar == "\\" { literal.unicodeScalars.append(scalar) }
      literal.unicodeScalars.append(scalar)
    }
    return literal + "'"
  }
}
