import Query
@testable import SQLInspection
import TestSupport
import Testing

@Suite("Dates as numbers")
struct DateFormTests {
  @Test(
    "are exact beyond what a Double holds",
    arguments: [
      (.webkit, "2024-03-05 01:02:03.000001", 13_354_074_123_000_001), (.unix, "1969-12-31 23:59:59", -1),
      (.webkit, "1601-01-01", 0), (.webkit, "9999-12-31 23:59:59.999999", 265_046_774_399_999_999),
      (.microseconds, "9999-12-31 23:59:59.999999", 253_402_300_799_999_999),
      (.milliseconds, "2024-03-05T01:02:03.004Z", 1_709_600_523_004), (.coreData, "2001-01-01", 0),
      (.coreDataNanoseconds, "2024-03-05 01:02:03.000000001", 731_293_323_000_000_001),
    ] as [(NumericDateForm, String, Int64)])
  func exact(form: NumericDateForm, text: String, number: Int64) {
    #expect(form.number(of: text) == .integer(number))
  }

  @Test(
    "lose nothing of a whole number, and keep the second in which they are",
    arguments: [
      (.microseconds, .integer(1_722_470_399_999_600), "2024-07-31 23:59:59.999600"),
      (.coreDataNanoseconds, .integer(731_293_323_000_000_001), "2024-03-05 01:02:03.000000001"),
      (.webkit, .integer(13_354_074_123_000_001), "2024-03-05 01:02:03.000001"),
      (.milliseconds, .integer(-1), "1969-12-31 23:59:59.999"),
      (.unix, .real(1_722_470_399.9996), "2024-07-31 23:59:59.999600"),
      (.unix, .real(1_722_470_399.123), "2024-07-31 23:59:59.123"),
    ] as [(NumericDateForm, Value, String)])
  func text(form: NumericDateForm, value: Value, text: String) {
    #expect(form.text(of: value) == .text(text))
  }

  @Test(
    "are real where a unit is divided, or too large",
    arguments: [
      (.unix, "1970-01-01 00:00:00.5", 0.5), (.coreData, "2021-07-06 18:30:00.5", 647_289_000.5),
      (.milliseconds, "1970-01-01 00:00:00.0005", 0.5), (.coreDataNanoseconds, "9999-12-31", 2.524239072e20),
    ] as [(NumericDateForm, String, Double)])
  func real(form: NumericDateForm, text: String, number: Double) {
    #expect(form.number(of: text) == .real(number))
  }

  @Test("lose nothing where the seconds and the epoch need more bits together than each of them")
  func sumWithEpoch() {
    let (form, text) = (NumericDateForm.coreData, "2058-10-09 16:40:35.496")
    #expect(form.number(of: text).map(form.text) == .text(text))
  }

  @Test("read back to the millisecond, in each form", arguments: SplitMix64.seeds)
  func roundTrip(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for form in NumericDateForm.allCases {
      // Nanoseconds since 2001 reach from 1708 to 2293.
      let years = form == .coreDataNanoseconds ? 1_709...2_292 : 0...9_999
      for _ in 0..<500 {
        func digits(_ number: Int, _ width: Int) -> String {
          String(repeating: "0", count: width - String(number).count) + String(number)
        }
        let milliseconds = random.below(1_000)
        let text =
          "\(digits(Int.random(in: years, using: &random), 4))-\(digits(1 + random.below(12), 2))-\(digits(1 + random.below(28), 2)) "
          + "\(digits(random.below(24), 2)):\(digits(random.below(60), 2)):\(digits(random.below(60), 2))"
          + (milliseconds == 0 ? "" : ".\(digits(milliseconds, 3))")
        #expect(form.number(of: text).map(form.text) == .text(text), "\(form)")
      }
    }
  }

  @Test(
    "outside of the years of four digits stay numbers",
    arguments: [
      (.julian, .real(-1_931_076.5)), (.unix, .integer(-62_167_219_201)), (.unix, .integer(253_402_300_800)),
      (.webkit, .integer(.max)), (.milliseconds, .integer(.min)), (.julian, .integer(.max)), (.unix, .real(.infinity)),
      (.unix, .real(.nan)), (.coreData, .text("x")), (.unix, .null),
    ] as [(NumericDateForm, Value)])
  func outside(form: NumericDateForm, value: Value) {
    #expect(form.text(of: value).isIdentical(to: value))
  }
}
