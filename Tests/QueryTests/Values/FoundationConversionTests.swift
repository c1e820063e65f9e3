import Foundation
import Query
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
    "Other readings",
    arguments: [
      Reading("E621E1F8-C36C-495A-93FC-000C247A3E6E", as: uuid),
      Reading("e621E1f8-C36C-495a-93FC-000c247A3e6e", as: uuid),
      Reading("1970-01-01T00:00:00Z", as: Date(timeIntervalSince1970: 0)),
      Reading("1970-01-01T00:00:00.5Z", as: Date(timeIntervalSince1970: 0.5)),
      Reading("1970-01-01T00:00:00.25Z", as: Date(timeIntervalSince1970: 0.25)),
      Reading("1970-01-01T00:00:00.125Z", as: Date(timeIntervalSince1970: 0.125)),
      Reading("1970-01-01T00:00:00.500000Z", as: Date(timeIntervalSince1970: 0.5)),
      Reading("1970-01-01T00:00:00.50000000Z", as: Date(timeIntervalSince1970: 0.5)),
      Reading("1970-01-01T00:00:00.500000000Z", as: Date?.some(Date(timeIntervalSince1970: 0.5))),
    ])
  func readings(reading: Reading) throws {
    try reading.check()
  }

  @Test(
    "What is none is refused",
    arguments: [
      Refusal("", as: UUID.self, "no UUID"), Refusal("e621e1f8", as: UUID.self, "no UUID"),
      Refusal("e621e1f8c36c495a93fc000c247a3e6e", as: UUID.self, "no UUID"),
      Refusal("{e621e1f8-c36c-495a-93fc-000c247a3e6e}", as: UUID.self, "no UUID"),
      Refusal("e621e1f8-c36c-495a-93fc-000c247a3e6g", as: UUID.self, "no UUID"),
      Refusal("e621e1f8-c36c-495a-93fc-000c247a3e6e ", as: UUID.self, "no UUID"),
      Refusal("e621e1f8-c36c-495a-93fc-000c247a3e6e\0", as: UUID.self, "no UUID"),
      Refusal("e621e1f8-c36c-495a-93fc-000c247a3e6eff", as: UUID.self, "no UUID"),
      Refusal(.null, as: UUID.self, "found null"), Refusal(1, as: UUID.self, "found an integer"),
      Refusal(.blob([1]), as: UUID.self, "found a blob"),
      Refusal("", as: URL.self, "no URL"), Refusal(.null, as: URL.self, "found null"),
      Refusal(1, as: URL.self, "found an integer"),
      Refusal(.null, as: Data.self, "found null"), Refusal("a", as: Data.self, "found a text"),
      Refusal(.null, as: Date.self, "found null"), Refusal(0, as: Date.self, "found an integer"),
      Refusal(0.5, as: Date.self, "found a real"),
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
