import Query

extension Dialect {
  /// A value as the default of a column, where neither a placeholder nor an expression may stand.
  /// https://www.sqlite.org/lang_altertable.html#altertabaddcol
  ///
  /// Standard SQL's numbers, quotes and hexadecimal digits.
  func constant(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    // What is too big for a double is read as infinite.
    case .real(let real) where real.isInfinite: real < 0 ? "-9e999" : "9e999"
    case .real(let real): "\(real)"
    // A text ends at NUL for those who read SQL.
    case .text(let text) where text.utf8.contains(0): "(CAST(\(constant(.blob(Array(text.utf8)))) AS TEXT))"
    case .text(let text): KeySpelling.quote(text, with: "'")
    case .blob(let bytes): "x'\(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())'"
    }
  }
}
