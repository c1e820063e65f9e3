import Foundation
import Query
import TestSupport
import Testing

@Suite("Types of Foundation are stored and read back")
struct FoundationConversionTests {
  static let uuid = UUID(
    uuid: (0xE6, 0x21, 0xE1, 0xF8, 0xC3, 0x6C, 0x49, 0x5A, 0x93, 0xFC, 0, 0x0C, 0x24, 0x7A, 0x3E, 0x6E))
  static let everyByte = [UInt8](0...255)

  @Test(
    "There and back",
    arguments: [
      RoundTrip(uuid, "e621e1f8-c36c-495a-93fc-000c247a3e6e"),
      RoundTrip(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), "00000000-0000-0000-0000-000000000000"),
      RoundTrip(UUID?.none, .null), RoundTrip(UUID?.some(uuid), "e621e1f8-c36c-495a-93fc-000c247a3e6e"),
      RoundTrip(Data(), .blob([])), RoundTrip(Data(everyByte), .blob(everyByte)),
      RoundTrip(Data(everyByte).dropFirst(254), .blob([254, 255])), RoundTrip(Data?.none, .null),
      RoundTrip(Date?.none, .null), RoundTrip(URL?.none, .null),
    ])
  func roundTrips(roundTrip: RoundTrip) throws {
    try roundTrip.check()
  }

  @Test(
    "A URL is stored as its absolute text",
    arguments: [
      "https://example.org/a?b=c#d", "https://example.org/%C3%A9%20x", "file:///tmp/x", "mailto:ash@example.org", "x",
    ])
  func urls(text: String) throws {
    let url = try #require(URL(string: text))
    #expect(url.makeValue().spelling == Value.text(text).spelling)
    #expect(try URL(value: .text(text)) == url)
  }

  @Test("A relative URL is stored with its base")
  func relativeURL() throws {
    let base = try #require(URL(string: "https://example.org/a/"))
    let url = try #require(URL(string: "b", relativeTo: base))
    #expect(url.makeValue() == "https://example.org/a/b")
  }

  @Test(
    "What other programs keep for the same value is refused and called by its name",
    arguments: [
      Refusal("E621E1F8-C36C-495A-93FC-000C247A3E6E", as: UUID.self, "found a UUID in capital letters"),
      Refusal("e621E1f8-C36C-495a-93FC-000c247A3e6e", as: UUID.self, "found a UUID in capital letters"),
      Refusal("{e621e1f8-c36c-495a-93fc-000c247a3e6e}", as: UUID.self, "found a UUID in braces or as a URN"),
      Refusal("urn:uuid:E621e1f8-c36c-495a-93fc-000c247a3e6e", as: UUID?.self, "found a UUID in braces or as a URN"),
      Refusal("E621e1f8c36c495a93fc000c247a3e6e", as: UUID?.self, "found a UUID without hyphens"),
      Refusal(.blob([UInt8](repeating: 1, count: 16)), as: UUID.self, "found a UUID as 16 bytes"),
      Refusal("2024-01-02T03:04:05Z", as: Date.self, "found a date with another number of fraction digits"),
      Refusal("2024-01-02T03:04:05.5Z", as: Date.self, "found a date with another number of fraction digits"),
      Refusal("2024-01-02T03:04:05.12345678Z", as: Date.self, "found a date with a fraction that is finer than"),
      Refusal("2024-01-02T03:04:05.123456789Z", as: Date.self, "found a date with a fraction that is finer than"),
      Refusal("2024-01-02T03:04:05.1234567890Z", as: Date.self, "found a date with a fraction that is finer than"),
      Refusal("9999-12-31T23:59:59.999999999Z", as: Date.self, "found a date with a fraction that is finer than"),
      Refusal("2024-01-02 23:00:00.000", as: Date.self, "found a date without `T` or time zone"),
      Refusal("2024-01-02 23:00:00Z", as: Date.self, "found a date without `T` or time zone"),
      Refusal("2024-01-02T23:00:00", as: Date.self, "found a date without `T` or time zone"),
      Refusal("2024-01-02T23:00:00.123+01:00", as: Date?.self, "found a date with an offset from UTC"),
      Refusal("2024-01-02T23:00:00+0100", as: Date.self, "found a date with an offset from UTC"),
      Refusal("2024-01-02 23:00:00.5-05", as: Date.self, "found a date with an offset from UTC"),
      Refusal("2024-01-02 23:00:00 +0000", as: Date.self, "found a date with an offset from UTC"),
      Refusal("2024-01-02 23:00", as: Date.self, "found a date without seconds"),
      Refusal("2024-01-02t23:00:00z", as: Date.self, "found a date without seconds, or with `t`, `z`"),
      Refusal("2024-01-02T23:00+01:00", as: Date.self, "found a date without seconds"),
      Refusal("2024-01-02 23:00:00 GMT", as: Date?.self, "found a date without seconds, or with `t`, `z`, `UTC`"),
      Refusal("2024-01-02 23:00:00.123456789 UTC", as: Date.self, "found a date with a fraction that is finer than"),
      Refusal("2024-02-29", as: Date.self, "found a day without a time"),
      Refusal(0, as: Date.self, "found an integer"), Refusal(0.5, as: Date.self, "found a real"),
    ])
  func otherForms(refusal: Refusal) {
    refusal.check()
  }

  @Test("A type that is made of a UUID or a date has its format, and others have none")
  func formats() {
    #expect(UUID.valueFormat == .uuid && UUID?.valueFormat == .uuid && Ticket.valueFormat == .uuid)
    #expect(Date.valueFormat == .date && Date?.valueFormat == .date)
    #expect(Decimal.valueFormat == .decimal && Decimal?.valueFormat == .decimal)
    #expect(String.valueFormat == nil && URL.valueFormat == nil && Int?.valueFormat == nil)
    for format in ValueFormat.allCases { #expect(format.isCanonical(format.example)) }
  }

  @Test(
    "A decimal has one text, which ends with the number",
    arguments: [
      ("0", "001 0"), ("-0.00", "001 0"), ("9.990", "001 9.99"), ("125.50", "003 125.5"), ("0.05", "001 0.05"),
      ("-9.99", "-998 0.00~ -9.99"), ("-100", "-996 899~ -100"), ("1e3", "004 1000"), ("-0.1", "-998 9.8~ -0.1"),
    ])
  func decimals(number: String, text: String) throws {
    let decimal = try #require(Decimal(string: number))
    #expect(try decimal.makeValue() == .text(text))
    #expect(try Decimal(value: .text(text)) == decimal)
  }

  @Test(
    "What is no decimal's text is refused",
    arguments: [
      Refusal("9.99", as: Decimal.self, "without the digits of its order"),
      Refusal("001 9.990", as: Decimal.self, "no decimal"),
      Refusal("002 9.99", as: Decimal.self, "no decimal"), Refusal("001 09", as: Decimal.self, "no decimal"),
      Refusal("-998 0.00~ -9.98", as: Decimal.self, "no decimal"), Refusal("", as: Decimal.self, "no decimal"),
      Refusal("001 ", as: Decimal.self, "no decimal"), Refusal("001 -0", as: Decimal.self, "no decimal"),
      Refusal(1, as: Decimal.self, "found a number"), Refusal(.null, as: Decimal.self, "found null"),
      Refusal("1e999", as: Decimal.self, "no decimal"), Refusal("nan", as: Decimal.self, "no decimal"),
    ])
  func otherDecimals(refusal: Refusal) {
    refusal.check()
  }

  private struct Ticket: RawRepresentable, ValueConvertible {
    let rawValue: UUID
  }

  @Test(
    "What is none is refused",
    arguments: [
      Refusal("", as: UUID.self, "no UUID"), Refusal("e621e1f8", as: UUID.self, "no UUID"),
      Refusal("{e621e1f8-c36c-495a-93fc-000c247a3e6e)", as: UUID.self, "no UUID"),
      Refusal("{e621e1f8c36c495a93fc000c247a3e6e0000}", as: UUID.self, "no UUID"),
      Refusal("urn:oid::e621e1f8-c36c-495a-93fc-000c247a3e6e", as: UUID.self, "no UUID"),
      Refusal("e621e1f8-c36c-495a-93fc-000c247a3e6g", as: UUID.self, "no UUID"),
      Refusal("e621e1f8-c36c-495a-93fc-000c247a3e6e ", as: UUID.self, "no UUID"),
      Refusal("e621e1f8-c36c-495a-93fc-000c247a3e6e\0", as: UUID.self, "no UUID"),
      Refusal("e621e1f8-c36c-495a-93fc-000c247a3e6eff", as: UUID.self, "no UUID"),
      Refusal(.null, as: UUID.self, "found null"), Refusal(1, as: UUID.self, "found an integer"),
      Refusal(.blob([1]), as: UUID.self, "found a blob"),
      Refusal("", as: URL.self, "no URL"), Refusal(.null, as: URL.self, "found null"),
      Refusal(1, as: URL.self, "found an integer"),
      Refusal(.null, as: Data.self, "found null"), Refusal("a", as: Data.self, "found a text"),
      Refusal(.null, as: Date.self, "found null"), Refusal(.blob([1]), as: Date.self, "found a blob"),
    ])
  func refusals(refusal: Refusal) {
    refusal.check()
  }

  @Test("A type names the type of its column")
  func columnTypes() {
    #expect(UUID.valueType == .text && URL.valueType == .text && Date.valueType == .text && Data.valueType == .blob)
    #expect(!UUID.isNullable && !URL.isNullable && !Date.isNullable && !Data.isNullable)
    #expect(UUID?.isNullable && Date?.isNullable)
  }
}

