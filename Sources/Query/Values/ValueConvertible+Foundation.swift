#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension UUID: ValueConvertible {
  /// Texts.
  public static var valueType: ValueType { .text }

  /// Makes the canonical text in lower case, as RFC 9562 asks of what is written.
  public func makeValue() -> Value { .text(uuidString.lowercased()) }

  /// Reads the canonical text in either case.
  ///
  /// - Throws: ``ValueError`` for another text and for a value of another kind.
  public init(value: Value) throws(ValueError) {
    let text = try String(value: value)
    // Counted, because Foundation reads no further than a NUL.
    guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else {
      throw ValueError("the stored text is no UUID")
    }
    self = uuid
  }
}

extension URL: ValueConvertible {
  /// Texts.
  public static var valueType: ValueType { .text }

  /// Makes the absolute URL's text.
  public func makeValue() -> Value { .text(absoluteString) }

  /// Reads a URL.
  ///
  /// - Throws: ``ValueError`` for a text that is no URL and for a value of another kind.
  public init(value: Value) throws(ValueError) {
    guard let url = URL(string: try String(value: value)) else { throw ValueError("the stored text is no URL") }
    self = url
  }
}

extension Data: ValueConvertible {
  /// Bytes.
  public static var valueType: ValueType { .blob }

  /// Makes a blob.
  public func makeValue() -> Value { .blob([UInt8](self)) }

  /// Reads a blob.
  ///
  /// - Throws: ``ValueError`` for a value of another kind.
  public init(value: Value) throws(ValueError) {
    self = Data(try [UInt8](value: value))
  }
}

extension Date: ValueConvertible {
  /// Texts.
  public static var valueType: ValueType { .text }

  /// Makes an ISO 8601 text in UTC with nine fraction digits, so that the order of texts is the order of time.
  ///
  /// The text reads back as the same date but for the 100 days around 2001-01-01, where a `Date` is finer than a
  /// nanosecond and is rounded to one.
  ///
  /// - Throws: ``ValueError`` outside the years 0000 to 9999.
  public func makeValue() throws(ValueError) -> Value {
    guard let text = DateText.text(secondsSinceReferenceDate: timeIntervalSinceReferenceDate) else {
      throw ValueError("a date outside the years 0000 to 9999 can't be stored", suggestion: "store it as a number")
    }
    return .text(text)
  }

  /// Reads an ISO 8601 text in UTC, with up to nine fraction digits.
  ///
  /// - Throws: ``ValueError`` for another text and for a value of another kind.
  public init(value: Value) throws(ValueError) {
    guard let seconds = DateText.secondsSinceReferenceDate(try String(value: value)) else {
      throw ValueError(
        "the stored text is no date", suggestion: "a date is stored like 2026-11-20T23:11:00.000000000Z")
    }
    self = Date(timeIntervalSinceReferenceDate: seconds)
  }
}

/// Dates as text: `2026-11-20T23:11:00.000000000Z`, proleptic Gregorian calendar, UTC, no leap seconds.
///
/// Written by hand because Foundation's ISO 8601 style stops at milliseconds, which would not read back.
enum DateText {
  private static let secondsPerDay: Int64 = 86_400
  /// From 1970-01-01 to 2001-01-01, Foundation's reference date.
  private static let referenceDay: Int64 = 11_323

  /// - Returns: nil outside the years 0000 to 9999, and for a number that is not finite.
  static func text(secondsSinceReferenceDate interval: Double) -> String? {
    // Far outside of four-digit years, yet small enough for the integers below.
    guard abs(interval) < 1e12 else { return nil }
    let floor = interval.rounded(.down)
    var seconds = Int64(floor) + referenceDay * secondsPerDay
    var nanoseconds = Int64(((interval - floor) * 1e9).rounded())
    if nanoseconds == 1_000_000_000 {
      seconds += 1
      nanoseconds = 0
    }
    let day = seconds / secondsPerDay - (seconds % secondsPerDay < 0 ? 1 : 0)
    let second = seconds - day * secondsPerDay
    let date = civil(day: day)
    guard (0...9999).contains(date.year) else { return nil }
    return padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2)
      + "T" + padded(second / 3600, 2) + ":" + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2)
      + "." + padded(nanoseconds, 9) + "Z"
  }

  /// - Returns: nil for a text of another form and for a date that no calendar has.
  static func secondsSinceReferenceDate(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[bytes.count - 1] == UInt8(ascii: "Z"),
      bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
      let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
      hour < 24, minute < 60, second < 60
    else { return nil }
    var nanoseconds: Int64 = 0
    let fraction = bytes[19..<(bytes.count - 1)]
    if let point = fraction.first {
      let digits = fraction.dropFirst()
      guard point == UInt8(ascii: "."), (1...9).contains(digits.count), let number = number(digits) else { return nil }
      nanoseconds = (digits.count..<9).reduce(number) { product, _ in product * 10 }
    }
    let days = days(year: year, month: month, day: day)
    guard civil(day: days) == (year, month, day) else { return nil }
    let whole = (days - referenceDay) * secondsPerDay + hour * 3600 + minute * 60 + second
    return Double(whole) + Double(nanoseconds) / 1e9
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    var number: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      number = number * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    return number
  }

  /// Days since 1970-01-01, counted in 400-year eras of years that begin in March, so that a leap day comes last.
  /// Source of the method: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The inverse of ``days(year:month:day:)``.
  private static func civil(day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }
}
