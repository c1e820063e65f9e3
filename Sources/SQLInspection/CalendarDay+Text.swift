import Query

extension CalendarDay {
  /// Reads `2021-07-06`; `nil` for any other text.
  init?(_ text: String) {
    guard text.utf8.count == 10, DateParts(text) != nil else { return nil }
    let parts = text.split(separator: "-").compactMap { Int64($0) }
    guard parts.count == 3 else { return nil }
    self.init(number: Int(DateText.days(year: parts[0], month: parts[1], day: parts[2])))
  }

  /// The following day, be it one of the year 10000, which no text says.
  var next: CalendarDay { CalendarDay(number: number + 1) }

  /// The text behind all texts that begin with this day, and before those of the next one.
  var endAsText: String {
    // `10000-01-01` would stand before most other dates.
    let last = "9999-12-31"
    return description == last ? "9999-12-32" : next.description
  }
}

/// The days that a text without a time means.
struct DatePeriod {
  let first: CalendarDay
  /// The day behind them.
  let end: CalendarDay

  /// Reads a day, `2021-07-06`, or a month, `2021-07`; `nil` for any other text.
  init?(_ text: String) {
    if let day = CalendarDay(text) {
      (first, end) = (day, day.next)
      return
    }
    guard text.utf8.count == 7, let first = CalendarDay(text + "-01") else { return nil }
    let (year, month, _) = DateText.civil(day: Int64(first.number))
    self.first = first
    end = CalendarDay(
      number: Int(DateText.days(year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, day: 1)))
  }
}
