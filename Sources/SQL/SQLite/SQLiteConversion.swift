package import Query

/// Statements that convert other programs' forms of UUIDs and dates to those of this toolkit.
///
/// Each statement changes only rows of its form, so that it can be run again, and changes no instant and no UUID. Functions of
/// dates: https://www.sqlite.org/lang_datefunc.html
package struct SQLiteConversion {
  private let table: String
  private let column: String

  package init(ofColumn column: String, in table: String) {
    self.init(table: SQLiteDialect().quoted(table), column: SQLiteDialect().quoted(column))
  }

  private init(table: String, column: String) {
    (self.table, self.column) = (table, column)
  }

  /// Returns the statement for a form; `nil` if the values themselves are ambiguous, or more precise than a date.
  package func statement(from form: NonCanonicalForm) -> String? {
    switch form {
    case .capitalUUID:
      update(
        to: "lower(\(column))",
        where: "length(\(column)) = 36 AND \(column) NOT GLOB '*[^-0-9A-Fa-f]*' AND \(column) GLOB '*[A-F]*'")
    case .wrappedUUID:
      update(
        to: "lower(\(wrapped))",
        where: "(length(\(column)) = 38 AND \(column) GLOB '{*}' OR length(\(column)) = 45 "
          + "AND lower(\(column)) GLOB 'urn:uuid:*') AND \(wrapped) NOT GLOB '*[^-0-9A-Fa-f]*' "
          + "AND \(wrapped) LIKE '________-____-____-____-____________' AND length(replace(\(wrapped), '-', '')) = 32")
    case .unhyphenatedUUID:
      update(to: hyphenated(column), where: "length(\(column)) = 32 AND \(column) NOT GLOB '*[^0-9A-Fa-f]*'")
    case .binaryUUID:
      update(to: hyphenated("hex(\(column))"), where: "length(\(column)) = 16", type: "blob")
    case .shortDate:
      update(
        to: inUTC,
        where: "substr(\(column), 11, 1) = 'T' AND \(column) GLOB '*Z' AND length(\(column)) <> 30 AND \(isTime(rest))")
    case .localDate:
      update(
        to: inUTC,
        where: "(substr(\(column), 11, 1) = ' ' OR substr(\(column), 11, 1) = 'T' AND \(column) NOT GLOB '*Z') "
          + "AND \(isTime(rest))")
    case .offsetDate:
      update(to: fromOffset, where: hasOffset)
    case .variantDate:
      update(
        to: "(SELECT CASE WHEN \(strict.hasOffset) THEN \(strict.fromOffset) ELSE \(strict.inUTC) END "
          + "\(strictDate))",
        where: "(SELECT \(strict.column) <> \(column) AND (\(strict.hasOffset) "
          + "OR \(strict.isInUTC)) \(strictDate))")
    case .day:
      update(to: "\(column) || 'T00:00:00.000000000Z'", where: "length(\(column)) = 10 AND \(isDay)")
    case .fineDate, .integerDate, .realDate, .plainDecimal, .numericDecimal: nil
    }
  }

  /// Returns the advice for a form, in one sentence.
  package func advice(on form: NonCanonicalForm) -> String? {
    if let statement = statement(from: form) { return "convert the column: \(statement)" }
    guard form == .integerDate else { return nil }
    func converting(_ number: String) -> String {
      update(
        to: "strftime('%Y-%m-%dT%H:%M:%S', \(number), 'unixepoch') || '.000000000Z'",
        where: "strftime('%Y', \(number), 'unixepoch') IS NOT NULL", type: "integer")
    }
    return "if the column counts seconds since 1970, convert it: \(converting(column)); if since 2001: "
      + converting("\(column) + 978307200")
  }

  private func update(to expression: String, where condition: String, type: String = "text") -> String {
    "UPDATE \(table) SET \(column) = \(expression) WHERE typeof(\(column)) = '\(type)' AND \(condition)"
  }

  private func hyphenated(_ digits: String) -> String {
    let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { "substr(\(digits), \($0), \($1))" }
    return "lower(\(parts.joined(separator: " || '-' || ")))"
  }

  /// The UUID within braces, or of a URN.
  private var wrapped: String { "substr(rtrim(\(column), '}'), -36)" }

  /// The conversion of a text that is written as ``strictDate`` writes it.
  private var strict: SQLiteConversion { SQLiteConversion(table: "", column: strictColumn) }

  /// A name that the column can't have.
  private var strictColumn: String { column.dropLast() + " strict\"" }

  /// The source of a text with capital letters, with its seconds and with `Z` for `UTC` and `GMT`.
  private var strictDate: String {
    #"FROM (SELECT CASE WHEN substr("date", 17, 1) IN ('', 'Z', ' ', '+', '-') "#
      + #"THEN substr("date", 1, 16) || ':00' || substr("date", 17) ELSE "date" END AS \#(strictColumn) FROM ("#
      + "SELECT CASE WHEN substr(upper(\(column)), -4) IN (' UTC', ' GMT') "
      + #"THEN substr(upper(\#(column)), 1, length(\#(column)) - 4) || 'Z' ELSE upper(\#(column)) END AS "date"))"#
  }

  /// A date in UTC in the format, from a text whose time zone is UTC or missing.
  private var inUTC: String { "\(head) || \(fraction(rest)) || 'Z'" }

  private var isInUTC: String {
    "substr(\(column), 11, 1) IN ('T', ' ') AND \(column) NOT GLOB '*ZZ' AND \(isTime(rest))"
  }

  /// A date in UTC in the format, from a text with an offset. An offset of whole minutes does not affect the fraction, and
  /// SQLite's functions only have three digits.
  private var fromOffset: String {
    "strftime('%Y-%m-%dT%H:%M:%S', substr(\(column), 1, 19) || \(offset)) || \(fraction(restBeforeOffset)) || 'Z'"
  }

  private var hasOffset: String {
    "substr(\(column), 11, 1) IN ('T', ' ') AND (\(zone) GLOB '[-+][0-9][0-9]:[0-9][0-9]' "
      + "OR \(zone) GLOB '[-+][0-9][0-9][0-9][0-9]' OR \(zone) GLOB '[-+][0-9][0-9]') AND \(isTime(restBeforeOffset)) "
      + "AND strftime('%Y', substr(\(column), 1, 19) || \(offset)) IS NOT NULL"
  }

  /// The day and the time to the second.
  private var head: String { "substr(\(column), 1, 10) || 'T' || substr(\(column), 12, 8)" }

  /// The text after the second, without the `Z`.
  private var rest: String { "rtrim(substr(\(column), 20), 'Z')" }

  /// The place of an offset's sign after the second, from 1; 0 without an offset.
  private var sign: String { "instr(replace(substr(\(column), 20), '-', '+'), '+')" }

  /// The offset as it is written.
  private var zone: String { "substr(\(column), 19 + \(sign))" }

  /// The offset as SQLite's functions read it: `+01:00`.
  private var offset: String {
    "substr(\(zone), 1, 3) || ':' || substr(replace(substr(\(zone), 4), ':', '') || '00', 1, 2)"
  }

  private var restBeforeOffset: String { "rtrim(substr(\(column), 20, \(sign) - 1))" }

  /// Returns a point and nine digits.
  private func fraction(_ rest: String) -> String { "'.' || substr(substr(\(rest), 2) || '000000000', 1, 9)" }

  /// The condition that a text begins with a day that exists: without the modifier `+0 days`, SQLite returns `2024-02-30`
  /// unchanged.
  private var isDay: String { "date(substr(\(column), 1, 10), '+0 days') = substr(\(column), 1, 10)" }

  /// Returns the condition that a text begins with a day and a time that exist, before up to nine digits of a fraction.
  private func isTime(_ rest: String) -> String {
    "\(isDay) AND time(substr(\(column), 12, 8), '+0 days') = substr(\(column), 12, 8) "
      + "AND (\(rest) = '' OR \(rest) GLOB '.[0-9]*' AND substr(\(rest), 2) NOT GLOB '*[^0-9]*' AND length(\(rest)) <= 10)"
  }
}
