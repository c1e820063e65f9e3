/// The parts of a date's text: a day, and possibly a time.
///
/// The dates of this toolkit are read, and the texts of other programs that denote a day or a time: `2026-11-20`,
/// `2026-11-20 23:11`, `2026-11-20T23:11:00.5Z`. The parts of a time with an offset from UTC, such as
/// `2026-11-20T23:11:00+02:00`, are those of the same instant in UTC. A day that does not exist, such as February 30, is not a
/// date.
package struct DateParts: Sendable {
  private let year, month, day: Int64
  private let time: (hour: Int64, minute: Int64, second: Int64)?
  /// Whether the text ends with an offset from UTC other than `Z`.
  package private(set) var hasOffset = false

  /// Reads a text; `nil` if it is not a date.
  package init?(_ text: String) {
    var text = text
    guard let parts = text.withUTF8(Self.parse) else { return nil }
    self = parts
  }

  private init(_ year: Int64, _ month: Int64, _ day: Int64, _ time: (Int64, Int64, Int64)?) {
    (self.year, self.month, self.day, self.time) = (year, month, day, time)
  }

  private static let dayTemplate = TextTemplate("0000-00-00")
  private static let minuteTemplate = TextTemplate("00:00")
  private static let secondTemplate = TextTemplate(":00")

  private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> DateParts? {
    guard bytes.count >= 10, dayTemplate.matches(UnsafeBufferPointer(rebasing: bytes[..<10])),
      let year = DateText.number(bytes[0..<4]), let month = DateText.number(bytes[5..<7]),
      let day = DateText.number(bytes[8..<10]), DateText.isDay(year: year, month: month, day: day)
    else { return nil }
    if bytes.count == 10 { return DateParts(year, month, day, nil) }
    guard bytes.count >= 16, bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "),
      minuteTemplate.matches(UnsafeBufferPointer(rebasing: bytes[11..<16])),
      let hour = DateText.number(bytes[11..<13]), let minute = DateText.number(bytes[14..<16]), hour < 24, minute < 60
    else { return nil }
    var second: Int64 = 0
    var end = 16
    if bytes.count >= 19, secondTemplate.matches(UnsafeBufferPointer(rebasing: bytes[16..<19])) {
      second = DateText.number(bytes[17..<19]) ?? 60
      end = 19
      if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
        let digits = bytes[(end + 1)...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        if digits == 0 { return nil }
        end += 1 + digits
      }
    }
    guard second < 60 else { return nil }
    if end < bytes.count, bytes[end] == UInt8(ascii: "Z") { end += 1 }
    if end == bytes.count { return DateParts(year, month, day, (hour, minute, second)) }
    if bytes[end] == UInt8(ascii: " ") { end += 1 }
    guard bytes[end - 1] != UInt8(ascii: "Z"), let offset = offset(UnsafeBufferPointer(rebasing: bytes[end...])) else {
      return nil
    }
    return DateParts(DateText.days(year: year, month: month, day: day), minute: hour * 60 + minute - offset, second)
  }

  /// Reads the minutes of an offset from UTC: `+02:00`, `+0200` and `+02`; `nil` for any other text.
  private static func offset(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard bytes.count >= 3, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
      let hours = DateText.number(bytes[1..<3]), hours < 24
    else { return nil }
    var rest = bytes[3...]
    if rest.count == 3, rest.first == UInt8(ascii: ":") { rest = rest.dropFirst() }
    guard rest.isEmpty || rest.count == 2, let minutes = rest.isEmpty ? 0 : DateText.number(rest), minutes < 60 else {
      return nil
    }
    return (bytes[0] == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
  }

  /// Makes the parts of a minute after the beginning of a day, or before it; `nil` outside of the years 0 to 9999.
  private init?(_ day: Int64, minute: Int64, _ second: Int64) {
    let daysAfter = minute < 0 ? -1 : minute / (24 * 60)
    let (year, month, dayOfMonth) = DateText.civil(day: day + daysAfter)
    guard 0...9999 ~= year else { return nil }
    let minuteOfDay = minute - daysAfter * 24 * 60
    self.init(year, month, dayOfMonth, (minuteOfDay / 60, minuteOfDay % 60, second))
    hasOffset = true
  }

  /// Returns a part of the date; null for the time of a day without a time.
  package func value(of function: ExpressionFunction) -> Value {
    switch function {
    case .year: .integer(year)
    case .month: .integer(month)
    case .day: .integer(day)
    case .hour: time.map { .integer($0.hour) } ?? .null
    case .minute: time.map { .integer($0.minute) } ?? .null
    case .second: time.map { .integer($0.second) } ?? .null
    case .weekday: .integer(DateText.weekday(year: year, month: month, day: day))
    case .quarter: .integer((month + 2) / 3)
    case .week: .integer(week.number)
    case .weekYear: .integer(week.year)
    case .date: .text("\(yearMonth)-\(DateText.padded(day, 2))")
    case .yearMonth: .text(yearMonth)
    default: .null
    }
  }

  /// The week: that of the year of its Thursday (ISO 8601).
  private var week: (year: Int64, number: Int64) {
    let thursday = dayNumber + 4 - DateText.weekday(year: year, month: month, day: day)
    let year = DateText.civil(day: thursday).year
    return (year, (thursday - DateText.days(year: year, month: 1, day: 1)) / 7 + 1)
  }

  /// The number of days since 1970-01-01.
  var dayNumber: Int64 { DateText.days(year: year, month: month, day: day) }

  /// The number of whole seconds since 1970.
  var secondNumber: Int64 {
    let time = time ?? (0, 0, 0)
    return dayNumber * DateText.secondsPerDay + time.hour * 3_600 + time.minute * 60 + time.second
  }

  /// Returns a date that is a number of days after another, as a text of the same form; `nil` outside of the years 0 to 9999, and
  /// for other texts. The time and the offset from UTC stay.
  static func text(_ text: String, addingDays days: Int64) -> String? {
    guard DateParts(text) != nil, -4_000_000...4_000_000 ~= days, let parts = DateParts(String(text.prefix(10))) else {
      return nil
    }
    let (year, month, day) = DateText.civil(day: parts.dayNumber + days)
    return Self.text(year, month, day, before: text.dropFirst(10))
  }

  /// Returns a date that is a number of months after another, or the last day of a month that has fewer days.
  static func text(_ text: String, addingMonths months: Int64) -> String? {
    guard DateParts(text) != nil, -200_000...200_000 ~= months, let parts = DateParts(String(text.prefix(10))) else {
      return nil
    }
    let count = parts.year * 12 + parts.month - 1 + months
    guard count >= 0 else { return nil }
    let (year, month) = (count / 12, count % 12 + 1)
    let next = DateText.days(year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, day: 1)
    let last = DateText.civil(day: next - 1).day
    return Self.text(year, month, min(parts.day, last), before: text.dropFirst(10))
  }

  private static func text(_ year: Int64, _ month: Int64, _ day: Int64, before rest: Substring) -> String? {
    guard 0...9999 ~= year else { return nil }
    return "\(DateText.padded(year, 4))-\(DateText.padded(month, 2))-\(DateText.padded(day, 2))\(rest)"
  }

  private var yearMonth: String { "\(DateText.padded(year, 4))-\(DateText.padded(month, 2))" }
}
