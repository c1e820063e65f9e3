import Testing
@testable import repokit

@Suite("Words of a shell's line")
struct ShellWordsTests {
  static let split: [(line: String, words: [String])] = [
    ("", []), ("  \t ", []), ("tables", ["tables"]), (" count  pokemon ", ["count", "pokemon"]),
    ("a 'b c' d", ["a", "b c", "d"]), (#"a "b c" d"#, ["a", "b c", "d"]), ("''", [""]), (#"a"b"'c'd"#, ["abcd"]),
    (#"a\ b"#, ["a b"]), (#"\'"#, ["'"]), (#"'a\'"#, [#"a\"#]), (#""a\"b""#, [#"a"b"#]), (#""a\b""#, [#"a\b"#]),
    (#""\$\`\\""#, [#"$`\"#]), ("a\nb", ["a", "b"]), ("a\\\nb", ["ab"]), ("a \\\n b", ["a", "b"]),
    ("'a\nb'", ["a\nb"]), ("name='it''s'", ["name=its"]), ("フシギ ダネ", ["フシギ", "ダネ"]), ("e\u{301} x", ["e\u{301}", "x"]),
    // A quote with a combining accent is one character, and a quote all the same.
    ("'a b'\u{301}", ["a b\u{301}"]),
  ]

  @Test("are split at blanks, with quotes and backslashes", arguments: split)
  func words(line: String, words: [String]) {
    #expect(ShellWords(line).words.map(\.text) == words)
    #expect(ShellWords(line).end == .complete)
  }

  static let unfinished: [(line: String, end: ShellWords.End)] = [
    ("a 'b", .quoted("'", at: 2)), (#"a "b"#, .quoted("\"", at: 2)), (#"a \"#, .escaped),
    ("a (b", .parenthesized(at: 2)),
    ("(a (b)", .parenthesized(at: 0)), ("'('", .complete), (#"\("#, .complete), (#""a\""#, .quoted("\"", at: 0)),
    ("a ) (", .parenthesized(at: 4)),
  ]

  @Test("tell what is open at the end", arguments: unfinished)
  func end(line: String, end: ShellWords.End) {
    #expect(ShellWords(line).end == end)
  }

  @Test("make lines, which go on where something is open")
  func lines() {
    let text = ShellText(
      "tables\ncount p a = 'x\ny' and\n(b = 1 or\nc = 2)\n# it's a comment\nquery p \\\n--limit 1\nopen (")
    #expect(
      text.lines.map(\.text) == [
        "tables", "count p a = 'x\ny' and", "(b = 1 or\nc = 2)", "# it's a comment", "query p --limit 1",
      ])
    #expect(text.lines.map(\.number) == [0, 1, 3, 5, 6])
    #expect(text.rest == ShellText.Line(text: "open (", number: 8))
    #expect(!text.isComplete && ShellText("").isComplete)
  }

  static let called: [(line: String, arguments: [String])] = [
    ("query pokemon", ["pokemon"]), ("query pokemon weight > 90", ["pokemon", "weight > 90"]),
    ("query pokemon \"weight > 90\"", ["pokemon", "weight > 90"]),
    ("query pokemon 'weight > 90' --limit 5", ["pokemon", "weight > 90", "--limit", "5"]),
    ("query pokemon type1 = 'fire'", ["pokemon", "type1 = 'fire'"]),
    ("query pokemon type1='fire'", ["pokemon", "type1='fire'"]),
    ("query pokemon name = 'it''s'", ["pokemon", "name = 'it''s'"]),
    (#"query pokemon "base attack" > 5"#, ["pokemon", #""base attack" > 5"#]),
    (
      "query --limit 5 pokemon weight > -5 --sort=-weight",
      ["--limit", "5", "pokemon", "weight > -5", "--sort=-weight"]
    ),
    ("query 'a b' x = 1", ["a b", "x = 1"]), (#"query a\ b x = 1"#, ["a b", "x = 1"]),
    ("query pokemon (a = 1\n or b = 2)", ["pokemon", "(a = 1\n or b = 2)"]),
    ("query pokemon a = 1;", ["pokemon", "a = 1"]), ("query pokemon a = ';'", ["pokemon", "a = ';'"]),
    ("query pokemon -- --sort", ["pokemon", "--", "--sort"]),
    ("query pokemon a = 1 --no-such", ["pokemon", "a = 1", "--no-such"]),
    ("query pokemon name = '--sort'", ["pokemon", "name = '--sort'"]),
  ]

  @Test("need no quotes around a query", arguments: called)
  func arguments(line: String, arguments: [String]) throws {
    #expect(try ShellLine(line).arguments(of: QueryCommand.description.inShell, after: 1) == arguments)
  }

  @Test("say where a quote or a parenthesis has no end")
  func failure() {
    let quote = #expect(throws: Failure.self) { try ShellLine("count p name = 'x") }
    #expect(quote?.summary == "the quote ' is not closed")
    #expect(quote?.details == ["count p name = 'x", "               ^"])
    let parenthesis = #expect(throws: Failure.self) { try ShellLine("count フ (a") }
    #expect(parenthesis?.details == ["count フ (a", "         ^"])
    #expect(throws: Failure.self) { try ShellLine(#"tables \"#) }
  }
}
