import Foundation
import Query
import TestSupport
import Testing

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
    #expect(error?.description.contains("the stored text is not a date") == true)
  }

  @Test("Every month of ten thousand years begins where counting days by the leap year rule says")
  func everyMonth() throws {
    var day = 0
    let seed = SplitMix64.newSeed()
    let chosen = Int(seed % 10)
    for year in 0...9999 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      for (month, days) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
        // The years around each change of the rule, and some of the others.
        let isChecked = Effort.isFull || year % 100 <= 4 || year % 10 == chosen
        for dayOfMonth in isChecked ? [1, days] : [] {
          let text = "\(padded(year, 4))-\(padded(month + 1, 2))-\(padded(dayOfMonth, 2))T00:00:00.000000000Z"
          let date = Date(timeIntervalSince1970: Self.start + Double(day + dayOfMonth - 1) * 86_400)
          guard try date.makeValue() == .text(text), try Date(value: .text(text)) == date else {
            Issue.record("\(text) is not what \(date) is written as, or not what it is read from, REPOKIT_SEED=\(seed)")
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
