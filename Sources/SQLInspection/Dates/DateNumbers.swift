package import Query

// Dates of texts as the numbers of a column: what `--dates` of the tool compares and writes. `NumericDateForm` itself has the
// way back.
extension NumericDateForm {
  /// The number that means a date; `nil` for a text that is none.
  ///
  /// A time with an offset from UTC, as in `2024-01-02T10:00:00+02:00`, means the same instant in UTC.
  package func number(of text: String) -> Value? {
    let (text, offset) = Self.withoutOffset(text)
    guard let parts = DateParts(text), let day = CalendarDay(String(text.prefix(10))) else { return nil }
    func part(_ function: ExpressionFunction) -> Int64 {
      if case .integer(let integer) = parts.value(of: function) { integer } else { 0 }
    }
    let time = part(.hour) * 3_600 + part(.minute) * 60 + part(.second) - offset
    let digits = text.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst().prefix { 0x30...0x39 ~= $0 }.prefix(9)
    let fraction = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
    let nanoseconds = (digits.count..<9).reduce(fraction) { fraction, _ in fraction * 10 }
    return number(day.number * DateText.secondsPerDay + time, nanoseconds)
  }

  /// Returns a date with a time without its offset from UTC, as in `+02:00`, `+0200` and `+02`, and that offset in seconds.
  private static func withoutOffset(_ text: String) -> (text: String, seconds: Int64) {
    let utf8 = text.utf8
    guard let sign = utf8.lastIndex(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }),
      utf8.distance(from: utf8.startIndex, to: sign) >= 16
    else { return (text, 0) }
    let digits = text[utf8.index(after: sign)...]
    let parts = digits.utf8.filter { $0 != UInt8(ascii: ":") }
    let hasColon = digits.contains(":")
    let start = text[..<sign]
    guard parts.count == 4 || parts.count == 2 && !hasColon,
      !hasColon || digits.utf8.count == 5 && digits.dropFirst(2).hasPrefix(":"),
      parts.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int64(String(decoding: parts, as: UTF8.self)),
      !start.hasSuffix("Z")
    else { return (text, 0) }
    let (hours, minutes) = parts.count == 4 ? (number / 100, number % 100) : (number, 0)
    guard hours < 24, minutes < 60 else { return (text, 0) }
    let seconds = (hours * 60 + minutes) * 60
    return (String(start.hasSuffix(" ") ? start.dropLast() : start), text[sign] == "-" ? -seconds : seconds)
  }

  /// The number that means the beginning of a day.
  func number(of day: CalendarDay) -> Value { number(day.number * DateText.secondsPerDay, 0) }

  /// The number of an instant, in whole units as long as they fit: a `Double` has not all of them beyond 2^53.
  private func number(_ seconds: Int64, _ nanoseconds: Int64) -> Value {
    guard let units = unitsPerSecond else {
      // As SQLite's `julianday` makes it, of whole milliseconds: https://www.sqlite.org/src/file/src/date.c
      let milliseconds = seconds * 1_000 + (nanoseconds + 500_000) / 1_000_000
      return .real(Double(milliseconds + Self.julianMillisecondsOf1970) / Double(Self.millisecondsPerDay))
    }
    let nanosecondsPerUnit = 1_000_000_000 / units
    let (whole, isTooLarge) = (seconds - epoch).multipliedReportingOverflow(by: units)
    let isFractional = units <= 1_000 && nanoseconds % nanosecondsPerUnit != 0
    let (sum, isTooLargeSum) = whole.addingReportingOverflow(
      (nanoseconds + nanosecondsPerUnit / 2) / nanosecondsPerUnit)
    if !isFractional, !isTooLarge, !isTooLargeSum { return .integer(sum) }
    return .real(Double(seconds - epoch) * Double(units) + Double(nanoseconds) / Double(nanosecondsPerUnit))
  }

  /// Whether a number would be a date of our time.
  package func isLikely(for value: Value) -> Bool {
    guard case .text(let text) = text(of: value), let year = Int(text.prefix(4)) else { return false }
    return 1980...2060 ~= year
  }
}
