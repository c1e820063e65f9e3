package import Query

/// How the numbers of a column represent dates.
package enum DateForm: String, CaseIterable, Sendable {
  /// Seconds since 1970.
  case unix
  /// Milliseconds since 1970.
  case milliseconds
  /// Microseconds since 1970, as Firefox has them.
  case microseconds
  /// Days since noon of 24 November 4714 BC, as in SQLite's `julianday`.
  case julian
  /// Seconds since 2001, as in Apple's Core Data.
  case coreData = "core-data"
  /// Nanoseconds since 2001, as in the messages of iPhones.
  case coreDataNanoseconds = "core-data-nanoseconds"
  /// Microseconds since 1601, as in Chrome.
  case webkit

  private static let secondsPerDay: Int64 = 86_400
  private static let millisecondsPerDay: Int64 = 86_400_000
  /// The Julian day of 1970-01-01 in milliseconds.
  private static let julianMillisecondsOf1970: Int64 = 210_866_760_000_000
  /// The years 0000 to 9999 in milliseconds since 1970.
  private static let writtenYears: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

  /// How many units a second has; `nil` where days are counted.
  private var unitsPerSecond: Int64? {
    switch self {
    case .unix, .coreData: 1
    case .milliseconds: 1_000
    case .microseconds, .webkit: 1_000_000
    case .coreDataNanoseconds: 1_000_000_000
    case .julian: nil
    }
  }

  /// From where units are counted, in seconds since 1970.
  private var epoch: Int64 {
    switch self {
    case .unix, .milliseconds, .microseconds, .julian: 0
    case .coreData, .coreDataNanoseconds: 978_307_200
    case .webkit: -11_644_473_600
    }
  }

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
    return number(Int64(day.number) * Self.secondsPerDay + time, nanoseconds)
  }

  /// The number that means the beginning of a day.
  func number(of day: CalendarDay) -> Value { number(Int64(day.number) * Self.secondsPerDay, 0) }

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

  /// The date that a number means, as a text; what is no number stays what it is, and so does a date outside of the years 0000
  /// to 9999.
  package func text(of value: Value) -> Value {
    guard let milliseconds = milliseconds(of: value), Self.writtenYears.contains(milliseconds) else { return value }
    let inDay = milliseconds.modulo(Self.millisecondsPerDay)
    let day = CalendarDay(number: Int((milliseconds - inDay) / Self.millisecondsPerDay))
    let (second, fraction) = (inDay / 1_000, inDay % 1_000)
    func padded(_ number: Int64, _ width: Int) -> String { CalendarDay.padded(Int(number), width) }
    let time = "\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    return .text("\(day) \(time)" + (fraction > 0 ? ".\(padded(fraction, 3))" : ""))
  }

  /// The nearest millisecond since 1970; `nil` for what is no number, and for one far outside of any calendar.
  private func milliseconds(of value: Value) -> Int64? {
    switch value {
    case .integer(let integer):
      guard let units = unitsPerSecond else { return milliseconds(of: .real(Double(integer))) }
      let rest = integer.modulo(units)
      let whole = integer / units - (integer % units < 0 ? 1 : 0)
      guard whole.magnitude < 1_000_000_000_000 else { return nil }
      return (whole + epoch) * 1_000 + (rest * 1_000 + units / 2) / units
    case .real(let real):
      let milliseconds =
        if let units = unitsPerSecond {
          ((real / Double(units) + Double(epoch)) * 1_000).rounded()
        } else {
          // A Julian day is exact to a tenth of a millisecond or so.
          (real * Double(Self.millisecondsPerDay)).rounded() - Double(Self.julianMillisecondsOf1970)
        }
      return milliseconds.magnitude < 1e15 ? Int64(milliseconds) : nil
    default: return nil
    }
  }

  /// Whether a number would be a date of our time.
  func isLikely(for value: Value) -> Bool {
    guard case .text(let text) = text(of: value), let year = Int(text.prefix(4)) else { return false }
    return 1980...2060 ~= year
  }
}

extension Int64 {
  /// The remainder from 0 on, of negative numbers too.
  fileprivate func modulo(_ divisor: Int64) -> Int64 {
    let rest = self % divisor
    return rest < 0 ? rest + divisor : rest
  }
}
