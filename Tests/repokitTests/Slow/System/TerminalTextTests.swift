import LineEditor
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

@Suite("A screen")
struct ScreenHeightTests {
  @Test(
    "is filled by so much",
    arguments: [
      ("", false), ("a\n", false), ("a\nb\n", false), ("a\nb\nc\n", true), ("\n\n\n", true), ("a\nb\nc", false),
      ("aaaaaaaaaa\nb\n", false), ("aaaaaaaaaaa\nb\n", true), ("ああああああ\nb\n", true), ("あああああ\nb\n", false),
      ("\u{1B}[2mnull\u{1B}[0m null\nb\n", false), ("a\tbb\nc\n", false), ("a\tbbb\nc\n", true),
    ])
  func meter(text: String, isExceeded: Bool) {
    let meter = ScreenHeight(TerminalSize(columns: 10, lines: 3))
    #expect(meter.isExceeded(by: Array(text.utf8)) == isExceeded)
  }

  @Test(
    "is measured",
    arguments: [
      ([:], TerminalSize.standard), (["COLUMNS": "40", "LINES": "10"], TerminalSize(columns: 40, lines: 10)),
      (["COLUMNS": "0", "LINES": "-1"], TerminalSize.standard), (["COLUMNS": "x"], TerminalSize.standard),
    ] as [([String: String], TerminalSize)])
  func size(environment: [String: String], size: TerminalSize) {
    // No terminal has this number.
    #expect(TerminalSize(ofDescriptor: -1) { environment[$0] ?? "" } == size)
  }
}

@Suite("The output buffer")
struct OutputBufferTests {
  final class Writes { var sizes: [Int] = [] }

  @Test("writes much at once, and all of it in the end")
  func batches() throws {
    let writes = Writes()
    var output = OutputBuffer { bytes in writes.sizes.append(bytes.count) }
    for _ in 0..<10_000 {
      output.append(String(repeating: "x", count: 19) + "\n")
      try output.flushIfFull()
    }
    #expect(writes.sizes.count == 3)
    try output.flush()
    #expect(writes.sizes.reduce(0, +) == 200_000)
    try output.flush()
    #expect(writes.sizes.count == 4)
  }

  @Test("gives up with the error of the write", arguments: [OutputError.readerClosed, .failure(Failure("full"))])
  func failure(error: OutputError) {
    var output = OutputBuffer { _ throws(OutputError) in throw error }
    output.append("x")
    #expect(throws: error) { try output.flush() }
    // What could not be written is not tried again.
    #expect(throws: Never.self) { try output.flush() }
  }
}