@Suite("Dates are texts whose order is the order of time")
struct DateTests {
  /// From 1970-01-01 to 10000-01-01, in seconds; the first instant that has no text.
  static let end: TimeInterval = 253_402_300_800
  /// From 1970-01-01 to 0000-01-01, in seconds; the first instant that has one.
  static let start: TimeInterval = -62_167_219_200
  static let hundredDays: TimeInterval = 8_640_000

  @Test(
    "Known instants, in seconds since 1970, there and back",
    arguments: [
      (0, "1970-01-01T00:00:00.000000000Z"),
      (-0.25, "1969-12-31T23:59:59.750000000Z"),
      (-86_400, "1969-12-31T00:00:00.000000000Z"),
      (978_307_200, "2001-01-01T00:00:00.000000000Z"),
      (951_782_400, "2000-02-29T00:00:00.000000000Z"),
      (951_868_799.5, "2000-02-29T23:59:59.500000000Z"),
      (951_868_800, "2000-03-01T00:00:00.000000000Z"),
      (-2_203_977_600, "1900-02-28T00:00:00.000000000Z"),
      (-2_203_891_200, "1900-03-01T00:00:00.000000000Z"),
      (1_795_216_260, "2026-11-20T23:11:00.000000000Z"),
      (-12_219_292_800, "1582-10-15T00:00:00.000000000Z"),
      // The calendar goes on backwards by its own rules (ISO 8601), where history had another one.
      (-12_219_379_200, "1582-10-14T00:00:00.000000000Z"),
      (-62_135_596_800, "0001-01-01T00:00:00.000000000Z"),
      (-62_162_121_600, "0000-02-29T00:00:00.000000000Z"),
      (start, "0000-01-01T00:00:00.000000000Z"),
      (253_402_300_799, "9999-12-31T23:59:59.000000000Z"),
      // The last date there is before the year 10000: dates are 31 µs apart by then.
      (end.nextDown, "9999-12-31T23:59:59.999970000Z"),
      // As few digits as tell the date apart, which are those of a text in milliseconds.
      (1_798_307_200.125, "2026-12-26T17:46:40.125000000Z"),
      (Date.distantPast.timeIntervalSince1970, "0000-12-30T00:00:00.000000000Z"),
      (Date.distantFuture.timeIntervalSince1970, "4001-01-01T00:00:00.000000000Z"),
    ] as [(TimeInterval, String)])
  func instants(seconds: TimeInterval, text: String) throws {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(try date.makeValue().spelling == Value.text(text).spelling)
    #expect(try Date(value: .text(text)) == date)
  }

