import Testing
@testable import repokit

@Suite("The line of progress")
struct ProgressLineTests {
  @Test(
    "says how far it is, how fast, and how long it will take",
    arguments: [
      (nil, nil, 0, 0, "job"), (1_000, nil, 0, 0, "job  [--------------------]    0 %  0 of 1000 B"),
      (
        4_000_000, 1_234_567, 1_000_000, 2,
        "job  [#####---------------]   25 %  1,234,567 rows  1.0 of 3.8 MiB  617,283 rows/s  6 s left"
      ),
      (1_000, 10, 1_000, 4, "job  [####################]  100 %  10 rows  1000 of 1000 B  2 rows/s"),
      // A file may grow while it is read.
      (1_000, 10, 2_000, 4, "job  [####################]  100 %  10 rows  2000 of 1000 B  2 rows/s"),
      (nil, nil, 5_250_000, 2, "job  5.0 MiB  2.5 MiB/s"),
      (999, 1, 99, 1, "job  [#-------------------]    9 %  1 rows  99 of 999 B  1 rows/s  10 s left"),
      (
        100_000_000_000, 10, 1_000_000_000, 100,
        "job  [--------------------]    1 %  10 rows  0.9 of 93 GiB  0 rows/s  2 h 45 min left"
      ),
    ] as [(Int?, Int?, Int, Int, String)])
  func text(total: Int?, rows: Int?, bytes: Int, seconds: Int, text: String) {
    let line = ProgressLine(job: "job", total: total, rows: rows, bytes: bytes)
    #expect(line.text(after: .seconds(seconds), width: 200) == text)
  }

  @Test("fits into any terminal, and leaves out what is at its end first")
  func width() {
    let line = ProgressLine(job: "importing ポケモン", total: 4_000_000, rows: 1_234_567, bytes: 1_000_000)
    let texts = (0...120).map { line.text(after: .seconds(2), width: $0) }
    for (width, text) in texts.enumerated() { #expect(TerminalText.columns(of: text) <= width) }
    #expect(texts[0] == "")
    #expect(texts[5] == "impor")
    #expect(texts[17] == "importing   25 %")
    #expect(texts[80] == "importing ポケ   25 %  1,234,567 rows  1.0 of 3.8 MiB  617,283 rows/s  6 s left")
    #expect(
      texts[92]
        == "importing ポケモン  [#----]   25 %  1,234,567 rows  1.0 of 3.8 MiB  617,283 rows/s  6 s left")
  }

  @Test(
    "counts time in units that are easy to read",
    arguments: [(0.2, "1 s"), (59, "59 s"), (61, "1 min 1 s"), (7_260, "2 h 1 min"), (1e9, "more than 99 h")])
  func time(seconds: Double, text: String) {
    #expect(ProgressLine.time(seconds) == text)
  }

  @Test(
    "tells the time alone of work that does not tell how far it is",
    arguments: [
      (5, 80, "checking 表.db  5 s"), (61, 80, "checking 表.db  1 min 1 s"), (5, 18, "checking 表.  5 s"), (5, 6, "  5 s"),
    ])
  func elapsed(seconds: Int, width: Int, text: String) {
    #expect(ElapsedTime.text("checking 表.db", seconds: seconds, width: width) == text)
  }

  @Test("is drawn at the start, taken away at the end, and gives way to messages")
  func bar() {
    final class Screen { var text = "" }
    let screen = Screen()
    let bar = ProgressBar(isShown: true, width: 40) { screen.text += $0 }
    bar.begin("job\u{1B}", total: nil)
    #expect(screen.text == "\rjob␛\u{1B}[K")
    bar.report("message\n")
    bar.end()
    bar.end()
    bar.report("another\n")
    #expect(screen.text == "\rjob␛\u{1B}[K\r\u{1B}[Kmessage\n\r\u{1B}[Kanother\n")
    let hidden = ProgressBar(isShown: false, width: 40) { screen.text = $0 }
    hidden.begin("job", total: nil)
    hidden.report("message\n")
    hidden.end()
    #expect(screen.text == "message\n")
  }
}
