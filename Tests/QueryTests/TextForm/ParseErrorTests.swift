import Query
import Testing

@Suite struct QueryTextErrorTests {
  private static let `operator` = "an operator, such as `=` or `in`"
  private static let value = "a value or a key"
  private static let joint = "`and`, `or` or the end of the text"
  private static let end = "the end of the text"

  static let conditions = [
    ParseErrorCase("", 0, "a condition", end, "write `true` for everything"),
    ParseErrorCase(" \n ", 0, "a condition", end, "write `true` for everything"),
    ParseErrorCase("not", 3, "a condition", end, "write a condition, such as weight > 90"),
    ParseErrorCase("a = 1 and ", 9, "a condition", end, "write a condition, such as weight > 90"),
    ParseErrorCase("()", 1, "a condition", "`)`", "write a condition, such as weight > 90"),
    ParseErrorCase(
      "and a = 1", 0, "a condition", "`and`", "remove the word, or put a key of this name in double quotes"),
    ParseErrorCase("in (1)", 0, "a condition", "`in`", "start with the key, as in weight > 90"),
    ParseErrorCase("> 90", 0, "a condition", "`>`", "start with the key, as in weight > 90"),
    ParseErrorCase("!a = 1", 0, "a condition", "`!`", "write `not`"),
    ParseErrorCase("（a = 1）", 0, "a condition", "`（`", "write `(`"),
    ParseErrorCase("\u{A0}a = 1", 0, "a condition", "the character U+00A0", "replace the character with a space"),
    ParseErrorCase("\0", 0, "a condition", "the character U+0000", nil),
    ParseErrorCase("🔥 = 1", 0, "a condition", "`🔥`", nil),
  ]

  static let operators = [
    ParseErrorCase("weight", 6, `operator`, end, "write a condition on the key, such as weight = 1"),
    ParseErrorCase("weight 90", 7, `operator`, "`90`", "write `weight = 90`"),
    ParseErrorCase("weight null", 7, `operator`, "`null`", "write `weight is null`"),
    ParseErrorCase("weight true", 7, `operator`, "`true`", "write `weight = true`"),
    ParseErrorCase(
      "type fire", 5, `operator`, "`fire`", "put text after an operator in single quotes: type = 'fire'"),
    ParseErrorCase(
      "base attack > 5", 5, `operator`, "`attack`",
      "put a key that contains a space in double quotes: \"base attack\""),
    ParseErrorCase(
      "\"a \"\"b\"\"\" c > 5", 10, `operator`, "`c`",
      "put a key that contains a space in double quotes: \"a \"\"b\"\" c\""),
    ParseErrorCase("name ~ 'a'", 5, `operator`, "`~`", "write `like`, or `contains`"),
    ParseErrorCase("name~'a'", 4, `operator`, "`~`", "write `like`, or `contains`"),
    ParseErrorCase("where weight > 5", 6, `operator`, "`weight`", "remove `where`"),
    ParseErrorCase("weight ≥ 90", 7, `operator`, "`≥`", "write `>=`"),
    ParseErrorCase("weight betwen 1 and 2", 7, `operator`, "`betwen`", "did you mean `between`?"),
    ParseErrorCase("name startswith 'a'", 5, `operator`, "`startswith`", "write `starts with`"),
    ParseErrorCase("name begins with 'a'", 5, `operator`, "`begins`", "write `starts with`"),
    ParseErrorCase("name hasSuffix 'a'", 5, `operator`, "`hasSuffix`", "write `ends with`"),
    ParseErrorCase("name strats with 'a'", 5, `operator`, "`strats`", "did you mean `starts with`?"),
    ParseErrorCase("name starts 'a'", 12, "`with`", "`'a'`", "write `starts with`"),
    ParseErrorCase(
      "weight not 90", 11, "`between`, `in`, `contains`, `starts with`, `ends with` or `like`", "`90`",
      "write `weight != 90`"),
    ParseErrorCase(
      "weight not null", 11, "`between`, `in`, `contains`, `starts with`, `ends with` or `like`", "`null`",
      "write `is not null`"),
    ParseErrorCase(
      "weight not = 90", 11, "`between`, `in`, `contains`, `starts with`, `ends with` or `like`", "`=`",
      "write `not` before the key"),
  ]