  @Test("A text in milliseconds or microseconds reads back as it is, from 1865 to 2137", arguments: SplitMix64.seeds)
  func milliseconds(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for digits in [3, 6] {
      for _ in 0..<Effort.rounds(5_000) {
        let second = Double(Int.random(in: -3_300_000_000..<5_200_000_000, using: &random))
        let whole = try String(value: Date(timeIntervalSince1970: second).makeValue()).prefix(20)
        let fraction = (0..<digits).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
        let text = "\(whole)\(fraction)\(String(repeating: "0", count: 9 - digits))Z"
        guard let date = try? Date(value: .text(text)), try date.makeValue() == .text(text) else {
          Issue.record("\(text) does not read back")
          return
        }
      }
    }
  }

  @Test("A text reads as a date only if the date is written so", arguments: SplitMix64.seeds)
  func readsOnlyItsOwn(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Effort.rounds(10_000) {
      let whole = try String(value: Self.date(from: 1, using: &random).makeValue()).prefix(20)
      let digits = String(Int.random(in: 0..<1_000_000_000, using: &random))
      let text = "\(whole)\(String(repeating: "0", count: 9 - digits.count))\(digits)Z"
      guard let date = try? Date(value: .text(text)) else { continue }
      guard try date.makeValue() == .text(text) else {
        Issue.record("\(text) reads as a date that is written otherwise")
        return
      }
    }
  }

