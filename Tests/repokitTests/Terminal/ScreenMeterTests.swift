import Testing

@testable import repokit

@Suite("A screen")
struct ScreenMeterTests {
  @Test(
    "is filled by so much",
    arguments: [
      ("", false), ("a\n", false), ("a\nb\n", false), ("a\nb\nc\n", true), ("\n\n\n", true), ("a\nb\nc", false),
      ("aaaaaaaaaa\nb\n", false), ("aaaaaaaaaaa\nb\n", true), ("ああああああ\nb\n", true), ("あああああ\nb\n", false),
      ("\u{1B}[2mnull\u{1B}[0m null\nb\n", false), ("a\tbb\nc\n", false), ("a\tbbb\nc\n", true),
    ])
  func meter(text: String, isExceeded: Bool) {
    let meter = ScreenMeter(TerminalSize(columns: 10, lines: 3))
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
