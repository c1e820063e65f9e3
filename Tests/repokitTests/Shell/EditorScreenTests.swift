import Testing

@testable import repokit

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
    #expect(screen([.control("r"), .text("cox")], width: 60).rows == ["(nothing with: cox) "])
  }

  @Test("lists candidates with what they are, or in columns where there are many")
  func candidates() {
    let few = [
      Candidate(word: "id", label: "id", note: "integer"), Candidate(word: "フシ", label: "フシ", note: "a\u{1B}[0m text"),
    ]
    #expect(CandidateList(few, width: 40, rows: 5).rows == ["id    integer", "フシ  a␛[0m text"])
    let many = (1...7).map { Candidate(word: "name\($0)", label: "name\($0)", note: "text") }
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
