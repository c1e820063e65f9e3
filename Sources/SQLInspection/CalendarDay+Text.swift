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
