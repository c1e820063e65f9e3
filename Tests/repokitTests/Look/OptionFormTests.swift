import Testing

@testable import repokit

@Suite("An option with forms")
struct OptionFormTests {
  private static let chart = OptionDescription(
    name: "--chart", help: "Draws.", forms: [OptionForm(word: "bars"), OptionForm(word: "svg", value: "FILE")])
  private static let command = CommandDescription(
    name: "draw", summary: "Draws.", examples: [],
    positionals: [
      PositionalDescription(name: "A", help: "One."), PositionalDescription(name: "B", help: "Two.", isOptional: true),
    ], options: [chart, OptionDescription(name: "--count", help: "Counts.")])

  @Test(
    "takes the word after it only where that is one of them",
    arguments: [
      (["x"], nil, nil, "x", nil), (["x", "--chart"], "", nil, "x", nil), (["--chart", "x"], "", nil, "x", nil),
      (["x", "--chart", "--count"], "", nil, "x", nil), (["x", "--chart", "bars"], "bars", nil, "x", nil),
      (["x", "--chart", "bars", "y"], "bars", nil, "x", "y"), (["--chart=bars", "bars"], "bars", nil, "bars", nil),
      (["x", "--chart", "svg", "f.svg"], "svg", "f.svg", "x", nil),
      (["--chart=svg", "f", "x", "y"], "svg", "f", "x", "y"),
      (["x", "--", "--chart"], nil, nil, "x", "--chart"), (["x", "--chart", "--", "svg"], "", nil, "x", "svg"),
    ] as [([String], String?, String?, String, String?)])
  func words(words: [String], form: String?, file: String?, first: String, second: String?) throws {
    let arguments = try ArgumentParser.parse(words[...], for: Self.command)
    #expect(arguments[Self.chart] == form)
    #expect(arguments[Self.chart, "svg"] == file)
    #expect(arguments[Self.command.positionals[0]] == first)
    #expect(arguments[Self.command.positionals[1]] == second)
  }

  @Test("is shown with them in brackets, as none has to stand there")
  func usage() {
    #expect(Self.command.usageWords.contains("[--chart [bars | svg FILE]]"))
    #expect(Self.chart.heading == "--chart [bars | svg FILE]")
  }
}
