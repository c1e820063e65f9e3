import Testing
@testable import LineEditor

@Suite("The line editor")
struct LineEditorTests {
  /// The text after some keys, with `|` where the cursor is.
  static func text(_ keys: [Key], from text: String = "", history: [String] = []) -> String {
    var editor = LineEditor(history: history)
    _ = editor.take(.text(text))
    for key in keys { _ = editor.take(key) }
    return shown(editor)
  }

  static func shown(_ editor: LineEditor) -> String {
    let before = editor.edited.beforeCursor
    return before + "|" + String(editor.edited.text.dropFirst(before.count))
  }

  static let edits: [(keys: [Key], from: String, text: String)] = [
    ([], "abc", "abc|"), ([.left, .text("x")], "abc", "abx|c"), ([.home, .delete], "abc", "|bc"),
    ([.backspace], "フシ", "フ|"), ([.backspace], "a\u{1F469}\u{200D}\u{1F467}", "a|"), ([.backspace], "", "|"),
    ([.home, .right, .right, .right, .right], "ab", "ab|"),
    ([.control("a"), .control("f"), .control("e")], "ab", "ab|"),
    ([.wordLeft], "count pokemon ", "count |pokemon "), ([.wordLeft, .wordLeft, .wordRight], "a = 'b'", "a| = 'b'"),
    ([.control("w")], "--sort=-weight", "|"), ([.wordBackspace], "--sort=-weight", "--sort=-|"),
    ([.control("u"), .control("y"), .control("y")], "ab", "abab|"), ([.left, .left, .control("k")], "abcd", "ab|"),
    ([.home, .alt("d")], "one two", "| two"), ([.control("t")], "abdc", "abcd|"),
    ([.home, .right, .control("t")], "bac", "ab|c"), ([.control("t")], "a", "a|"),
    ([.left, .control("d")], "ab", "a|"),
    // An accent joins the character before it.
    ([.text("\u{301}"), .backspace], "xe", "x|"),
    ([.up, .home], "one\ntwo", "|one\ntwo"), ([.home, .up], "one\ntwo", "|one\ntwo"),
    ([.up, .down], "one\ntwo", "one\ntwo|"),
    ([.up], "one\n\nthree", "one\n|\nthree"), ([.up, .end, .control("k")], "one\ntwo", "one|two"),
    ([.paste("a\nb")], "", "a\nb|"), ([.escape, .alt("x")], "a", "a|"),
  ]

  @Test("moves, removes and puts in again", arguments: edits)
  func editing(keys: [Key], from: String, text: String) {
    #expect(Self.text(keys, from: from) == text)
  }

  @Test("submits a complete text, and goes on with another line otherwise")
  func enter() {
    var editor = LineEditor { !$0.contains("(") || $0.contains(")") }
    _ = editor.take(.text("count p (a = 1"))
    let first = editor.take(.enter)
    #expect(first == .none)
    #expect(editor.edited.text == "count p (a = 1\n")
    _ = editor.take(.text(")"))
    let second = editor.take(.enter)
    #expect(second == .submit("count p (a = 1\n)"))
  }

  @Test("executes nothing of a paste before Enter")
  func paste() {
    var editor = LineEditor()
    let answer = editor.take(.paste("delete p true --yes\ntables\n"))
    #expect(answer == .none)
    #expect(editor.edited.text == "delete p true --yes\ntables\n")
  }

  static let asked: [(key: Key, request: LineEditor.Request)] = [
    (.control("c"), .discard), (.control("d"), .end), (.control("l"), .clearScreen), (.control("z"), .suspend),
    (.tab, .complete), (.up, .bell), (.down, .bell), (.enter, .submit("")),
  ]

  @Test("delegates actions that it can't do itself", arguments: asked)
  func requests(key: Key, request: LineEditor.Request) {
    var editor = LineEditor()
    let answer = editor.take(key)
    #expect(answer == request)
  }

  static let earlier = ["count p", "tables", "count q", "count q", "schema"]

  static let walks: [(keys: [Key], from: String, text: String)] = [
    ([.up], "", "schema|"), ([.up, .up, .up], "", "tables|"), ([.up, .up, .down, .down], "", "|"),
    ([.up], "co", "count q|"), ([.up, .up], "co", "count p|"), ([.up, .up, .up], "co", "count p|"),
    ([.up, .up, .down, .down], "co", "co|"), ([.up], "x", "x|"), ([.up, .text("!"), .up], "", "schema!|"),
    ([.control("p"), .control("p"), .control("n")], "", "schema|"),
  ]

  @Test("walks through earlier lines that start as this one does", arguments: walks)
  func history(keys: [Key], from: String, text: String) {
    #expect(Self.text(keys, from: from, history: Self.earlier) == text)
  }

