import Query

/// A day of the Gregorian calendar.
struct CalendarDay: Hashable, CustomStringConvertible {
  /// The number of days since 1970-01-01.
  let number: Int

  init(number: Int) { self.number = number }

  /// Reads `2021-07-06`; `nil` for any other text.
  init?(_ text: String) {
    guard text.utf8.count == 10, DateParts(text) != nil else { return nil }
    let parts = text.split(separator: "-").compactMap { Int64($0) }
    guard parts.count == 3 else { return nil }
    number = Int(DateText.days(year: parts[0], month: parts[1], day: parts[2]))
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
    let (year, month, day) = DateText.civil(day: Int64(number))
    return "\(Self.padded(Int(year), 4))-\(Self.padded(Int(month), 2))-\(Self.padded(Int(day), 2))"
  }

  static func padded(_ number: Int, _ width: Int) -> String {
    String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
  }
}