  static let operands = [
    ParseErrorCase("weight =", 8, value, end, nil),
    ParseErrorCase("weight = )", 9, value, "`)`", nil),
    ParseErrorCase("weight => 90", 8, value, "`>`", "write `>=`"),
    ParseErrorCase("weight =< 90", 8, value, "`<`", "write `<=`"),
    ParseErrorCase("weight === 90", 9, value, "`=`", "write `=` once"),
    ParseErrorCase("weight =! 90", 8, value, "`!`", "write `!=`"),
    ParseErrorCase("weight = not 90", 9, value, "`not`", "write `!=`, or `not` before the key"),
    ParseErrorCase("weight = between 1 and 2", 9, value, "`between`", "remove the operator before `is`"),
    ParseErrorCase("a = or", 4, value, "`or`", "put a key of this name in double quotes: \"or\""),
    ParseErrorCase(
      "name = ‘fire’", 7, value, "`‘`", "use straight quotes: 'text' for text, \"key\" for a key"),
    ParseErrorCase("weight between 1 100", 17, "`and`", "`100`", "write `between 1 and 100`"),
    ParseErrorCase("weight between 1, 100", 16, "`and`", "`,`", "write `between 1 and 100`"),
    ParseErrorCase("weight between 1 to 100", 17, "`and`", "`to`", "write `between 1 and 100`"),
    ParseErrorCase("weight between 1 - 100", 22, "`and`", end, "write two bounds, such as between 1 and 100"),
    ParseErrorCase("weight between 1", 16, "`and`", end, "write two bounds, such as between 1 and 100"),
    ParseErrorCase(
      "weight between (1, 100)", 17, "an operation or `)`", "`,`",
      "for several values, write `in (1, 2)` or `between 1 and 2`", reason: "the `(` at character 16 is not closed"),
    ParseErrorCase("weight between 1 and", 20, value, end, nil),
    ParseErrorCase(
      "weight is 5", 10, "`null` or `not null`", "`5`", "`is` compares with null only: write `weight = 5`"),
    ParseErrorCase("weight is not 5", 14, "`null`", "`5`", "`is` compares with null only: write `weight != 5`"),
    ParseErrorCase(
      "type is fire", 8, "`null` or `not null`", "`fire`", "`is` compares with null only: write `type = 'fire'`"),
    ParseErrorCase("type is nul", 8, "`null` or `not null`", "`nul`", "did you mean `null`?"),
    ParseErrorCase("type is not None", 12, "`null`", "`None`", "did you mean `null`?"),
    ParseErrorCase(
      "name = Mr. Mime or a = 1", 11, "a key next to the `.`", "`Mime`",
      "a path has no spaces; put text in single quotes: 'Mr. Mime'"),
    ParseErrorCase("type is in ('a')", 8, "`null` or `not null`", "`in`", "remove `is`"),
    ParseErrorCase("type is empty", 8, "`null` or `not null`", "`empty`", "write `type = ''` for an empty text"),
    ParseErrorCase("type in 'a', 'b'", 8, "`(`", "`'a'`", "put the values in parentheses: in (1, 2)"),
    ParseErrorCase("type in [1]", 8, "`(`", "`[`", "put the values in parentheses: in (1, 2)"),
    ParseErrorCase(
      "type in (fire)", 9, "a value or `)`", "`fire`",
      "a list can't contain keys; put text in single quotes: 'fire'"),
    ParseErrorCase(
      "type in (\"it's\")", 9, "a value or `)`", "`\"it's\"`",
      "a list can't contain keys; put text in single quotes: 'it''s'"),
    ParseErrorCase("type in (1,)", 11, "a value", "`)`", "remove the last comma"),
    ParseErrorCase("type in (1 2)", 11, "`,` or `)`", "`2`", nil),
    ParseErrorCase("type in (1", 10, "`,` or `)`", end, nil),
    ParseErrorCase("name like %x%", 10, "text", "`%`", "put text in single quotes: '%x%'"),
    ParseErrorCase("name contains fire", 14, "text", "`fire`", "put text in single quotes: 'fire'"),
    ParseErrorCase("name contains \"fire\"", 14, "text", "`\"fire\"`", "put text in single quotes: 'fire'"),
    ParseErrorCase("name contains 5", 14, "text", "`5`", "put text in single quotes: '5'"),
    ParseErrorCase("name contains 'a' ignoring", 26, "`case`", end, "write `ignoring case`"),
  ]

