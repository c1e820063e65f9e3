#if canImport(FoundationXML)
  import FoundationXML
#endif
import Foundation
import Query
import Testing
@testable import repokit

@Suite("repokit group")
struct GroupTests {
  static let calls: [([String], String)] = [
    ([], "count\n5\n"),
    (["--by", "type1"], "type1\tcount\nelectric\t1\nfire\t2\ngrass\t1\nnormal\t1\n"),
    (["--by", "type2"], "type2\tcount\n\\N\t3\nflying\t1\npoison\t1\n"),
    (
      ["--by", "type1,type2", "--limit", "2", "--sort=-count"],
      "type1\ttype2\tcount\nelectric\t\\N\t1\nfire\t\\N\t1\n"
    ),
    // In the order in which they were written.
    (
      ["--max", "name", "--count", "--avg", "weight", "--min", "name", "--sum=id"],
      "max(name)\tcount\taverage(weight)\tmin(name)\tsum(id)\nSnorlax\t5\t114.38\tBulbasaur\t179\n"
    ),
    (["type1 = 'fire'", "--by", "type1", "--sum", "weight"], "type1\tsum(weight)\nfire\t99.0\n"),
    (["false", "--by", "type1"], "type1\tcount\n"),
    (["false", "--count", "--avg", "id"], "count\taverage(id)\n0\t\\N\n"),
    (["--by", "type1", "--sort=-count", "--limit", "1"], "type1\tcount\nfire\t2\n"),
    (["--by", "type1", "--sort", "count", "--limit", "1"], "type1\tcount\nelectric\t1\n"),
    (["--by", "type1", "--sort=-type1", "--limit", "2"], "type1\tcount\nnormal\t1\ngrass\t1\n"),
    (["--by", "type1", "--sort", "type1", "--limit", "1"], "type1\tcount\nelectric\t1\n"),
    (
      ["--by", "type1", "--avg", "weight", "--avg", "id", "--sort=-avg(weight)", "--limit", "1"],
      "type1\taverage(weight)\taverage(id)\nnormal\t460.0\t143.0\n"
    ),
    (
      ["--by", "type1", "--avg", "weight", "--sort", "avg", "--limit", "1"],
      "type1\taverage(weight)\nelectric\t6.0\n"
    ),
    (["--by", "type1", "--limit", "0"], "type1\tcount\n"),
    // Names of keys and aggregates are headings, and an order may use them.
    (
      ["--by", "length(type1) as size", "--sum", "weight as total", "--sort=-total", "--limit", "2"],
      "size\ttotal\n6\t460.0\n4\t99.0\n"
    ),
    (["--by", "type1 as kind", "--sort=-kind", "--limit", "1"], "kind\tcount\nnormal\t1\n"),
    (
      ["--aggregate", "count(where name = 'a as b') as \"no one\"", "--max", "name as last"],
      "no one\tlast\n0\tSnorlax\n"
    ),
    // An aggregate and a key are the same however they are written.
    (["--by", "length( type1 )", "--sort=-length(type1)", "--limit", "1"], "length(type1)\tcount\n8\t1\n"),
    (
      ["--by", "type1", "--sum", "weight * 2", "--sort", "sum( weight*2 ) desc", "--limit", "1"],
      "type1\tsum(weight * 2)\nnormal\t920.0\n"
    ),
    (
      [
        "--by", "type1", "--aggregate", "count(where name='Pikachu')", "--sort", "-count(where name = 'Pikachu')",
        "--limit", "1",
      ], "type1\tcount(where name = 'Pikachu')\nelectric\t1\n"
    ),
    (
      ["--by", "type1", "--avg", "weight + 1", "--sort", "avg(weight+1)", "--limit", "1"],
      "type1\taverage(weight + 1)\nelectric\t7.0\n"
    ),
  ]

  @Test("gives the same aggregates by either engine", arguments: calls)
  func aggregate(arguments: [String], output: String) async throws {
    let workshop = try await Workshop.withPokemon()
    for engine in ["database", "memory"] {
      let outcome = try await workshop.run(["group", "p.sqlite", "pokemon", "--engine", engine] + arguments)
      #expect(outcome == Outcome(status: 0, output: output, messages: ""), "\(engine)")
    }
  }

