import Query

/// A day of the Gregorian calendar.
struct CalendarDay: Hashable, CustomStringConvertible {
  /// The number of days since 1970-01-01.
  let number: Int

  init(number: Int) { self.number = number }

  /// Reads `2021-07-06`; `nil` for any other text.
  init?(_ text: String) {
    guard text.utf8.count == 10, DateParts(text) != nil else { return nil }
    let parts = text.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3 else { return nil }
    number = Self.number(year: parts[0], month: parts[1], day: parts[2])
  }

  /// The following day, be it one of the year 10000, which no text says.
  var next: CalendarDay { CalendarDay(number: number + 1) }

  /// The text behind all texts that begin with this day, and before those of the next one.
  var endAsText: String {
    // `10000-01-01` would stand before most other dates.
    let last = "9999-12-31"
    return description == last ? "9999-12-32" : next.description
  }

  var description: String {
    // https://howardhinnant.github.io/date_algorithms.html#civil_from_days
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let ofEra = shifted - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * ofYear + 2) / 153
    let day = ofYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
  }

  static func padded(_ number: Int, _ width: Int) -> String {
    String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
  }

  private static func number(year: Int, month: Int, day: Int) -> Int {
    // https://howardhinnant.github.io/date_algorithms.html#days_from_civil
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear - 719_468
  }
}
