import Query

/// A day of the Gregorian calendar.
struct CalendarDay {
  /// The number of days since 1970-01-01.
  let number: Int64

  init(number: Int64) { self.number = number }

  /// Reads `2021-07-06`; `nil` for any other text.
  init?(_ text: String) {
    guard text.utf8.count == 10, DateParts(text) != nil else { return nil }
    let parts = text.split(separator: "-").compactMap { Int64($0) }
    guard parts.count == 3 else { return nil }
    self.init(number: DateText.days(year: parts[0], month: parts[1], day: parts[2]))
  }

  /// The following day, which may be in the year 10000 and then has no text form.
  var next: CalendarDay { CalendarDay(number: number + 1) }

  /// The exclusive upper bound of all texts that begin with this day.
  var endAsText: String {
    // `10000-01-01` would sort before most other dates.
    DateText.text(ofDay: number) == "9999-12-31" ? "9999-12-32" : DateText.text(ofDay: next.number)
  }
}

/// The period of a text without a time: a day or a month.
struct DatePeriod {
  let first: CalendarDay
  /// The day after the period.
  let end: CalendarDay

  /// Reads a day, `2021-07-06`, or a month, `2021-07`; `nil` for any other text.
  init?(_ text: String) {
    if let day = CalendarDay(text) {
      (first, end) = (day, day.next)
      return
    }
    guard text.utf8.count == 7, let first = CalendarDay(text + "-01") else { return nil }
    let (year, month, _) = DateText.civil(day: first.number)
    self.first = first
    end = CalendarDay(
      number: DateText.days(year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, day: 1))
  }
}
