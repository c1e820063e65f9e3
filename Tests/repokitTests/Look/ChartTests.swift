import Foundation
import Query
import Testing

@testable import repokit

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Charts")
struct ChartTests {
  private func chart(_ values: [Value], ink: BarChartText.Ink = .blocks, width: Int = 20) -> [String] {
    let chart = BarChart(title: "t", values.enumerated().map { ("\($0)", $1) })
    return BarChartText(chart, width: width, ink: ink).text.split(separator: "\n").map(String.init)
  }

  @Test("have bars in proportion, and the least for whatever is not zero")
  func proportion() {
    #expect(
      chart([8, 4, 1, 0, 0.001, .null, "text"], width: 24) == [
        "t", "0      8  ██████████████", "1      4  ███████", "2      1  █▊", "3      0", "4  0.001  ▏", "5   null",
        "6   text",
      ])
    #expect(chart([2, 1, 0], ink: .ascii) == ["t", "0  2  ##############", "1  1  #######", "2  0"])
  }

  @Test("have negative bars at the left of an axis")
  func negative() {
    #expect(
      chart([4, -4, -1, 0], width: 21) == [
        "t", "0   4         │██████", "1  -4  ███████│", "2  -1       ██│", "3   0         │",
      ])
    #expect(chart([-2, -1], ink: .ascii, width: 20) == ["t", "0  -2  ############|", "1  -1        ######|"])
  }

  @Test("show infinities as bars that go on, and scale the others by what is finite")
  func infinity() {
    #expect(
      chart([.real(.infinity), 5, .real(.greatestFiniteMagnitude)], width: 50).dropFirst().map { $0.last } == [
        ">", "▏", "█",
      ])
    #expect(chart([.real(-.infinity), 5], ink: .ascii, width: 30)[1].contains("  <#"))
    #expect(chart([.real(.infinity)], ink: .ascii, width: 20) == ["t", "0  9e999  #########>"])
  }

  @Test("of nothing, of zeros and of one number are no trouble", arguments: [20, 1, 0, 300])
  func extremes(width: Int) {
    #expect(chart([], width: width) == ["t"])
    #expect(chart([0, 0], width: width) == ["t", "0  0", "1  0"])
    #expect(chart([.integer(.min), .integer(.max)], width: width).count == 3)
    #expect(chart([.real(-.greatestFiniteMagnitude), .real(.leastNonzeroMagnitude)], width: width).count == 3)
  }

  @Test("align labels by their width, cut long ones, and show no escapes")
  func labels() {
    let labels = ["フシギダネ", "a\u{1B}[31m", String(repeating: "x", count: 100), "e\u{301}"]
    let chart = BarChart(title: "a\nb", labels.map { ($0, 1) })
    let lines = BarChartText(chart, width: 60, ink: .blocks).text.split(separator: "\n").map(String.init)
    #expect(lines[0] == "a␊b")
    #expect(Set(lines.dropFirst().map(TerminalText.columns)) == [60])
    #expect(lines[3].contains("x…  1  █"))
    #expect(!lines.joined().contains("\u{1B}"))
  }

  @Test(
    "as pictures are XML, whatever the names",
    arguments: [
      "a <b> & \"c\" 'd'", "]]>", "\u{0}\u{1}\u{1B}\u{FFFE}\u{FFFF}", "<script>alert(1)</script>", "日本 👨‍👩‍👧 e\u{301}",
      "\u{202E}abc", "-->", "",
    ])
  func xml(name: String) {
    let chart = BarChart(title: name, [(name, .real(-.infinity)), (name, .text(name)), (name, 5), (name, -5)])
    let svg = BarChartSVG(title: name, [chart, BarChart(title: name, [])]).text
    let parser = XMLParser(data: Data(svg.utf8))
    #expect(parser.parse(), "\(svg)")
    #expect(!svg.contains("<script"))
    for bad in ["nan", "inf", "-0.\"", "width=\"-"] { #expect(!svg.contains(bad), "\(bad)") }
  }

  @Test(
    "have round numbers along the axis",
    arguments: [
      (0, 10, [0, 2, 4, 6, 8, 10]), (0, 28, [0, 5, 10, 15, 20, 25]), (-3, 7, [-2, 0, 2, 4, 6]),
      (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
      (0, 0, [0, 0]), (0, 1e300, [0, 2e299, 4e299, 6e299, 8e299, 1e300]),
    ] as [(Double, Double, [Double])])
  func ticks(lower: Double, upper: Double, numbers: [Double]) {
    let found = AxisTicks(from: lower, to: upper).numbers
    #expect(found.count == numbers.count)
    for (found, number) in zip(found, numbers) { #expect((found - number).magnitude <= number.magnitude * 1e-12) }
  }

  @Test("in small have a bar for each count")
  func sparkline() {
    #expect(Sparkline.text([0, 1, 100, 50, 13]) == " ▁█▄▂")
    #expect(Sparkline.text([]) == "")
    #expect(Sparkline.text([0, 0]) == "  ")
  }
}

@Suite("Short forms")
struct ShortFormTests {
  @Test(
    "of numbers have six digits that count",
    arguments: [
      (0, "0"), (1, "1"), (-1.5, "-1.5"), (0.1 + 0.2, "0.3"), (123_456.789, "123457"), (12.3456789, "12.3457"),
      (0.000012345678, "0.0000123457"), (1e-9, "1e-09"), (1e20, "1e+20"), (.infinity, "9e999"), (-.infinity, "-9e999"),
      (999_999.5, "1000000"), (0.99999999, "1"), (-0.00001, "-0.00001"), (9.9999999, "10"), (100, "100"),
    ] as [(Double, String)])
  func numbers(number: Double, text: String) {
    #expect(ShortNumber.text(number) == text)
  }

  @Test(
    "of sizes have the unit that leaves few digits",
    arguments: [
      (0, "0 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (1_536, "1.5 KiB"), (10_240, "10 KiB"),
      (1_048_575, "1.0 MiB"), (1_048_576, "1.0 MiB"), (5_368_709_120, "5.0 GiB"), (.max, "8388608 TiB"),
    ] as [(Int, String)])
  func sizes(bytes: Int, text: String) {
    #expect(ByteSize.text(bytes) == text)
  }

  @Test("of texts end where there is no room")
  func excerpts() {
    #expect(Excerpt.of("short", columns: 5) == "short")
    #expect(Excerpt.of("longer", columns: 5) == "long…")
    #expect(Excerpt.of("フシギダネ", columns: 6) == "フシ…")
    #expect(Excerpt.of(String(repeating: "x", count: 10_000_000), columns: 3) == "xx…")
    #expect(Excerpt.of(Value.text(""), columns: 3) == "''")
    #expect(Excerpt.of(Value.blob(Array(repeating: 255, count: 1_000)), columns: 8) == "x'fffff…")
  }

  @Test("of words are what a shell reads")
  func words() {
    #expect(
      ["a.b", "", "it's", "-x", "$HOME", "é"].map(ShellWord.quoted) == [
        "a.b", "''", "'it'\\''s'", "-x", "'$HOME'", "é",
      ])
  }
}
