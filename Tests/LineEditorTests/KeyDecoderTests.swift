import TestSupport
import Testing
@testable import LineEditor

@Suite("Keys")
struct KeyDecoderTests {
  static let sequences: [(bytes: String, keys: [Key])] = [
    ("aé フ", [.text("a"), .text("é"), .text(" "), .text("フ")]), ("\u{1F600}", [.text("\u{1F600}")]),
    ("\r\n\t\u{7F}\u{8}", [.enter, .enter, .tab, .backspace, .backspace]),
    ("\u{1}\u{3}\u{1A}", [.control("a"), .control("c"), .control("z")]),
    ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
    ("\u{1B}OA\u{1B}OH\u{1B}OF", [.up, .home, .end]),
    ("\u{1B}[H\u{1B}[1~\u{1B}[7~\u{1B}[F\u{1B}[4~\u{1B}[8~", [.home, .home, .home, .end, .end, .end]),
    ("\u{1B}[3~\u{1B}[1;5C\u{1B}[1;3D", [.delete, .wordRight, .wordLeft]),
    ("\u{1B}b\u{1B}F\u{1B}d\u{1B}\u{7F}", [.alt("b"), .alt("f"), .alt("d"), .wordBackspace]),
    // What this program knows nothing of does nothing, and no part of it is text.
    ("\u{1B}[15~\u{1B}[1;2P\u{1B}[?1;2cx", [.text("x")]),
    ("\u{1B}[200~a\rb\r\nc\u{1B}[A\u{3}\u{1B}[201~d", [.paste("a\nb\nc\u{1B}[A\u{3}"), .text("d")]),
  ]

  @Test("are read from what a terminal sends, in whole", arguments: sequences)
  func whole(bytes: String, keys: [Key]) {
    var decoder = KeyDecoder()
    let read = decoder.decode(bytes.utf8)
    #expect(read == keys)
    let rest = decoder.finish()
    #expect(rest == [])
  }

  @Test("and byte by byte", arguments: sequences)
  func parts(bytes: String, keys: [Key]) {
    var decoder = KeyDecoder()
    var read: [Key] = []
    for byte in bytes.utf8 { read += decoder.decode([byte]) }
    #expect(read == keys)
  }

  @Test("may be an escape alone, which nothing follows")
  func escape() {
    var decoder = KeyDecoder()
    let first = decoder.decode([0x1B])
    #expect(first == [] && decoder.isAmbiguous)
    let alone = decoder.finish()
    #expect(alone == [.escape] && !decoder.isAmbiguous)
    let two = decoder.decode("\u{1B}\u{1B}[A".utf8)
    #expect(two == [.escape, .up])
  }

  @Test("are no broken UTF-8")
  func broken() {
    var decoder = KeyDecoder()
    let broken = decoder.decode([0xFF, 0x61, 0xE3, 0x61, 0xC0, 0x80, 0x62])
    #expect(broken.last == .text("b"))
    let stray = decoder.decode([0x80, 0x81] + Array("ok".utf8))
    #expect(stray.suffix(2) == [.text("o"), .text("k")])
  }

  @Test("never end the program, whatever comes")
  func noise() {
    let seed = SplitMix64.newSeed()
    var random = SplitMix64(seed: seed)
    var decoder = KeyDecoder()
    var editor = LineEditor(history: ["one", "two\nlines"])
    for _ in 0..<2_000 {
      let bytes = (0..<20).map { _ -> UInt8 in
        let any = UInt8.random(in: 0...255, using: &random)
        return random.pick([0x1B, 0x5B, 0x7E, any])
      }
      for key in decoder.decode(bytes) + decoder.finish() {
        _ = editor.take(key)
        #expect(editor.edited.cursor <= editor.edited.characters.count, "REPOKIT_SEED=\(seed)")
      }
      if editor.edited.characters.count > 200 { editor.reset() }
      let screen = EditorScreen(editor, prompt: "p> ", continuation: "> ", size: TerminalSize(columns: 20, lines: 5))
      #expect(
        screen.rows.count <= 5 && screen.cursorColumn < 20 && screen.cursorRow < screen.rows.count,
        "REPOKIT_SEED=\(seed)")
    }
  }
}
