import ErrorHandling
import Synchronization
import Testing

@Suite("Alerts on a terminal")
struct TerminalTests {
  private static let interactive = TerminalStyle(hasColor: false, isInteractive: true)
  private static let choose = Recovery("Choose Another Box") {}
  private static let release = Recovery("Release All", isDestructive: true) {}

  /// What is shown for an alert and what comes of it, where a user types lines.
  private func show(
    _ alert: Alert, _ typed: [String] = [], style: TerminalStyle = interactive
  ) async -> (text: String, answer: Alert.Answer) {
    let journal = Journal()
    let lines = Journal()
    for line in typed.reversed() { lines.write(line) }
    let presenter = TerminalAlertPresenter(style: style, write: { journal.write($0) }, readLine: { lines.removeLast() })
    let answer = await presenter.ask(alert)
    #expect(style.isInteractive || lines.lines.count == typed.count)
    return (journal.lines.joined(), answer)
  }

  @Test("show the title and the message, and ask only where there is something to decide")
  func text() async {
    let message = "The box is full\n  It holds 30 Pokémon. Release one, or choose another box.\n"
    #expect(await show(Alert(BoxError())) == (message, .dismiss))
    #expect(
      await show(Alert(BoxError(), recovery: Self.choose), [""]) == (message + "Choose Another Box? [Y/n] ", .recover))
    #expect(await show(Alert(BoxError(), recovery: Self.release), [""]) == (message + "Release All? [y/N] ", .dismiss))
    #expect(await show(Alert(BoxError(reason: nil, suggestion: nil))) == ("The box is full\n", .dismiss))
  }

  @Test("recover nothing where no user is there to answer")
  func noUser() async {
    let shown = await show(Alert(BoxError(), recovery: Self.choose), ["yes"], style: .plain)
    #expect(shown.answer == .dismiss && !shown.text.contains("?"))
  }

  @Test(
    "understand answers",
    arguments: [
      (["y"], Alert.Answer.recover), ([" YES "], .recover), (["release  all"], .recover), (["n"], .dismiss),
      (["No"], .dismiss), (["cancel"], .dismiss), (["maybe", "y"], .recover), (["1", "2", "3", "y"], .dismiss),
      (["what"], .dismiss), ([], .dismiss),
    ] as [([String], Alert.Answer)])
  func answers(typed: [String], answer: Alert.Answer) async {
    let shown = await show(Alert(BoxError(), recovery: Self.release), typed)
    #expect(shown.answer == answer)
    // After the end of the input, the next output begins on a line of its own.
    if typed.isEmpty { #expect(shown.text.hasSuffix("[y/N] \n")) }
  }

  @Test("do nothing where the input ends, whatever the default is")
  func endOfInput() async {
    let shown = await show(Alert(BoxError(), recovery: Self.choose), [])
    #expect(shown.answer == .dismiss && shown.text.hasSuffix("[Y/n] \n"))
  }

  @Test(
    "keep to the width, in columns",
    arguments: [
      ("one two three four five six", ["one two three four", "five six"]),
      ("a word-that-is-longer-than-a-line", ["a", "word-that-is-longe", "r-than-a-line"]),
      ("ポケモンがいっぱいです、どうする", ["ポケモンがいっぱい", "です、どうする"]),
      ("👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧", ["👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧", "👩‍👩‍👧"]),
      ("Poke\u{301}mon  Poke\u{301}mon\tgo", ["Poke\u{301}mon Poke\u{301}mon", "go"]),
      ("one\n\ntwo\r\nthree", ["one", "two", "three"]),
    ] as [(String, [String])])
  func width(text: String, lines: [String]) async {
    let style = TerminalStyle(width: 20, hasColor: false, isInteractive: false)
    let shown = await show(Alert(BoxError(summary: "", reason: nil, suggestion: text + "!")), style: style).text
    var expected = lines.map { "  \($0)\n" }.joined()
    expected.insert("!", at: expected.index(before: expected.endIndex))
    #expect(shown.lowercased() == expected.lowercased())
  }

  @Test("are clauses behind a label, for a tool of the command line")
  func clauses() {
    func text(_ error: any Error, width: Int = 80, hasColor: Bool = false) -> String {
      let style = TerminalStyle(width: width, hasColor: hasColor, isInteractive: false)
      return TerminalAlertPresenter(
        style: style, wording: .clauses(label: "error"), write: { _ in }, readLine: { nil }
      ).text(of: Alert(error))
    }
    #expect(
      text(BoxError()) == "error: the box is full\n  it holds 30 Pokémon\n  release one, or choose another box\n")
    let place = BoxError(summary: "expected a value", reason: "weight >\n        ^\ta\u{1B}", suggestion: nil)
    #expect(text(place) == "error: expected a value\n  weight >\n          ^ a␛\n")
    #expect(
      text(BoxError(reason: nil, suggestion: nil), width: 20, hasColor: true)
        == "\u{1B}[1;31merror:\u{1B}[0m the box is\nfull\n")
    let whole = String(repeating: "many words ", count: 40) + "in a file"
    #expect(text(BoxError(reason: whole, suggestion: nil), width: .max).split(separator: "\n").count == 2)
  }

  @Test("show what a terminal would obey")
  func escapes() async {
    let alert = Alert(
      BoxError(summary: "\u{1B}[2J is no name", reason: "nor \u{7F}\u{202E}", suggestion: nil),
      recovery: Recovery("Go\u{7}") {})
    let shown = await show(alert, ["n"]).text
    #expect(shown == "␛[2J is no name\n  Nor ␡\u{FFFD}.\nGo␇? [Y/n] ")
  }

  @Test("have colour only where that is wanted")
  func colour() async {
    let style = TerminalStyle(hasColor: true, isInteractive: true)
    let shown = await show(Alert(BoxError(reason: nil, suggestion: nil), recovery: Self.release), ["n"], style: style)
    #expect(shown.text == "\u{1B}[1;31mThe box is full\u{1B}[0m\n\u{1B}[31mRelease All\u{1B}[0m? [y/N] ")
  }

  @Test(
    "take the style from the program's variables",
    arguments: [
      (true, [:], true), (false, [:], false), (true, ["NO_COLOR": "1"], false), (true, ["NO_COLOR": ""], true),
      (true, ["TERM": "dumb"], false), (true, ["TERM": "xterm"], true),
    ] as [(Bool, [String: String], Bool)])
  func style(isTerminal: Bool, environment: [String: String], hasColor: Bool) {
    let style = TerminalStyle(isTerminal: isTerminal, isInteractive: true, environment: environment)
    #expect(style.hasColor == hasColor && style.isInteractive == isTerminal && style.width == 80)
    let narrow = TerminalStyle(isTerminal: true, isInteractive: false, environment: ["COLUMNS": "40"])
    #expect(narrow.width == 40 && !narrow.isInteractive)
    #expect(
      TerminalStyle(isTerminal: true, isInteractive: true, environment: ["COLUMNS": "0"], width: 100).width == 100)
    #expect(TerminalStyle(width: -1, hasColor: false, isInteractive: false).width == 20)
  }
}
