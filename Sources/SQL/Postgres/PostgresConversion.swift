package import Query

/// Statements that convert other programs' forms of UUIDs and dates to those of this toolkit, as ``SQLiteConversion``.
///
/// Each statement changes only rows of its form, so that it can be run again, and changes no instant and no UUID. A text that
/// is not a date is recognised by its characters: a cast of it would be an error, and end the statement.
package struct PostgresConversion {
  private let table: String
  private let column: String

  package init(ofColumn column: String, in table: String) {
    self.table = PostgresDialect().quoted(table)
    self.column = PostgresDialect().quoted(column)
  }

  /// Returns the statement for a form; `nil` if the values themselves are ambiguous, or more precise than a date.
  package func statement(from form: NonCanonicalForm) -> String? {
    switch form {
    case .capitalUUID:
      update(to: "\(column)::uuid::text", where: "\(matching(uuid)) AND \(column) ~ '[A-F]'")
    case .wrappedUUID:
      update(
        to: "right(rtrim(\(column), '}'), 36)::uuid::text",
        where: matching("[{]\(uuid)[}]|[Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:\(uuid)"))
    case .unhyphenatedUUID:
      update(to: "\(column)::uuid::text", where: matching(hex(32)))
    case .binaryUUID:
      // A number of bytes other than 16 is an error, and the table is not changed.
      changeType("encode(\(column), 'hex')::uuid::text")
    case .shortDate:
      update(to: withFraction(head), where: "\(matching("\(Self.day)T\(time)Z")) AND length(\(column)) <> 30")
    case .localDate:
      update(to: withFraction(head), where: matching("\(Self.day)(T\(time)| \(time)Z?)"))
    case .offsetDate:
      // A timestamp has no year 0000, and only six fraction digits: the text's own fraction is kept, since an offset of whole
      // minutes does not affect it.
      update(
        to: "to_char((left(\(column), 19) || substring(\(column) from '[-+][0-9:]+$'))::timestamptz "
          + "AT TIME ZONE 'UTC', "
          + #"'YYYY-MM-DD"T"HH24:MI:SS') || '.' || "#
          + "rpad(coalesce(substring(\(column) from '[.]([0-9]+)'), ''), 9, '0') || 'Z'",
        where: "\(matching("\(Self.day)[T ]\(time)\(Self.offset)")) AND \(isTimestamp)")
    case .variantDate:
      update(
        to: "to_char((regexp_replace(upper(\(column)), '[.][0-9]+', '') || CASE WHEN \(column) ~ "
          + "'([-+][0-9:]+|[A-Za-z])$' THEN '' ELSE 'Z' END)::timestamptz AT TIME ZONE 'UTC', "
          + #"'YYYY-MM-DD"T"HH24:MI:SS') || '.' || "#
          + "rpad(coalesce(substring(\(column) from '[.]([0-9]+)'), ''), 9, '0') || 'Z'",
        where: matching(
          "\(Self.day)[Tt ](\(Self.minute)|\(time))(\(Self.offset)|[Zz]| [Uu][Tt][Cc]| [Gg][Mm][Tt])?")
          + " AND NOT \(matching("\(Self.day)[T ]\(time)(\(Self.offset)|Z)?")) AND \(isTimestamp)")
    case .day:
      update(to: "\(column) || 'T00:00:00.000000000Z'", where: matching(Self.day))
    case .fineDate, .integerDate, .realDate, .plainDecimal, .numericDecimal: nil
    }
  }

  /// Returns the advice for a form, in one sentence.
  package func advice(on form: NonCanonicalForm) -> String? {
    if let statement = statement(from: form) { return "convert the column: \(statement)" }
    guard form == .integerDate else { return nil }
    func converting(since start: String, from least: Int64, to greatest: Int64) -> String {
      // A number outside of the years of dates is kept, as a text.
      changeType(
        "CASE WHEN \(column) BETWEEN \(least) AND \(greatest) THEN to_char(timestamp '\(start)' "
          + "+ \(column) * interval '1 second', "
          + #"'YYYY-MM-DD"T"HH24:MI:SS".000000000Z"') ELSE \#(column)::text END"#)
    }
    let (since1970, since2001) = (
      converting(since: "1970-01-01", from: -62_135_596_800, to: 253_402_300_799),
      converting(since: "2001-01-01", from: -63_113_904_000, to: 252_423_993_599)
    )
    return "if the column counts seconds since 1970, convert it: \(since1970); if since 2001: \(since2001)"
  }

  private func update(to expression: String, where condition: String) -> String {
    "UPDATE \(table) SET \(column) = \(expression) WHERE \(condition)"
  }

  private func changeType(_ expression: String) -> String {
    #"ALTER TABLE \#(table) ALTER COLUMN \#(column) TYPE text COLLATE "C" USING \#(expression)"#
  }

  private func matching(_ pattern: String) -> String { "\(column) ~ '^(\(pattern))$'" }

  /// Whether a text is of a year that timestamps have, whatever its offset.
  private var isTimestamp: String { "\(column) > '0001-01-02' AND \(column) < '9999-12-31'" }

  private var uuid: String { "\(hex(8))(-\(hex(4))){3}-\(hex(12))" }

  private func hex(_ count: Int) -> String { "[0-9A-Fa-f]{\(count)}" }

  /// A valid day.
  static let day =
    """
    ([0-9]{4}-(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|[0-9]{4}-(0[469]|11)-(0[1-9]|[12][0-9]|30)\
    |[0-9]{4}-02-(0[1-9]|1[0-9]|2[0-8])\
    |([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)
    """

  /// An hour and a minute.
  static let minute = "([01][0-9]|2[0-3]):[0-5][0-9]"

  private static let offset = " *[-+](0[0-9]|1[0-4])(:?[0-5][0-9])?"

  /// A time with up to nine digits of a fraction.
  private var time: String { "\(Self.minute):[0-5][0-9]([.][0-9]{1,9})?" }

  /// The day and the time to the second.
  private var head: String { "left(\(column), 10) || 'T' || substr(\(column), 12, 8)" }

  /// A day and a time with the nine digits of the column's fraction.
  private func withFraction(_ time: String) -> String {
    "\(time) || '.' || rpad(substr(rtrim(\(column), 'Z'), 21), 9, '0') || 'Z'"
  }
}