  @Test(
    "is refused where it makes no sense",
    arguments: [
      (["--by", "typ1"], "no column typ1 in pokemon"), (["--by", "type1,type1"], "--by: type1 is given twice"),
      (["--sum", "name"], "name stores text and has no sum"),
      (["--avg", "id", "--avg", "id"], "--avg \"id\" is given twice"),
      (["--avg", "id as n", "--count", "--sum", "id as count"], "\"count\" is the name of two columns"),
      (["--by", "type1", "--sort", "cuont"], "--sort: groups have no \"cuont\" to sort by\n  did you mean count?"),
      // Which of the two averages is meant?
      (["--avg", "id", "--avg", "weight", "--sort", "avg"], "--sort: groups have no \"avg\" to sort by"),
      (["--limit", "-1"], "the limit -1 is negative"),
      (["--by", "type1", "--sort=-type1", "--limit", "-1"], "the limit -1 is negative"),
      (["--chart", "--format", "csv"], "--chart and --format can't be combined"),
      (["--chart=pie"], "--chart: invalid value \"pie\"\n  the choices are bars, ascii"),
      (["--chart", "--chart"], "--chart is given twice"),
      (["x ="], "expected"),
    ])
  func mistakes(arguments: [String], message: String) async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.run(["group", "p.sqlite", "pokemon"] + arguments)
    #expect(outcome.status == 2)
    #expect(outcome.output == "")
    #expect(outcome.messages.hasPrefix("error: \(message)"), "\(outcome.messages)")
    #expect(try workshop.files() == ["p.sqlite", "pokemon.csv"])
  }

  @Test("draws bars, as wide as 80 columns where there is no terminal")
  func bars() async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.run(["group", "p.sqlite", "pokemon", "--by", "type1", "--chart"])
    #expect(
      outcome.output
        == """
        count
        electric  1  ██████████████████████████████████▌
        fire      2  ███████████████████████████████████████████████████████████████████
        grass     1  ██████████████████████████████████▌
        normal    1  ██████████████████████████████████▌

        """.replacingOccurrences(of: "█▌", with: "▌"))
    #expect(outcome.output.split(separator: "\n").map(\.count).max() == 80)
    let ascii = try await workshop.run(
      ["group", "p.sqlite", "pokemon", "--by", "type2", "--chart", "ascii", "--limit", "1"])
    #expect(ascii.output == "count\nnull  3  \(String(repeating: "#", count: 71))\n")
  }

  @Test("draws bars as wide as the terminal")
  func terminal() async throws {
    let workshop = try await Workshop.withPokemon()
    let terminal = try workshop.terminal(
      ["group", "p.sqlite", "pokemon", "--by", "type1", "--chart", "--no-pager"], width: 40)
    #expect(try await terminal.finish() == 0)
    let lines = terminal.text.split(separator: "\n")
    #expect(lines.map(\.count).max() == 40)
    #expect(lines.count == 5)
  }
}

@Suite("Charts")
struct ChartTests {
  private func chart(_ values: [Value], style: ChartStyle = .bars, width: Int = 20) -> [String] {
    let chart = BarChart(title: "t", values.enumerated().map { ("\($0)", $1) })
    return BarChartText(chart, width: width, style: style).text.split(separator: "\n").map(String.init)
  }

  @Test("have bars in proportion, and the least for whatever is not zero")
  func proportion() {
    #expect(
      chart([8, 4, 1, 0, 0.001, .null, "text"], width: 24) == [
        "t", "0      8  ██████████████", "1      4  ███████", "2      1  █▊", "3      0", "4  0.001  ▏", "5   null",
        "6   text",
      ])
    #expect(chart([2, 1, 0], style: .ascii) == ["t", "0  2  ##############", "1  1  #######", "2  0"])
  }

  @Test("have negative bars at the left of an axis")
  func negative() {
    #expect(
      chart([4, -4, -1, 0], width: 21) == [
        "t", "0   4         │██████", "1  -4  ███████│", "2  -1       ██│", "3   0         │",
      ])
    #expect(chart([-2, -1], style: .ascii, width: 20) == ["t", "0  -2  ############|", "1  -1        ######|"])
  }

  @Test("show infinities as bars that go on, and scale the others by what is finite")
  func infinity() {
    #expect(
      chart([.real(.infinity), 5, .real(.greatestFiniteMagnitude)], width: 50).dropFirst().map { $0.last } == [
        ">", "▏", "█",
      ])
    #expect(chart([.real(-.infinity), 5], style: .ascii, width: 30)[1].contains("  <#"))
    #expect(chart([.real(.infinity)], style: .ascii, width: 20) == ["t", "0  9e999  #########>"])
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
    let lines = BarChartText(chart, width: 60, style: .bars).text.split(separator: "\n").map(String.init)
    #expect(lines[0] == "a␊b")
    #expect(Set(lines.dropFirst().map(TerminalText.columns)) == [60])
    #expect(lines[3].contains("x…  1  █"))
    #expect(!lines.joined().contains("\u{1B}"))
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
    #expect(TruncatedText.of("short", columns: 5) == "short")
    #expect(TruncatedText.of("longer", columns: 5) == "long…")
    #expect(TruncatedText.of("フシギダネ", columns: 6) == "フシ…")
    #expect(TruncatedText.of(String(repeating: "x", count: 10_000_000), columns: 3) == "xx…")
    #expect(TruncatedText.of(Value.text(""), columns: 3) == "''")
    #expect(TruncatedText.of(Value.blob(Array(repeating: 255, count: 1_000)), columns: 8) == "x'fffff…")
  }

  @Test("of words are what a shell reads")
  func words() {
    #expect(
      ["a.b", "", "it's", "-x", "$HOME", "é"].map(ShellWord.quoted) == [
        "a.b", "''", "'it'\\''s'", "-x", "'$HOME'", "é",
      ])
  }
}
