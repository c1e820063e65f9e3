/// Dates as text: `2026-11-20T23:11:00.000000000Z`, proleptic Gregorian calendar, UTC, no leap seconds.
///
/// Written by hand because Foundation's ISO 8601 style stops at milliseconds, so that a finer date would not read back as the
/// same.
package enum DateText {
  /// An instant in decimal, as a text writes it: nanoseconds after a whole second, counted from 2001-01-01.
  struct Instant: Equatable {
    let second: Int64
    let nanoseconds: Int64
  }

  package static let secondsPerDay: Int64 = 86_400
  /// The days from 1970-01-01 to 2001-01-01, Foundation's reference date.
  private static let referenceDay: Int64 = 11_323
  private static let powersOfTen: [Int64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  ]

  /// - Returns: `nil` outside the years 0000 to 9999, and for a number that is not finite.
  static func text(secondsSinceReferenceDate interval: Double) -> String? {
    // 10¹² seconds are far outside of four-digit years, yet fit the integers below.
    guard abs(interval) < 1e12 else { return nil }
    return text(instant(interval))
  }

  /// Returns the text of a number of microseconds since the beginning of the year 2000.
  static func text(microsecondsSince2000 microseconds: Int64) -> String? {
    let second = microseconds / 1_000_000 - (microseconds % 1_000_000 < 0 ? 1 : 0)
    return text(Instant(second: second - 366 * secondsPerDay, nanoseconds: (microseconds - second * 1_000_000) * 1_000))
  }

  private static func text(_ instant: Instant) -> String? {
    let seconds = instant.second + referenceDay * secondsPerDay
    let day = seconds / secondsPerDay - (seconds % secondsPerDay < 0 ? 1 : 0)
    let second = seconds - day * secondsPerDay
    let date = civil(day: day)
    guard (0...9999).contains(date.year) else { return nil }
    return String(unsafeUninitializedCapacity: 30) { bytes in
      var end = 0
      func write(_ number: Int64, _ width: Int, before separator: Unicode.Scalar) {
        var rest = number
        for position in stride(from: end + width - 1, through: end, by: -1) {
          bytes[position] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
        bytes[end + width] = UInt8(ascii: separator)
        end += width + 1
      }
      write(date.year, 4, before: "-")
      write(date.month, 2, before: "-")
      write(date.day, 2, before: "T")
      write(second / 3600, 2, before: ":")
      write(second / 60 % 60, 2, before: ":")
      write(second % 60, 2, before: ".")
      write(instant.nanoseconds, 9, before: "Z")
      return end
    }
  }

  /// - Returns: `nil` for a text that ``text(secondsSinceReferenceDate:)`` does not write.
  static func secondsSinceReferenceDate(_ text: String) -> Double? {
    guard let instant = instant(text) else { return nil }
    return isExact(instant) ? seconds(instant) : nil
  }

  /// Returns the instant of a text in the format of dates, with nine fraction digits.
  static func instant(_ text: String) -> Instant? {
    var text = text
    return text.withUTF8 { bytes in
      ValueFormat.dateTemplate.matches(bytes) ? Self.instant(bytes, nanoseconds: number(bytes[20..<29])) : nil
    }
  }

  /// Returns the text in the format of dates of an instant or a day as other programs write it: `2026-11-20 23:11`, with a `T` or a
  /// blank, with any number of fraction digits, of which nine are kept, and with `Z`, `UTC`, an offset or none, which is UTC.
  ///
  /// - Returns: `nil` for a text that is no such date, and for a day that does not exist.
  package static func canonical(_ text: String) -> String? {
    let text = text.utf8.count == 10 ? text + "T00:00Z" : text
    var bytes = Array(text.utf8)
    guard bytes.count >= 16, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      "Tt ".utf8.contains(bytes[10]),
      bytes[13] == UInt8(ascii: ":")
    else { return nil }
    if bytes.count == 16 || bytes[16] != UInt8(ascii: ":") { bytes.insert(contentsOf: ":00".utf8, at: 16) }
    guard bytes.count >= 19 else { return nil }
    var rest = bytes[19...]
    var fraction: [UInt8] = []
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      if fraction.isEmpty { return nil }
      rest = rest.dropFirst(1 + fraction.count)
    }
    var nanoseconds: Int64 = 0
    for position in 0..<9 {
      let digit = position < fraction.count ? fraction[position] - UInt8(ascii: "0") : 0
      nanoseconds = nanoseconds * 10 + Int64(digit)
    }
    guard let offset = offset(String(decoding: rest.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)) else {
      return nil
    }
    let local = bytes.withUnsafeBufferPointer { Self.instant($0, nanoseconds: nanoseconds) }
    return local.flatMap { Self.text(Instant(second: $0.second - offset, nanoseconds: $0.nanoseconds)) }
  }

  /// Returns the seconds of an offset from UTC, such as `+01:00`, `+0100`, `+01`, `Z` or none.
  private static func offset(_ text: String) -> Int64? {
    if ["", "z", "utc", "gmt"].contains(text.lowercased()) { return 0 }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard let sign = text.first, sign == "+" || sign == "-", digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      ["+00:00", "+0000", "+00"].contains(where: { $0.count == text.count && $0.contains(":") == text.contains(":") }),
      let hours = Int64(digits.prefix(2)), hours < 24, let minutes = digits.count == 2 ? 0 : Int64(digits.suffix(2)),
      minutes < 60
    else { return nil }
    return (sign == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
  }

  /// Returns whether the `Date` nearest to an instant is written with the same digits as the instant.
  static func isExact(_ instant: Instant) -> Bool {
    // Between 1865 and 2137 there is a date for each microsecond.
    if instant.nanoseconds % 1_000 == 0, abs(instant.second) < 1 << 32 { return true }
    return Self.instant(seconds(instant)) == instant
  }

  /// Returns the instant of a text that begins with a day and a time, `2026-11-20` and `23:11:00`, with any character in between.
  ///
  /// - Returns: `nil` for a day that does not exist, such as February 30.
  static func instant(_ bytes: UnsafeBufferPointer<UInt8>, nanoseconds: Int64?) -> Instant? {
    guard let nanoseconds, let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
      let second = number(bytes[17..<19]), hour < 24, minute < 60, second < 60
    else { return nil }
    let days = days(year: year, month: month, day: day)
    guard civil(day: days) == (year, month, day) else { return nil }
    return Instant(
      second: (days - referenceDay) * secondsPerDay + hour * 3600 + minute * 60 + second, nanoseconds: nanoseconds)
  }

  /// Returns whether the calendar has a day, unlike February 30.
  static func isDay(year: Int64, month: Int64, day: Int64) -> Bool {
    (1...12).contains(month) && (1...31).contains(day)
      && civil(day: days(year: year, month: month, day: day)) == (year, month, day)
  }

  /// Returns the day of the week, from 1 for Monday to 7 for Sunday: 1970-01-01 was a Thursday.
  static func weekday(year: Int64, month: Int64, day: Int64) -> Int64 {
    let days = days(year: year, month: month, day: day)
    return ((days + 3) % 7 + 7) % 7 + 1
  }

  static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
    var number: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      number = number * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    return number
  }

  /// Returns the instant with the fewest fraction digits that reads back as the same `Date`, so that milliseconds stay
  /// milliseconds; where a `Date` is finer than a nanosecond, the nearest nanosecond.
  private static func instant(_ interval: Double) -> Instant {
    let magnitude = abs(interval)
    if magnitude.ulp < 1e-9 {
      let floor = interval.rounded(.down)
      let nanoseconds = Int64(((interval - floor) * 1e9).rounded())
      return nanoseconds == 1_000_000_000
        ? Instant(second: Int64(floor) + 1, nanoseconds: 0) : Instant(second: Int64(floor), nanoseconds: nanoseconds)
    }
    let whole = magnitude.rounded(.down)
    let fraction = magnitude - whole
    var nanoseconds: Int64 = 0
    for (digits, power) in powersOfTen.enumerated() {
      let scaled = (fraction * Double(power)).rounded()
      nanoseconds = Int64(scaled) * powersOfTen[9 - digits]
      if whole + scaled / Double(power) == magnitude { break }
    }
    if interval >= 0 { return Instant(second: Int64(whole), nanoseconds: nanoseconds) }
    return nanoseconds == 0
      ? Instant(second: -Int64(whole), nanoseconds: 0)
      : Instant(second: -Int64(whole) - 1, nanoseconds: 1_000_000_000 - nanoseconds)
  }

  /// Returns the date nearest to an instant: no decimal of nine digits is so close to a midpoint that the rounding of the
  /// division matters.
  private static func seconds(_ instant: Instant) -> Double {
    if instant.second >= 0 || instant.nanoseconds == 0 {
      return Double(instant.second) + Double(instant.nanoseconds) / 1e9
    }
    return -(Double(-instant.second - 1) + Double(1_000_000_000 - instant.nanoseconds) / 1e9)
  }

  /// Returns the days since 1970-01-01, counted in 400-year eras of years that begin in March, so that the leap day is the last
  /// day of a year. Source of the method: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
  package static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The inverse of ``days(year:month:day:)``.
  package static func civil(day: Int64) -> (year: Int64, month: Int64, day: Int64) {
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

  /// Returns the text of a day, counted from 1970-01-01: `2026-11-20`.
  package static func text(ofDay day: Int64) -> String {
    let (year, month, day) = civil(day: day)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  /// Returns a number with zeros in front, as parts of dates have them.
  static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
