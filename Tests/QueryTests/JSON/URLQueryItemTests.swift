import Foundation
import Query
import Testing

@Suite("A request in a URL")
struct URLItemTests {
  static func url(of request: FetchRequest) throws -> String {
    var components = URLComponents()
    (components.scheme, components.host, components.path) = ("https", "example.com", "/pokemon")
    components.percentEncodedQueryItems = try request.percentEncodedQueryItems
    return try #require(components.string)
  }

  static func items(of url: String) throws -> [URLQueryItem] {
    try #require(URLComponents(string: url)).queryItems ?? []
  }

  static let examples: [(FetchRequest, String, String)] = [
    (FetchRequest(), "", ""),
    (FetchRequest(FormExamples.weight), "where=weight > 90", "where=weight%20%3E%2090"),
    (
      FetchRequest(.equal(key: "name", value: "a+b & c=d;%41#?")), "where=name = 'a+b & c=d;%41#?'",
      "where=name%20%3D%20%27a%2Bb%20%26%20c%3Dd%3B%2541%23%3F%27"
    ),
    (
      FetchRequest(.equal(key: "重さ", value: "\0\n\u{301}")), "where=重さ = '\0\n\u{301}'",
      "where=%E9%87%8D%E3%81%95%20%3D%20%27%00%0A%CC%81%27"
    ),
    (
      FetchRequest(
        .false, sortedBy: .descending(key: "weight") + .ascending(key: "name", nulls: .last), limit: 20, offset: 40),
      "where=false&sort=weight desc, name nulls last&limit=20&offset=40",
      "where=false&sort=weight%20desc%2C%20name%20nulls%20last&limit=20&offset=40"
    ),
    (FetchRequest(limit: -1, offset: -5), "limit=-1&offset=-5", "limit=-1&offset=-5"),
    (
      FetchRequest(after: RequestFormTests.cursor, before: RequestFormTests.cursor),
      "after=GU8nTu1yYu50AAAAAAAAAALDqWkAAAAAAAAABw&before=GU8nTu1yYu50AAAAAAAAAALDqWkAAAAAAAAABw",
      "after=GU8nTu1yYu50AAAAAAAAAALDqWkAAAAAAAAABw&before=GU8nTu1yYu50AAAAAAAAAALDqWkAAAAAAAAABw"
    ),
  ]

  @Test("It is readable, and comes back as the same", arguments: examples)
  func forms(request: FetchRequest, items: String, query: String) throws {
    #expect(try request.queryItems.map { "\($0.name)=\($0.value ?? "")" }.joined(separator: "&") == items)
    #expect(try FetchRequest(queryItems: request.queryItems) == request)
    #expect(try Self.url(of: request) == "https://example.com/pokemon?" + query)
    #expect(try FetchRequest(queryItems: Self.items(of: Self.url(of: request))) == request)
  }

  @Test("Every ASCII character survives a URL, also where a server takes + for a space")
  func characters() throws {
    let text = String(String.UnicodeScalarView((0..<0x80).compactMap { Unicode.Scalar($0) }))
    let request = FetchRequest(.contains(key: text, value: text), sortedBy: .ascending(key: text))
    let url = try Self.url(of: request)
    #expect(try FetchRequest(queryItems: Self.items(of: url)) == request)
    #expect(!url.contains("+"))
    #expect(try FetchRequest(queryItems: Self.items(of: url.replacing("+", with: "%20"))) == request)
  }

  @Test("Items of other names are left alone")
  func foreign() throws {
    let items = try Self.items(of: "https://example.com/?token=a&token=b&Where=1&where=a%20is%20null&page&=")
    #expect(try FetchRequest(queryItems: items) == FetchRequest(FormExamples.a))
  }

  @Test("Items that people write are valid, too")
  func readings() throws {
    let items = try Self.items(of: "https://example.com/?sort=-weight,name&where=(weight>90)&limit=007")
    #expect(
      try FetchRequest(queryItems: items)
        == FetchRequest(
          FormExamples.weight, sortedBy: .descending(key: "weight") + .ascending(key: "name"), limit: 7))
  }

  @Test(
    "An item that is wrong is named",
    arguments: [
      ("where", .missingField, "where", "the item where has no value", "write where=…, or omit the item"),
      ("where=%FF", .missingField, "where", "the item where has no value", "write where=…, or omit the item"),
      (
        "where=", .malformed, "where", "expected a condition, found the end of the text, at position 0",
        "write `true` for everything"
      ),
      (
        "where=a%20between%201%202", .malformed, "where", "expected `and`, found `2`, at position 12",
        "write `between 1 and 2`"
      ),
      (
        "sort=a,", .malformed, "sort", "expected a key, found the end of the text, at position 2",
        "remove the last comma"
      ),
      ("limit=", .malformed, "limit", "expected a whole number", nil),
      ("limit=%2B5", .malformed, "limit", "expected a whole number", nil),
      ("limit=5.0", .malformed, "limit", "expected a whole number", nil),
      (
        "offset=99999999999999999999", .malformed, "offset", "the number is too large",
        "write at most 9223372036854775807"
      ),
      ("limit=-99999999999999999999", .malformed, "limit", "the number is too small", "write 0 or more"),
      ("limit=-", .malformed, "limit", "expected a whole number", nil),
      ("limit=1&offset=2&limit=1", .repeatedField, "limit", "the item limit occurs twice", nil),
      ("after=!", .malformed, "after", "this is not a cursor", "pass the cursor unchanged and complete"),
    ] as [(String, JSONCodingError.Code, String, String, String?)])
  func errors(query: String, code: JSONCodingError.Code, path: String, summary: String, suggestion: String?) throws {
    let items = try Self.items(of: "https://example.com/?" + query)
    let error = #expect(throws: JSONCodingError.self) { try FetchRequest(queryItems: items) }
    #expect(error?.code == code)
    #expect(error?.path == path)
    #expect(error?.summary == summary)
    #expect(error?.suggestion == suggestion)
  }
}
