import Query
import Testing

@Suite struct QueryTextDepthTests {
  private static let depth = 100_000

  private func checkRoundTrip(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let query = try AnyQuery(parsing: text)
    // Compared outside of the macro, which would show megabytes.
    let isPrintedAgain = query.description == text
    let isReadAgain = try AnyQuery(parsing: query.description) == query
    #expect(isPrintedAgain, sourceLocation: sourceLocation)
    #expect(isReadAgain, sourceLocation: sourceLocation)
  }

  @Test("Parentheses may be nested to any depth")
  func parentheses() throws {
    let text = String(repeating: "(", count: Self.depth) + "a = 1" + String(repeating: ")", count: Self.depth)
    #expect(try AnyQuery(parsing: text) == .equal(key: "a", value: 1))
  }

  @Test("Negations may be nested to any depth")
  func negations() throws {
    try checkRoundTrip(String(repeating: "not ", count: Self.depth) + "a = 1")
  }

  @Test("Negations in parentheses may be nested to any depth")
  func negatedParentheses() throws {
    try checkRoundTrip(
      String(repeating: "not (a = 1 and ", count: Self.depth) + "b = 2" + String(repeating: ")", count: Self.depth))
  }

  @Test("Joins may be nested on the right to any depth")
  func nestedJoins() throws {
    try checkRoundTrip(
      String(repeating: "a = 1 or b = 2 and (", count: Self.depth) + "c = 3 or d = 4"
        + String(repeating: ")", count: Self.depth))
  }

  @Test("Joins may be of any length", arguments: ["and", "or"])
  func chains(joint: String) throws {
    try checkRoundTrip((0..<Self.depth).map { "k\($0) = \($0)" }.joined(separator: " \(joint) "))
  }

  @Test("Joins of both kinds may be of any length")
  func mixedChain() throws {
    try checkRoundTrip(
      Array(repeating: "a = 1 or b = 2 and not c = 3", count: Self.depth / 4).joined(separator: " or "))
  }

  @Test("A list may have any length, and so may a text, a key and a number")
  func longLiterals() throws {
    try checkRoundTrip("a in (" + (0..<Self.depth).map(String.init).joined(separator: ", ") + ")")
    try checkRoundTrip("a = '" + String(repeating: "火''", count: Self.depth) + "'")
    try checkRoundTrip("a = x'" + String(repeating: "0f", count: Self.depth) + "'")
    try checkRoundTrip(String(repeating: "k", count: Self.depth) + " = 1")
    #expect(
      try AnyQuery(parsing: "a = " + String(repeating: "1", count: Self.depth) + ".5")
        == .equal(key: "a", value: Double.infinity))
  }

  @Test("An error deep within a text is found and shown")
  func deepErrors() {
    let open = String(repeating: "(", count: Self.depth)
    let error = #expect(throws: ParseError.self) { try AnyQuery(parsing: open + "a = 1") }
    #expect(error?.position == Self.depth + 5)
    #expect(error?.reason == "the `(` at position \(Self.depth - 1) is not closed")
    #expect(error?.caret.split(separator: "\n").allSatisfy { $0.count <= 72 } == true)
    for text in [
      "a = '" + open, "\"" + open, "a = " + String(repeating: "9", count: Self.depth),
      "a = 1 " + String(repeating: "n", count: Self.depth), "a " + String(repeating: "火", count: Self.depth),
      "a = 1" + String(repeating: "z", count: Self.depth), "a = " + String(repeating: "\u{301}", count: Self.depth),
      "a like %" + open,
    ] {
      let error = #expect(throws: ParseError.self) { try AnyQuery(parsing: text) }
      #expect((error?.description.utf8.count ?? .max) < 1_000)
      #expect((error?.caret.utf8.count ?? .max) < 1_000)
    }
  }
}
