import Query

// Parts of dates, differences of dates and dates beside others, of texts. PostgreSQL has no year 0000; the calendar repeats after
// 400 years. https://www.postgresql.org/docs/15/functions-datetime.html
extension PostgresDialect {
  func datePart(_ function: ExpressionFunction, _ text: String) -> String {
    let date = DateSQL(text)
    let part: String
    switch function {
    case .year: part = date.number(1, 4)
    case .month: part = date.number(6, 2)
    case .day: part = date.number(9, 2)
    case .hour: part = date.number(12, 2)
    case .minute: part = date.number(15, 2)
    case .second: part = date.second
    case .quarter: part = "(\(date.number(6, 2)) + 2) / 3"
    case .weekday: part = "extract(isodow FROM \(date.day))::int8"
    case .week: part = "extract(week FROM \(date.day))::int8"
    case .weekYear: part = "extract(isoyear FROM \(date.day))::int8 - 400"
    case .date: part = "left(\(text), 10)"
    default: part = "left(\(text), 7)"
    }
    let shifted: String
    switch function {
    case .year: shifted = "extract(year FROM u)::int8 - 400"
    case .weekday: shifted = "extract(isodow FROM u)::int8"
    case .weekYear: shifted = "extract(isoyear FROM u)::int8 - 400"
    // Offsets have whole minutes, and leave the second as it is.
    case .second: shifted = date.second
    case .date, .yearMonth:
      shifted =
        "lpad((extract(year FROM u) - 400)::text, 4, '0') || to_char(u, '\(function == .date ? "-MM-DD" : "-MM")')"
    default: shifted = "extract(\(function.rawValue) FROM u)::int8"
    }
    let hasTime = [.hour, .minute, .second].contains(function)
    return date.cases(part, shifted, requiringTime: hasTime, hasSubqueries)
  }

  /// Returns the number of days or seconds between two dates.
  func difference(_ function: ExpressionFunction, _ start: String, _ end: String) -> String {
    func number(_ text: String) -> String {
      let date = DateSQL(text)
      let days = "(\(date.day) - date '2000-01-01')"
      let shiftedDays = "(u::date - date '2000-01-01')"
      guard function == .secondsBetween else {
        return date.cases("\(days)::int8", "\(shiftedDays)::int8", hasSubqueries)
      }
      let time =
        "coalesce(nullif(substr(\(text), 12, 2), ''), '0')::int8 * 3600 "
        + "+ coalesce(nullif(substr(\(text), 15, 2), ''), '0')::int8 * 60 + \(date.second)"
      return date.cases(
        "\(days)::int8 * 86400 + \(time)",
        "\(shiftedDays)::int8 * 86400 + extract(hour FROM u)::int8 * 3600 + extract(minute FROM u)::int8 * 60 + \(date.second)",
        hasSubqueries)
    }
    return "\(number(end).inParentheses) - \(number(start).inParentheses)"
  }

  /// Returns a date that is a number of days or months after another; what follows the day stays.
  func shifted(_ function: ExpressionFunction, _ text: String, by number: String) -> String {
    let date = DateSQL(text)
    let isDate = "\(text) ~ '\(date.plain)' OR \(text) ~ '\(date.withOffset)'"
    if function == .addDays {
      let day = "\(date.day) + \(number)::int"
      return "CASE WHEN \(number) BETWEEN -4000000 AND 4000000 THEN CASE WHEN \(isDate) THEN CASE WHEN \(day) "
        + "BETWEEN date '0400-01-01' AND date '10399-12-31' THEN lpad((extract(year FROM \(day)) - 400)::text, 4, '0') "
        + "|| to_char(\(day), '-MM-DD') || substr(\(text), 11) END END END"
    }
    let months = "(\(date.number(1, 4)) * 12 + \(date.number(6, 2)) - 1 + \(number))"
    let month = "make_date((\(months) / 12)::int + 400, (\(months) % 12)::int + 1, 1)"
    let last = "extract(day FROM \(month) + interval '1 month' - interval '1 day')::int8"
    return "CASE WHEN \(number) BETWEEN -200000 AND 200000 THEN CASE WHEN \(isDate) THEN CASE WHEN \(months) "
      + "BETWEEN 0 AND 119999 THEN lpad((\(months) / 12)::text, 4, '0') || '-' || lpad((\(months) % 12 + 1)::text, 2, '0') "
      + "|| '-' || lpad(least(\(date.number(9, 2)), \(last))::text, 2, '0') || substr(\(text), 11) END END END"
  }
}

/// The SQL about the text of a date.
private struct DateSQL {
  let text: String

  init(_ text: String) { self.text = text }

  func number(_ start: Int, _ count: Int) -> String { "substr(\(text), \(start), \(count))::int8" }

  var second: String { "CASE WHEN substr(\(text), 17, 1) = ':' THEN \(number(18, 2)) ELSE 0 END" }

  /// The day, 400 years later.
  var day: String { "make_date(\(dayArguments))" }

  private var dayArguments: String { "\(number(1, 4))::int + 400, \(number(6, 2))::int, \(number(9, 2))::int" }

  private static let time = "[T ]\(PostgresConversion.minute)(:[0-5][0-9]([.][0-9]+)?)?"

  /// The pattern of a date without an offset from UTC, and of one with it.
  var plain: String { Self.plain(requiringTime: false) }
  let withOffset = "^\(PostgresConversion.day)\(time) ?[-+]([01][0-9]|2[0-3])(:?[0-5][0-9])?$"

  private static func plain(requiringTime: Bool) -> String {
    "^\(PostgresConversion.day)\(requiringTime ? "\(time)Z?" : "(\(time)Z?)?")$"
  }

  /// The instant in UTC of a date with an offset, 400 years later.
  private var instant: String {
    let offset = "substring(\(text) from '[-+][0-9:]+$')"
    func part(_ first: Int) -> String { "('0' || substr(translate(\(offset), ':', ''), \(first), 2))::int" }
    let minutes = "(\(part(2)) * 60 + \(part(4))) * CASE left(\(offset), 1) WHEN '-' THEN 1 ELSE -1 END"
    return
      "make_timestamp(\(dayArguments), \(number(12, 2))::int, \(number(15, 2))::int, 0) + make_interval(mins => \(minutes))"
  }

  /// Returns a value of a date; null for other texts.
  ///
  /// - Parameters:
  ///   - part: the value of a date without an offset.
  ///   - shifted: the value of the instant `u` of one with an offset.
  func cases(
    _ part: String, _ shifted: String, requiringTime: Bool = false, _ hasSubqueries: Bool
  ) -> String {
    let ofInstant =
      hasSubqueries
      ? "(SELECT CASE WHEN extract(year FROM u) BETWEEN 400 AND 10399 THEN \(shifted) END FROM (SELECT \(instant) AS u OFFSET 0) AS i)"
      : "CASE WHEN extract(year FROM \(instant)) BETWEEN 400 AND 10399 THEN "
        + shifted.replacing("FROM u", with: "FROM \(instant)").replacing("(u,", with: "(\(instant),")
        .replacing("(u::", with: "((\(instant))::") + " END"
    return "CASE WHEN \(text) ~ '\(Self.plain(requiringTime: requiringTime))' THEN \(part) "
      + "WHEN \(text) ~ '\(withOffset)' THEN \(ofInstant) END"
  }
}