  @Test(
    "A date outside the years 0000 to 9999 can't be stored",
    arguments: [
      end, end.nextUp, start.nextDown, start - 1, 1e12, -1e12, 1e300, -1e300, .infinity, -.infinity, .nan,
      .greatestFiniteMagnitude,
    ])
  func outside(seconds: TimeInterval) {
    let error = #expect(throws: ValueError.self) { try Date(timeIntervalSince1970: seconds).makeValue() }
    #expect(error?.description.contains("outside the years 0000 to 9999") == true)
    #expect(error?.suggestion != nil)
  }

  @Test(
    "A text of another form, or of a day that no calendar has, is no date",
    arguments: [
      "", "Z", "1970-01-01T00:00:00zz", "1970-01-01T00:00:00z UTC", "1970-01-01 00:00+01 UTC",
      "1970-01-01 00:00:00 PST",
      "1970-01-01 00:00:00UTC", "1970-01-01T00:00.5", "1970-01-01T00", "1970-02-29 00:00",
      "1970-01-01T00:00:00.000+01:00Z", "1970-01-01T00:00:00+010",
      " 1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z ", "1970-01-01T00:00:00Z\0", "\01970-01-01T00:00:00Z",
      "70-01-01T00:00:00Z", "01970-01-01T00:00:00Z", "-970-01-01T00:00:00Z", "+970-01-01T00:00:00Z",
      "10000-01-01T00:00:00Z", "1970-1-01T00:00:00Z", "1970-001-1T00:00:00Z", "19700101T000000Z",
      "1970-00-01T00:00:00Z", "1970-13-01T00:00:00Z", "1970-99-01T00:00:00Z",
      "1970-01-00T00:00:00Z", "1970-01-32T00:00:00Z", "1970-04-31T00:00:00Z", "1970-06-31T00:00:00Z",
      "1970-02-29T00:00:00Z", "1970-02-30T00:00:00Z", "2000-02-30T00:00:00Z", "1900-02-29T00:00:00Z",
      "1970-01-01T24:00:00Z", "1970-01-01T00:60:00Z", "1970-01-01T00:00:60Z", "1970-01-01T-1:00:00Z",
      "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00,5Z", "1970-02-30", "2023-02-29 00:00:00",
      "1970-01-01T00:00:00.-12345678Z", "1970-01-01T00:00:00.1.2Z", "1970-01-01T00:00:00.12 Z", "1970-01-01T00:00:005Z",
      "1970-01-01T00:00:00ZZ", "197x-01-01T00:00:00Z", "1970-0x-01T00:00:00Z", "1970-01-01T0x:00:00Z",
      "１９７０-01-01T00:00:00Z", "1970-01-01T00:00:0０Z", "١٩٧٠-01-01T00:00:00Z", "1970–01–01T00:00:00Z",
      "1970-01-01T00:00:00.00000000０Z", "yesterday",
    ])
  func malformed(text: String) {
    let error = #expect(throws: ValueError.self) { try Date(value: .text(text)) }
    #expect(error?.description.contains("the stored text is no date") == true)
  }

