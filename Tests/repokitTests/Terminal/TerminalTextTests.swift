import ErrorHandling
import Testing

@testable import repokit

@Suite("Text on a terminal")
struct TerminalTextTests {
  @Test(
    "takes so many columns",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("フシギダネ", 10), ("ﾌｼｷﾞ", 4), ("한국어", 6), ("ＡＢ", 4),
      ("🐉", 2), ("👨‍👩‍👧", 2), ("🇯🇵", 2), ("❤️", 2), ("👍🏽", 2), ("a🐉b", 4), ("␛", 1), ("…", 1), ("ß", 1), ("Ж", 1),
    ])
  func columns(text: String, columns: Int) {
    #expect(TerminalText.columns(of: text) == columns)
  }

  @Test(
    "shows what a terminal would obey",
    arguments: [
      ("plain", "plain"), ("フシギダネ", "フシギダネ"), ("\u{1B}[2J", "␛[2J"), ("a\nb", "a␊b"), ("\r\n", "␍␊"),
      ("\t", "␉"), ("\u{0}", "␀"), ("\u{7F}", "␡"), ("\u{9B}31m", "\u{FFFD}31m"), ("\u{202E}", "\u{FFFD}"),
      ("👨‍👩‍👧", "👨‍👩‍👧"), ("e\u{301}", "e\u{301}"),
    ])
  func visible(text: String, visible: String) {
    #expect(Array(TerminalText.visible(text).unicodeScalars) == Array(visible.unicodeScalars))
  }

  @Test("is made safe in messages, file names and fields included")
  func message() {
    let failure = Failure("there is no file \u{1B}[31m.csv", details: ["did you mean \u{7}?", nil])
    let file = TerminalStyle(width: .max, hasColor: false, isInteractive: false)
    #expect(failure.message(style: file) == "error: there is no file ␛[31m.csv\n  did you mean ␇?\n")
    let forged = Failure("there is no file a\nerror: b", details: ["a\nb"])
    #expect(forged.message(style: file) == "error: there is no file a␊error: b\n  a␊b\n")
  }

  @Test("is coloured and broken into lines on a terminal, a caret stays below its place")
  func terminalMessage() {
    let terminal = TerminalStyle(width: 40, hasColor: true, isInteractive: false)
    let failure = Failure(
      "expected a value or a key, found the end of the text", details: ["weight >", "        ^", "name one"])
    #expect(
      failure.message(style: terminal)
        == """
        \u{1B}[1;31merror:\u{1B}[0m expected a value or a key, found
        the end of the text
          weight >
                  ^
          name one

        """)
  }
}
