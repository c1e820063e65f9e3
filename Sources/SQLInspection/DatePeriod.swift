import Query

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
