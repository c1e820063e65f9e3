package import Query

extension NumericDateForm {
  /// The number that means a date; `nil` for a text that is none.
  package func number(of text: String) -> Value? {
    guard let parts = DateParts(text), let day = CalendarDay(String(text.prefix(10))) else { return nil }
    func part(_ function: ExpressionFunction) -> Int64 {
      if case .integer(let integer) = parts.value(of: function) { integer } else { 0 }
    }
    let time = part(.hour) * 3_600 + part(.minute) * 60 + part(.second)
    let digits = text.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst().prefix { 0x30...0x39 ~= $0 }.prefix(9)
    let fraction = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
    let nanoseconds = (digits.count..<9).reduce(fraction) { fraction, _ in fraction * 10 }
    return number(Int64(day.number) * DateText.secondsPerDay + time, nanoseconds)
  }

  /// The number that means the beginning of a day.
  func number(of day: CalendarDay) -> Value { number(Int64(day.number) * DateText.secondsPerDay, 0) }

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
