import Query
import Testing

@Suite struct ParseErrorCaretTests {
  private func caret(_ text: String) -> String? {
    do throws(ParseError) {
      _ = try AnyQuery(parsing: text)
      return nil
    } catch {
      return error.caret
    }
  }

  @Test("A caret stands below the place")
  func simple() {
    #expect(
      caret("weight between 1 100") == """
        weight between 1 100
                         ^
        """)
    #expect(caret("") == "\n^")
    #expect(caret("weight >  ") == "weight >  \n        ^")
    #expect(caret("weight > 1 and\n") == "weight > 1 and\n              ^")
  }

  @Test("Only the line concerned is shown", arguments: ["\n", "\r", "\r\n", "\n\n"])
  func lines(newline: String) {
    #expect(
      caret("a = 1" + newline + "and b 2" + newline + "and c = 3") == """
        and b 2
              ^
        """)
    // A text that is not closed begins on one line and ends on another.
    #expect(
      caret("a = 1" + newline + "and b = 'x" + newline + "y") == """
        and b = 'x
                ^
        """)
  }

  @Test("Wide characters take two columns, combining ones none")
  func wideCharacters() {
    #expect(caret("重さ 90") == "重さ 90\n     ^")
    #expect(caret("a = 'ﾌｼｷﾞ' b") == "a = 'ﾌｼｷﾞ' b\n           ^")
    #expect(caret("a = 'ＡＢ' b") == "a = 'ＡＢ' b\n           ^")
    #expect(caret("a = '체중' b") == "a = '체중' b\n           ^")
    #expect(caret("a = '🔥👩‍🚀🇯🇵❤️' b") == "a = '🔥👩‍🚀🇯🇵❤️' b\n               ^")
    #expect(caret("e\u{301}te\u{301} 90") == "e\u{301}te\u{301} 90\n    ^")
    #expect(caret("été 90") == "été 90\n    ^")
  }

  @Test("A place amid a character is shown at the character's start")
  func amidCharacter() {
    #expect(caret("a = 'b'\u{301}") == "a = 'b'\u{301}\n      ^")
  }

  @Test("Nothing of the text controls the terminal")
  func controlCharacters() {
    #expect(caret("a\t=\t'\u{1B}[2J\0\u{7F}' b") == "a = '␛[2J␀␡' b\n             ^")
    #expect(caret("a = '\u{202E}\u{85}\u{2028}' b") == "a = '\u{FFFD}\u{FFFD}\u{FFFD}' b\n          ^")
  }

  @Test("A long line is shortened around the place")
  func longLines() {
    let filling = String(repeating: "x", count: 200)
    // Left and right of the place.
    #expect(
      caret("\(filling) a 1 \(filling)") == """
        …\(String(repeating: "x", count: 34)) a 1 \(String(repeating: "x", count: 31))…
                                            ^
        """)
    // At the start of the line.
    #expect(
      caret("a 1 \(filling)") == """
        a 1 \(String(repeating: "x", count: 66))…
          ^
        """)
    // At its end.
    #expect(
      caret("a = \(filling) b") == """
        …\(String(repeating: "x", count: 68)) b
                                                                              ^
        """)
    #expect(
      caret("a = '\(filling)' and") == """
        …\(String(repeating: "x", count: 64))' and
                                                                              ^
        """)
  }

  @Test("No caret stands beyond 72 columns, wide characters or not", arguments: 60...80)
  func boundary(length: Int) throws {
    for character in ["x", "火", "e\u{301}"] {
      let text = "a = " + String(repeating: character, count: length) + " b " + String(repeating: "y", count: length)
      let lines = try #require(caret(text)).split(separator: "\n")
      #expect(lines.count == 2)
      let columns = lines[0].reduce(0) { $0 + ($1 == "火" ? 2 : 1) }
      #expect(columns <= 72)
      let before = lines[0].prefix { $0 != "b" }.reduce(0) { $0 + ($1 == "火" ? 2 : 1) }
      #expect(lines[1].count == before + 1)
    }
  }
}
