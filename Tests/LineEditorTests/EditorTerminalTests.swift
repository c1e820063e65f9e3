import Foundation
@testable import LineEditor
import TestSupport
import Testing

@Suite("A line edited at a pseudo-terminal", .serialized)
struct EditorTerminalTests {
  /// A terminal at which a line is edited meanwhile.
  private final class Session: @unchecked Sendable {
    let pair: TerminalPair
    let descriptor: Int32
    private var answer: Task<LineEditor.Request?, Never>?

    init(width: Int = 40, history: [String] = [], candidates: [String] = []) throws {
      pair = try TerminalPair(width: width, height: 10)
      let descriptor = try pair.openOtherEnd()
      self.descriptor = descriptor
      // This thread waits for the terminal, and others may wait for programs.
      answer = Task.detached(executorPreference: OwnThreadExecutor()) {
        guard var terminal = EditorTerminal(input: descriptor, outputs: [descriptor], term: "xterm") else { return nil }
        var editor = LineEditor(history: history) { !$0.hasSuffix("\\") }
        return await terminal.edit(&editor, prompts: ("p> ", "...> ")) { text in
          candidates.filter { $0.hasPrefix(text) }.map { LineEditor.Candidate($0, label: $0) }
        }
      }
      try pair.wait(for: "p> ")
    }

    deinit { close(descriptor) }

    /// Types keys, each after what shows that the one before it was taken.
    func type(_ steps: [(keys: String, shown: String)]) throws {
      for step in steps {
        try pair.send(step.keys)
        try pair.wait(for: step.shown)
      }
    }

    func finish() async -> LineEditor.Request? { await answer?.value }
  }

  private static func flags(_ descriptor: Int32) -> tcflag_t {
    var mode = termios()
    tcgetattr(descriptor, &mode)
    return mode.c_lflag
  }

  @Test("is submitted as it was corrected, and the terminal is as before")
  func submission() async throws {
    let usual = try TerminalPair(width: 40, height: 10)
    let other = try usual.openOtherEnd()
    defer { close(other) }
    let session = try Session()
    #expect(Self.flags(session.descriptor) & tcflag_t(ICANON | ECHO) == 0)
    try session.type([
      ("counx p", "counx p"), ("\u{1B}[D\u{1B}[D", "\u{1B}[8C"), ("\u{7F}t", "count p"), ("\r", "\u{1B}[?2004l"),
    ])
    #expect(await session.finish() == .submit("count p"))
    #expect(Self.flags(session.descriptor) == Self.flags(other))
  }

  @Test("goes on with another row, under a prompt of its own")
  func continuation() async throws {
    let session = try Session()
    try session.type([("a\\\r", "...> "), ("b\r", "\u{1B}[?2004l")])
    #expect(await session.finish() == .submit("a\\\nb"))
  }

  @Test("is completed by Tab, and shows what there is to choose from")
  func completion() async throws {
    let session = try Session(candidates: ["query ", "quit "])
    try session.type([("q\t", "p> qu"), ("\t", "quit"), ("e\t", "p> query "), ("\r", "\u{1B}[?2004l")])
    #expect(await session.finish() == .submit("query "))
  }

  @Test("brings earlier lines back by arrows and by a search")
  func history() async throws {
    let session = try Session(history: ["tables", "schema"])
    try session.type([
      ("\u{1B}[A\u{1B}[A", "p> tables"), ("\u{12}sch", "(search: sch) schema"), ("\r", "\u{1B}[?2004l"),
    ])
    #expect(await session.finish() == .submit("schema"))
  }

  @Test("takes a paste as text, whatever keys it holds")
  func paste() async throws {
    let session = try Session()
    #expect(session.pair.transcript.contains("\u{1B}[?2004h"))
    try session.type([("\u{1B}[200~one\rtwo\u{1B}[201~", "...> two"), ("\r", "\u{1B}[?2004l")])
    #expect(await session.finish() == .submit("one\ntwo"))
  }

  @Test("is laid out anew where the terminal became narrower")
  func resizing() async throws {
    let session = try Session()
    try session.type([("abcdefghijkl", "ghijkl")])
    session.pair.resize(width: 10, height: 10)
    // The signal of a new size comes to the program that the terminal controls, which a test is not.
    TerminalMode.noteChange()
    try session.type([("", "p> abcdefg"), ("", "hijkl"), ("\r", "\u{1B}[?2004l")])
    #expect(await session.finish() == .submit("abcdefghijkl"))
  }

  @Test("ends with Control-D, where nothing was written")
  func end() async throws {
    let session = try Session()
    try session.type([("\u{4}", "\u{1B}[?2004l")])
    #expect(await session.finish() == .end)
  }

  @Test("is edited nowhere but at a terminal that can show it")
  func refusal() throws {
    let pair = try TerminalPair(width: 40, height: 10)
    let (terminal, file) = (try pair.openOtherEnd(), open("/dev/null", O_RDWR))
    defer {
      close(terminal)
      close(file)
    }
    #expect(EditorTerminal(input: file, outputs: [terminal], term: "xterm") == nil)
    #expect(EditorTerminal(input: terminal, outputs: [file], term: "xterm") == nil)
    #expect(EditorTerminal(input: terminal, outputs: [terminal], term: "dumb") == nil)
    #expect(EditorTerminal(input: terminal, outputs: [file, terminal], term: "xterm") != nil)
  }
}
