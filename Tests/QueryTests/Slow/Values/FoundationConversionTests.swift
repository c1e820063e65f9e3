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
      Refusal("2024-01-02T03:04:05.12345678Z", as: Date.self, "found a date with a fraction finer than"),
      Refusal("2024-01-02T03:04:05.123456789Z", as: Date.self, "found a date with a fraction finer than"),
      Refusal("2024-01-02T03:04:05.1234567890Z", as: Date.self, "found a date with a fraction finer than"),
      Refusal("9999-12-31T23:59:59.999999999Z", as: Date.self, "found a date with a fraction finer than"),
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
      Refusal("2024-01-02 23:00:00.123456789 UTC", as: Date.self, "found a date with a fraction finer than"),
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
      Refusal("9.99", as: Decimal.self, "without the digits that define the order"),
      Refusal("001 9.990", as: Decimal.self, "not a decimal"),
      Refusal("002 9.99", as: Decimal.self, "not a decimal"), Refusal("001 09", as: Decimal.self, "not a decimal"),
      Refusal("-998 0.00~ -9.98", as: Decimal.self, "not a decimal"), Refusal("", as: Decimal.self, "not a decimal"),
      Refusal("001 ", as: Decimal.self, "not a decimal"), Refusal("001 -0", as: Decimal.self, "not a decimal"),
      Refusal(1, as: Decimal.self, "found a number"), Refusal(.null, as: Decimal.self, "found null"),
      Refusal("1e999", as: Decimal.self, "not a decimal"), Refusal("nan", as: Decimal.self, "not a decimal"),
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
      Refusal("", as: UUID.self, "not a UUID"), Refusal("e621e1f8", as: UUID.self, "not a UUID"),
      Refusal("{e621e1f8-c36c-495a-93fc-000c247a3e6e)", as: UUID.self, "not a UUID"),
      Refusal("{e621e1f8c36c495a93fc000c247a3e6e0000}", as: UUID.self, "not a UUID"),
      Refusal("urn:oid::e621e1f8-c36c-495a-93fc-000c247a3e6e", as: UUID.self, "not a UUID"),
      Refusal("e621e1f8-c36c-495a-93fc-000c247a3e6g", as: UUID.self, "not a UUID"),
      Refusal("e621e1f8-c36c-495a-93fc-000c247a3e6e ", as: UUID.self, "not a UUID"),
      Refusal("e621e1f8-c36c-495a-93fc-000c247a3e6e\0", as: UUID.self, "not a UUID"),
      Refusal("e621e1f8-c36c-495a-93fc-000c247a3e6eff", as: UUID.self, "not a UUID"),
      Refusal(.null, as: UUID.self, "found null"), Refusal(1, as: UUID.self, "found an integer"),
      Refusal(.blob([1]), as: UUID.self, "found a blob"),
      Refusal("", as: URL.self, "not a URL"), Refusal(.null, as: URL.self, "found null"),
      Refusal(1, as: URL.self, "found an integer"),
      Refusal(.null, as: Data.self, "found null"), Refusal("a", as: Data.self, "found text"),
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