  static let joints = [
    ParseErrorCase("a = 1 && b = 2", 6, joint, "`&&`", "write `and`"),
    ParseErrorCase("a = 1 || b = 2", 6, joint, "`||`", "write `or`: `||` joins text"),
    ParseErrorCase("a = 1 adn b = 2", 6, joint, "`adn`", "did you mean `and`?"),
    ParseErrorCase("a = 1, b = 2", 5, joint, "`,`", "join conditions with `and` or `or`"),
    ParseErrorCase("a = 1;", 5, joint, "`;`", "remove the character"),
    ParseErrorCase("a < b < c", 6, joint, "`<`", "compare twice, and join the comparisons with `and`"),
    ParseErrorCase("true = 1", 5, joint, "`=`", "put a key of this name in double quotes: \"true\""),
    ParseErrorCase("a = 1)", 5, joint, "`)`", "remove the parenthesis, or open it with `(`"),
    ParseErrorCase("(a = 1) b = 2", 8, joint, "`b`", "join conditions with `and` or `or`"),
    ParseErrorCase(
      "not (a = 1 or (b = 2)", 21, "`and`, `or` or `)`", end, "close the parenthesis with `)`",
      reason: "the `(` at character 5 is not closed"),
    ParseErrorCase("(a = 1 b = 2)", 7, "`and`, `or` or `)`", "`b`", "join conditions with `and` or `or`"),
    ParseErrorCase("name = 'it's'", 11, joint, "`s`", "double a quote within text, such as 'it''s'"),
    ParseErrorCase(
      "day > 2026-11-20", 10, joint, "`-11`", "put a date in single quotes, such as '2026-11-20'"),
    ParseErrorCase("a > 1,5", 5, joint, "`,`", "write a fraction with a point, such as 1.5"),
    ParseErrorCase(
      "a is null ignoring case", 10, joint, "`ignoring`", "write `ignoring case` after the text of a comparison"),
    ParseErrorCase(
      "a = 5 ignoring case", 6, "`and`, `or` or the end of the text", "`ignoring`",
      "write `ignoring case` only after text"),
    ParseErrorCase("a = 'x' ignoring", 16, "`case`", end, "write `ignoring case`"),
    ParseErrorCase("a = 'x' collate nocase", 8, joint, "`collate`", "write `ignoring case`"),
    ParseErrorCase(
      "a like 'x' nocase", 11, "`ignoring case`, " + joint, "`nocase`", "write `ignoring case`"),
    ParseErrorCase(
      "(true and not a like 'x' ignorign case)", 25, "`ignoring case`, `and`, `or` or `)`", "`ignorign`",
      "did you mean `ignoring case`?"),
  ]

