/// What is wrong within a token.
struct Malformation {
  /// Where it goes wrong: an offset in the text's UTF-8.
  let offset: Int
  /// What was expected there.
  let expected: String
  /// What stands there, if that is a part of the text.
  let found: Range<Int>
  var reason: String?
  var suggestion: String?

  /// - Parameters:
  ///   - found: what stands at the offset; nothing for the end of the text.
  init(_ offset: Int, expected: String, found: Range<Int>, reason: String? = nil, suggestion: String? = nil) {
    self.offset = offset
    self.expected = expected
    self.found = found
    self.reason = reason
    self.suggestion = suggestion
  }
}
