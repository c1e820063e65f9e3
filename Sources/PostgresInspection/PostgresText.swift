package import Query
import SQL

/// Parts of SQL as text, for files of statements that `psql` runs; statements that the toolkit runs have placeholders.
package enum PostgresText {
  /// Returns a table's or a column's name, quoted as SQL.
  package static func name(_ name: String) -> String { PostgresDialect().quoted(name) }

  /// The clause of an `INSERT` that assigns keys, before `VALUES`.
  package static let insertOverride = PostgresDialect().insertOverride

  /// Returns a value as a literal that PostgreSQL reads back exactly, bit by bit where it is a real.
  ///
  /// - Parameter isSpelled: whether a scalar of a text is written as a number, rather than as it is.
  ///   https://www.postgresql.org/docs/15/sql-syntax-lexical.html#SQL-SYNTAX-STRINGS-ESCAPE
  package static func literal(_ value: Value, spelling isSpelled: (Unicode.Scalar) -> Bool = { _ in false }) -> String {
    guard case .text(let text) = value, !text.utf8.contains(0), text.unicodeScalars.contains(where: isSpelled) else {
      return PostgresDialect().literal(value)
    }
    var literal = "E'"
    for scalar in text.unicodeScalars {
      if isSpelled(scalar) {
        let digits = String(scalar.value, radix: 16)
        literal += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      } else {
        if scalar == "'" || scalar == "\\" { literal.unicodeScalars.append(scalar) }
        literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "'"
  }
}