  static let tokens = [
    ParseErrorCase(
      "name = 'fire and a = 1", 7, "a closing `'`", end, "double a quote within text, such as 'it''s'",
      reason: "the text that starts here has no end"),
    ParseErrorCase(
      "a = 1 and \"b = 1", 10, "a closing `\"`", end, "put text in single quotes, and keys in double quotes",
      reason: "the key that starts here has no end"),
    ParseErrorCase(
      "a = 9223372036854775808", 4, "an integer from -9223372036854775808 to 9223372036854775807",
      "`9223372036854775808`", "write the number as a real: 9223372036854775808.0"),
    ParseErrorCase(
      "a in (-9223372036854775809)", 6, "an integer from -9223372036854775808 to 9223372036854775807",
      "`-9223372036854775809`", "write the number as a real: -9223372036854775809.0"),
    ParseErrorCase(
      "a < 1e400", 4, "a number from -1.7976931348623157e+308 to 1.7976931348623157e+308", "`1e400`",
      "write `9e999` for infinity"),
    ParseErrorCase(
      "a in (9E999, -9e9999)", 13, "a number from -1.7976931348623157e+308 to 1.7976931348623157e+308", "`-9e9999`",
      "write `-9e999` for infinity"),
    number("90kg", "put text in single quotes: '90kg'"), number("1e", "put text in single quotes: '1e'"),
    number("5.", "write `5.0`"), number("-.5", "write `-0.5`"), number("1_000", "write `1000`"),
    number("0xff", "write the number in decimal: 255"), number("1.2.3", "put text in single quotes: '1.2.3'"),
    number("1٣", "put text in single quotes: '1٣'"),
    ParseErrorCase(
      "a = x'0g'", 7, "a hexadecimal digit", "`g`", nil,
      reason: "write a blob as pairs of hexadecimal digits, such as x'00ff'"),
    ParseErrorCase(
      "a = x'0火'", 7, "a hexadecimal digit", "`火`", nil,
      reason: "write a blob as pairs of hexadecimal digits, such as x'00ff'"),
    ParseErrorCase(
      "a = x'000'", 9, "a hexadecimal digit", "`'`", nil,
      reason: "write two digits for each byte of a blob, such as x'00ff'"),
    ParseErrorCase("a = x'00", 4, "a closing `'`", end, nil, reason: "the blob that starts here has no end"),
  ]

  private static func number(_ spelling: String, _ suggestion: String) -> ParseErrorCase {
    ParseErrorCase(
      "a = \(spelling)", 4, "a number", "`\(spelling)`", suggestion, reason: "write a number such as 12 or -1.5e3")
  }

  @Test("A malformed query is explained", arguments: conditions + operators + operands + joints + tokens)
  func errors(_ example: ParseErrorCase) {
    example.check { text throws(ParseError) in _ = try AnyQuery(parsing: text) }
  }

  @Test("An error is described in one line")
  func description() {
    let error = #expect(throws: ParseError.self) { try AnyQuery(parsing: "not (weight between 1 100") }
    #expect(error?.summary == "expected `and`, found `100`")
    #expect(error?.description == "expected `and`, found `100`, at position 22; write `between 1 and 100`")
  }

  @Test("The found text is shortened, and shown without control characters")
  func found() {
    let long = #expect(throws: ParseError.self) {
      try AnyQuery(parsing: "a = 1 '" + String(repeating: "x", count: 1000) + "'")
    }
    #expect(long?.found == "`'\(String(repeating: "x", count: 30))…`")
    let control = #expect(throws: ParseError.self) { try AnyQuery(parsing: "a = 1 'x\u{1B}[31m\n\u{202E}\u{85}'") }
    #expect(control?.found == "`'x␛[31m␊\u{FFFD}\u{FFFD}'`")
  }

  @Test("Positions count Unicode scalars")
  func positions() {
    // One character of two scalars, one of three, and a quote that is one character with its accent.
    let text = "e\u{301} = '👩‍🚀'\u{301}"
    let error = #expect(throws: ParseError.self) { try AnyQuery(parsing: text) }
    #expect(error?.position == 10)
    #expect(error?.found == "the character U+0301")
  }
}

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
