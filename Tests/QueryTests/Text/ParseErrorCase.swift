import Query
import Testing

/// A malformed text and what its error says.
struct ParseErrorCase: CustomTestStringConvertible, Sendable {
  let text: String
  let position: Int
  let expected: String
  let found: String
  let suggestion: String?
  let reason: String?

  init(
    _ text: String, _ position: Int, _ expected: String, _ found: String, _ suggestion: String?, reason: String? = nil
  ) {
    (self.text, self.position, self.expected) = (text, position, expected)
    (self.found, self.suggestion, self.reason) = (found, suggestion, reason)
  }

  var testDescription: String { text.debugDescription }

  func check(
    sourceLocation: SourceLocation = #_sourceLocation, _ parse: (String) throws(ParseError) -> Void
  ) {
    do throws(ParseError) {
      try parse(text)
      Issue.record("\(text) was parsed", sourceLocation: sourceLocation)
    } catch {
      #expect(error.text == text, sourceLocation: sourceLocation)
      #expect(error.position == position, sourceLocation: sourceLocation)
      #expect(error.expected == expected, sourceLocation: sourceLocation)
      #expect(error.found == found, sourceLocation: sourceLocation)
      #expect(error.suggestion == suggestion, sourceLocation: sourceLocation)
      #expect(error.reason == reason, sourceLocation: sourceLocation)
    }
  }
}
