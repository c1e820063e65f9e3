/// The values that a database makes of others in a column that guarantees no type: SQLite stores what it can as the type that is
/// declared.
///
/// Source: SQLite, "Datatypes In SQLite", sections 3 and 3.1, and `applyAffinity` in https://www.sqlite.org/src/file/src/vdbe.c.
package enum ColumnAffinity: Hashable, Sendable {
  /// Texts of numbers become numbers, and whole reals integers.
  case numeric
  /// Texts of numbers become numbers, and all numbers reals.
  case real
  /// Numbers become texts.
  case text

  /// Returns whether a value is stored unchanged, as far as its kind tells.
  func keeps(_ value: Value) -> Bool {
    switch (self, value) {
    case (_, .null), (_, .blob), (.numeric, .integer), (.real, .real), (.text, .text): true
    default: false
    }
  }

  /// Returns the same value as the column stores it, an integer as a real or the reverse; `nil` if another value would be stored.
  func stored(_ value: Value) -> Value? {
    switch (self, value) {
    case (.text, .integer), (.text, .real): nil
    case (.numeric, .real(let real)): Self.wholeNumber(real).map(Value.integer) ?? value
    case (.real, .integer(let integer)): Double(exactly: integer).map(Value.real)
    case (.numeric, .text(let text)), (.real, .text(let text)): Self.isNumber(text) ? nil : value
    default: value
    }
  }

  /// Returns the integer that SQLite stores in place of a real: not one at the ends of its range.
  /// `sqlite3VdbeIntegerAffinity` in https://www.sqlite.org/src/file/src/vdbemem.c
  private static func wholeNumber(_ real: Double) -> Int64? {
    Int64(exactly: real).flatMap { $0 > .min && $0 < .max ? $0 : nil }
  }

  /// Returns whether SQLite reads a text as a number: digits with a sign, a point and an exponent, and blanks around them.
  /// `sqlite3AtoF` in https://www.sqlite.org/src/file/src/util.c
  private static func isNumber(_ text: String) -> Bool {
    var bytes = Array(text.utf8)[...]
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
    func skipDigits() -> Int {
      let count = bytes.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
      bytes = bytes.dropFirst(count)
      return count
    }
    func skip(_ characters: String) -> Bool {
      guard let first = bytes.first, characters.utf8.contains(first) else { return false }
      bytes = bytes.dropFirst()
      return true
    }
    bytes = bytes.drop(while: isBlank)
    _ = skip("+-")
    var count = skipDigits()
    if skip(".") { count += skipDigits() }
    if count == 0 { return false }
    if skip("eE") {
      _ = skip("+-")
      if skipDigits() == 0 { return false }
    }
    return bytes.allSatisfy(isBlank)
  }

  /// The advice how to write a value so that the column stores it.
  func advice(insteadOf value: Value) -> String {
    switch (self, value) {
    case (.text, _): "put the number in quotes"
    case (_, .text(let text)) where text.utf8.filter({ 0x30...0x39 ~= $0 }).count > 15:
      "round the number to 15 digits, or declare the column TEXT"
    case (_, .text): "write the number without quotes"
    default: "write a number that a real represents exactly, or declare the column INTEGER"
    }
  }
}
