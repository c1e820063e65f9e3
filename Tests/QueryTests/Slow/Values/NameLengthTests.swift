@testable import Query
import ErrorDetails
import Testing

@Suite("A name in a message")
struct NameLengthTests {
  @Test(
    "is cut where it is long",
    arguments: [
      ("", ""), ("name", "name"), (String(repeating: "é", count: 64), String(repeating: "é", count: 64)),
      (String(repeating: "c", count: 65), String(repeating: "c", count: 64) + "…"),
      (String(repeating: "🇨🇭", count: 65), String(repeating: "🇨🇭", count: 64) + "…"),
    ])
  func name(name: String, shown: String) {
    #expect(VisibleText.name(name) == shown)
  }

  @Test("is cut where one character of it is long")
  func combining() {
    let name = VisibleText.name("a" + String(repeating: "\u{301}", count: 60_000))
    #expect(name.unicodeScalars.count < 200 && name.hasSuffix("…"))
  }

  @Test("is one of fifty at most, and the rest is counted")
  func list() {
    #expect(VisibleText.names(["a", "b"]) == "a, b")
    let names = (1...52).map { "\($0)" }
    #expect(VisibleText.names(names) == names.prefix(50).joined(separator: ", ") + " and 2 more")
  }
}