  @Test("Every month of ten thousand years begins where counting days by the leap year rule says")
  func everyMonth() throws {
    var day = 0
    let chosen = Int.random(in: 0...9)
    for year in 0...9999 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      for (month, days) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
        // The years around each change of the rule, and some of the others.
        let isChecked = Effort.isFull || year % 100 <= 4 || year % 10 == chosen
        for dayOfMonth in isChecked ? [1, days] : [] {
          let text = "\(padded(year, 4))-\(padded(month + 1, 2))-\(padded(dayOfMonth, 2))T00:00:00.000000000Z"
          let date = Date(timeIntervalSince1970: Self.start + Double(day + dayOfMonth - 1) * 86_400)
          guard try date.makeValue() == .text(text), try Date(value: .text(text)) == date else {
            Issue.record("\(text) is not what \(date) is written as, or not what it is read from")
            return
          }
        }
        day += days
      }
    }
    #expect(Self.start + Double(day) * 86_400 == Self.end)
  }

  @Test("To the second, Foundation writes the same", arguments: SplitMix64.seeds)
  func foundation(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    // From 1600 on, because Foundation's calendar changes in 1582.
    for _ in 0..<Effort.rounds(1_000) {
      let date = Date(timeIntervalSince1970: .random(in: -11_676_096_000..<Self.end, using: &random).rounded(.down))
      let text = try String(value: date.makeValue())
      #expect(text == date.formatted(.iso8601).dropLast() + ".000000000Z")
    }
  }

  @Test("Dates further than 100 days from the reference date come back exactly", arguments: SplitMix64.seeds)
  func exactRoundTrip(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Effort.rounds(20_000) {
      let date = Self.date(from: Self.hundredDays, using: &random)
      let value = try date.makeValue()
      guard try Date(value: value) == date else {
        Issue.record("\(date.timeIntervalSinceReferenceDate) s after the reference date are read back as another date")
        return
      }
    }
  }

  @Test("Dates near the reference date come back within a nanosecond", arguments: SplitMix64.seeds)
  func nearRoundTrip(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Effort.rounds(20_000) {
      let exponent = Double.random(in: -12...6.93, using: &random)
      let seconds = Foundation.pow(10, exponent) * (Bool.random(using: &random) ? 1 : -1)
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let value = try date.makeValue()
      let read = try Date(value: value)
      guard abs(read.timeIntervalSinceReferenceDate - seconds) <= 1e-9, try read.makeValue() == value else {
        Issue.record("\(seconds) s after the reference date are read back as \(read.timeIntervalSinceReferenceDate)")
        return
      }
    }
  }

  @Test(
    "Of two dates the earlier one has the lesser text, or the same within a nanosecond", arguments: SplitMix64.seeds)
  func order(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Effort.rounds(20_000) {
      let earlier = Self.date(from: 1e-9, using: &random)
      let later = Bool.random(using: &random) ? Self.after(earlier, using: &random) : Self.date(from: 1, using: &random)
      guard earlier != later, later.timeIntervalSince1970 < Self.end else { continue }
      let (lhs, rhs) = try (earlier.makeValue(), later.makeValue())
      let gap = later.timeIntervalSinceReferenceDate - earlier.timeIntervalSinceReferenceDate
      guard abs(gap) <= 1e-9 ? (gap < 0 ? lhs >= rhs : lhs <= rhs) : (gap < 0 ? lhs > rhs : lhs < rhs) else {
        Issue.record("\(lhs) and \(rhs) are not in the order of time")
        return
      }
    }
  }

  /// A date that is at least so many seconds away from the reference date, at any scale.
  private static func date(from distance: TimeInterval, using random: inout SplitMix64) -> Date {
    let reference = Date.timeIntervalBetween1970AndReferenceDate
    while true {
      let scale = Double.random(in: 0...1, using: &random)
      let seconds = distance * Foundation.pow((end - reference) / distance, scale)
      let interval = Bool.random(using: &random) ? seconds : -seconds
      if (start..<end).contains(interval + reference) { return Date(timeIntervalSinceReferenceDate: interval) }
    }
  }

  /// One of the next dates that there are.
  private static func after(_ date: Date, using random: inout SplitMix64) -> Date {
    var interval = date.timeIntervalSinceReferenceDate
    for _ in 0...Int.random(in: 0..<3, using: &random) { interval = interval.nextUp }
    return Date(timeIntervalSinceReferenceDate: interval)
  }

  private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: width - digits.count) + digits
  }
}