  @Test("searches earlier lines")
  func search() {
    var editor = LineEditor(history: Self.earlier)
    _ = editor.take(.text("draft"))
    _ = editor.take(.control("r"))
    _ = editor.take(.text("COUNT"))
    #expect(editor.search?.line == "count q")
    _ = editor.take(.control("r"))
    #expect(editor.search?.line == "count p")
    let answer = editor.take(.control("r"))
    #expect(answer == .bell)
    _ = editor.take(.control("g"))
    #expect(editor.search == nil && editor.edited.text == "draft")
    for key in [Key.control("r"), .text("tab"), .backspace, .text("b")] { _ = editor.take(key) }
    let end = editor.take(.enter)
    #expect(end == .submit("tables"))
  }

  @Test("puts in what candidates have in common, then lists them")
  func completion() {
    var editor = LineEditor()
    for key in [Key.text("ty = 1"), .home, .right, .right] { _ = editor.take(key) }
    func offer(_ words: [String]) -> Bool { editor.offer(words.map { LineEditor.Candidate($0, label: $0) }) }
    let common = offer(["type1", "type2"])
    #expect(common && Self.shown(editor) == "type| = 1" && editor.listed.isEmpty)
    let list = offer(["type1", "type2"])
    #expect(list && editor.listed.map(\.label) == ["type1", "type2"])
    let only = offer(["type2"])
    #expect(only && Self.shown(editor) == "type2| = 1")
    let nothing = offer([])
    #expect(!nothing)
    _ = editor.take(.left)
    #expect(editor.listed.isEmpty)
  }
}

@Suite("The editor's screen")
struct EditorScreenTests {
  private func screen(_ keys: [Key], width: Int = 10, height: Int = 8) -> EditorScreen {
    var editor = LineEditor(history: ["tables", "count\npokemon"])
    for key in keys { _ = editor.take(key) }
    return EditorScreen(editor, prompt: "p> ", continuation: ".> ", size: TerminalSize(columns: width, lines: height))
  }

  @Test("shows the prompt and the text, with the cursor in its place")
  func plain() {
    let screen = screen([.text("abc"), .left])
    #expect(screen.rows == ["p> abc"])
    #expect((screen.cursorRow, screen.cursorColumn) == (0, 5))
  }

  @Test("breaks a text at the width, and wide characters before it")
  func wide() {
    let screen = screen([.text("abcdeフシギダネ")])
    #expect(screen.rows == ["p> abcdeフ", "シギダネ"])
    #expect((screen.cursorRow, screen.cursorColumn) == (1, 8))
    let split = self.screen([.text("abcdefフ")])
    #expect(split.rows == ["p> abcdef", "フ"])
  }

  @Test("has a row for the cursor behind a full one")
  func full() {
    let screen = screen([.text("abcdefg")])
    #expect(screen.rows == ["p> abcdefg", ""])
    #expect((screen.cursorRow, screen.cursorColumn) == (1, 0))
  }

  @Test("shows lines with a prompt of their own")
  func lines() {
    let screen = screen([.text("ab\ncd"), .up, .home])
    #expect(screen.rows == ["p> ab", ".> cd"])
    #expect((screen.cursorRow, screen.cursorColumn) == (0, 3))
  }

  @Test("shows pictures of what a terminal would obey")
  func escapes() {
    #expect(screen([.paste("a\u{1B}[2J\u{7}\tb")], width: 40).rows == ["p> a␛[2J␇ b"])
  }

  @Test("shows the rows around the cursor where there are more than the terminal has")
  func high() {
    let screen = screen([.text("1\n2\n3\n4\n5"), .home], height: 3)
    #expect(screen.rows == [".> 3", ".> 4", ".> 5"])
    #expect(screen.cursorRow == 2)
    let above = self.screen([.text("1\n2\n3\n4\n5"), .up, .up, .up, .up], height: 3)
    #expect(above.rows == ["p> 1", ".> 2", ".> 3"])
    #expect(above.cursorRow == 0)
  }

  @Test("shows a search")
  func search() {
    #expect(screen([.control("r"), .text("cou")], width: 60).rows == ["(search: cou) count pokemon"])
    #expect(screen([.control("r"), .text("cox")], width: 60).rows == ["(no match: cox) "])
  }

  @Test("lists candidates with what they are, or in columns where there are many")
  func candidates() {
    let few = [
      LineEditor.Candidate("id", label: "id", note: "integer"), .init("フシ", label: "フシ", note: "a\u{1B}[0m text"),
    ]
    #expect(CandidateList(few, width: 40, rows: 5).rows == ["id    integer", "フシ  a␛[0m text"])
    let many = (1...7).map { LineEditor.Candidate("name\($0)", label: "name\($0)", note: "text") }
    #expect(CandidateList(many, width: 22, rows: 4).rows == ["name1  name4  name7", "name2  name5", "name3  name6"])
    #expect(CandidateList(many, width: 8, rows: 3).rows == ["name1", "name2", "… 7 in …"])
  }

  @Test("knows how far up the cursor has to go, also when the terminal became narrower")
  func rows() {
    let screen = screen([.text("abcdefgh")])
    #expect(screen.rowsAboveCursor(width: 10) == 1)
    #expect(screen.rowsAboveCursor(width: 5) == 2)
  }
}
